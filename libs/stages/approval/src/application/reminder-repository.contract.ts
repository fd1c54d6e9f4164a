import type { ApprovalRequestId } from '#lib/kernel';
import type { Reminder, ReminderKind } from '../domain/reminders.js';
import { asked, inTx, MINUTE, refusalOf, type ApprovalStore, type OpenStore } from './approval-store.contract.js';

/** The contract of {@link ReminderRepository}. */
export function describeReminderRepository(name: string, open: OpenStore): void {
  let store: ApprovalStore;
  let now: number;
  let id: ApprovalRequestId;
  beforeEach(async () => {
    store = await open();
    now = await inTx(store, (tx) => tx.now());
    ({ id } = await asked(store));
  });
  const planned = (): readonly [Reminder, Reminder, Reminder] => [
    { which: 'half_time', dueAt: now + 30 * MINUTE, roles: null },
    { which: 'near_end', dueAt: now + 54 * MINUTE, roles: null },
    { which: 'escalated', dueAt: now + 10 * MINUTE, roles: ['PlatformAdmin', 'SRELead'] },
  ];
  const unsettled = () => inTx(store, (tx) => store.reminders.unsettled(tx, id));
  const settle = (which: ReminderKind, sent: boolean) =>
    inTx(store, (tx) => store.reminders.settle(tx, id, which, { at: now, sent }));
  const escalation = () => inTx(store, (tx) => store.reminders.escalation(tx, id));

  describe(`${name}: reminders`, () => {
    it('come back as they were planned, the one that is due first', async () => {
      const [half, end, escalated] = planned();
      await inTx(store, (tx) => store.reminders.plan(tx, id, [half, end, escalated]));
      expect(await unsettled()).toEqual([escalated, half, end]);
    });

    it('are planned once a request and kind', async () => {
      const [half, end] = planned();
      await inTx(store, (tx) => store.reminders.plan(tx, id, [half]));
      const again = inTx(store, (tx) => store.reminders.plan(tx, id, [end, { ...half, dueAt: now }]));
      expect(await refusalOf(again)).toBe('23505');
      expect(await unsettled()).toEqual([half]);
    });

    it('are settled once, sent or not: the first outcome stays', async () => {
      const [half, end, escalated] = planned();
      await inTx(store, (tx) => store.reminders.plan(tx, id, [half, end, escalated]));
      await settle('half_time', false);
      expect(await unsettled()).toEqual([escalated, end]);
      await settle('escalated', false);
      await settle('escalated', true);
      expect(await escalation()).toMatchObject({ told: false });
      expect(await unsettled()).toEqual([end]);
    });

    it('name the roles that an escalation tells, and whether it has', async () => {
      expect(await escalation()).toBeNull();
      const [half, , escalated] = planned();
      await inTx(store, (tx) => store.reminders.plan(tx, id, [half, escalated]));
      expect(await escalation()).toEqual({ at: escalated.dueAt, roles: escalated.roles, told: false });
      await settle('escalated', true);
      expect(await escalation()).toEqual({ at: escalated.dueAt, roles: escalated.roles, told: true });
    });

    it('keep to their request and their tenant', async () => {
      const [half] = planned();
      await inTx(store, (tx) => store.reminders.plan(tx, id, [half]));
      const { id: other } = await asked(store);
      expect(await inTx(store, (tx) => store.reminders.unsettled(tx, other))).toEqual([]);
      const elsewhere = await open();
      expect(await inTx(elsewhere, (tx) => store.reminders.unsettled(tx, id))).toEqual([]);
      await inTx(elsewhere, (tx) => store.reminders.settle(tx, id, 'half_time', { at: now, sent: true }));
      expect(await unsettled()).toEqual([half]);
    });
  });
}
