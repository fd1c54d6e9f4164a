import type { ApprovalRequest } from '../domain/approval-request.js';
import { codeOf, FakeApprovalWorld, MINUTE, rules, valueOf } from './fake-approval-world.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
});

/** The reminders of the request after so many minutes, by two workers at once. */
const remindersAfter = async ({ id, openedAt }: ApprovalRequest, minutes: number): Promise<unknown[]> => {
  world.uow.now = openedAt + minutes * MINUTE;
  const before = world.told.length;
  await Promise.all([world.clock(world.reminding), world.clock(world.reminding)]);
  return world.told
    .slice(before)
    .flatMap(({ topic, payload }) =>
      topic === 'approval_request.reminder' && payload.request_id === id ? [payload.which] : [],
    );
};

describe('reminders', () => {
  it('come at half time and near the end, once each, by any number of workers', async () => {
    const request = await world.asked();
    expect(await remindersAfter(request, 29)).toEqual([]);
    expect(await remindersAfter(request, 30)).toEqual(['half_time']);
    expect(await remindersAfter(request, 31)).toEqual([]);
    expect(await remindersAfter(request, 54)).toEqual(['near_end']);
    expect(await remindersAfter(request, 61)).toEqual([]);
    expect(world.audited.map(({ action }) => action)).toEqual([
      'approval_request.opened',
      'approval_request.reminded',
      'approval_request.reminded',
    ]);
  });

  it('leave out half time when the end is near', async () => {
    const request = await world.asked();
    expect(await remindersAfter(request, 55)).toEqual(['near_end']);
    expect(await remindersAfter(request, 56)).toEqual([]);
  });

  it('are not sent of a request that is decided or over, then or later', async () => {
    const [decided, over] = [await world.asked(), await world.asked()];
    valueOf(await world.review(world.person('SRELead'), decided, 'reject'));
    expect(await remindersAfter(decided, 31)).toEqual([]);
    expect(await remindersAfter(over, 60)).toEqual([]);
    expect(await world.clock(world.reminding)).toBe(0);
  });

  it('go to further people if the document says so, and give no person a right to review', async () => {
    world.autonomy(rules({ escalation: { after_minutes: 10, to: ['PlatformAdmin'] } }));
    const request = await world.asked();
    const escalation = async () => valueOf(await world.reading.get(world.person('SRELead'), request.id)).escalation;
    const at = request.openedAt + 10 * MINUTE;
    expect(await escalation()).toEqual({ at, roles: ['PlatformAdmin'], told: false });
    expect(await remindersAfter(request, 10)).toEqual(['escalated']);
    expect(world.told.at(-1)?.payload).toMatchObject({ roles: 'PlatformAdmin' });
    expect(world.audited.at(-1)).toMatchObject({ action: 'approval_request.escalated' });
    expect(await escalation()).toEqual({ at, roles: ['PlatformAdmin'], told: true });
    expect(codeOf(await world.review(world.person('PlatformAdmin'), request))).toBe('policy.denied review.role');
  });

  it('tell no further people if the request would have ended before', async () => {
    world.autonomy(rules({ escalation: { after_minutes: 60, to: ['PlatformAdmin'] } }));
    const request = await world.asked();
    expect(valueOf(await world.reading.get(world.person(), request.id)).escalation).toBeNull();
  });
});
