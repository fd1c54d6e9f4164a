import { dueReminders, remindersOf } from './reminders.js';

const MINUTE = 60_000;
const request = { openedAt: 1_000, expiresAt: 1_000 + 60 * MINUTE };

describe('reminders of an open request', () => {
  it('come at half time and with a tenth of the time left, and go further if that is configured', () => {
    expect(remindersOf(request, { after_minutes: 20, to: ['SRELead'] })).toEqual([
      { which: 'half_time', dueAt: 1_000 + 30 * MINUTE, roles: null },
      { which: 'near_end', dueAt: 1_000 + 54 * MINUTE, roles: null },
      { which: 'escalated', dueAt: 1_000 + 20 * MINUTE, roles: ['SRELead'] },
    ]);
    expect(remindersOf(request, { after_minutes: 60, to: ['SRELead'] })).toHaveLength(2);
    expect(remindersOf(request, null)).toHaveLength(2);
  });

  it('are told when they are due', () => {
    const all = remindersOf(request, { after_minutes: 20, to: ['SRELead'] });
    const told = (minutes: number): unknown => {
      const { tell, drop } = dueReminders(all, true, 1_000 + minutes * MINUTE);
      return [tell.map(({ which }) => which), drop.map(({ which }) => which)];
    };
    expect(told(19)).toEqual([[], []]);
    expect(told(20)).toEqual([['escalated'], []]);
    expect(told(30)).toEqual([['half_time', 'escalated'], []]);
    expect(told(54)).toEqual([['near_end', 'escalated'], ['half_time']]);
    expect(dueReminders(all, false, 1_000 + 30 * MINUTE)).toEqual({ tell: [], drop: all });
  });
});
