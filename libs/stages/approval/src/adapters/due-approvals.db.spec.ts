import type { TestDatabase } from '../../../../../test/support/database.js';
import { postgresStores } from '../../../../../test/support/approval-store.js';
import { asked, because, happened, inTx, MINUTE, type ApprovalStore } from '../application/approval-store.contract.js';
import { deadlineOf, type UndecidedRequest } from '../domain/approval-request.js';

let db: TestDatabase;
const open = postgresStores((opened) => (db = opened));
let store: ApprovalStore;
let now: number;
beforeEach(async () => {
  store = await open();
  now = await inTx(store, (tx) => tx.now());
});
type Due = 'approval_expire_due' | 'approval_start_due' | 'approval_remind_due';
const due = (what: Due, most: number) => db.systemQuery.call(what, new Date(), most, [], []);
/** Of this test's tenants: other tests leave rows of theirs. */
const mine = async (what: Due, ...stores: ApprovalStore[]): Promise<string[]> => {
  const tenants = [store, ...stores].map(({ tenantId }) => tenantId);
  return (await due(what, 1_000)).filter(({ tenantId }) => tenants.includes(tenantId)).map(({ id }) => id);
};
const ago = (minutes: number, more: Partial<UndecidedRequest> = {}): Partial<UndecidedRequest> => ({
  openedAt: now - minutes * MINUTE,
  ...more,
});
const approved = async (minutes: number, more: Partial<UndecidedRequest> = {}) => {
  const request = await asked(store, ago(minutes, more));
  return happened(store, request, { name: 'approve' }, request.openedAt + 1);
};

describe('a due request', () => {
  it('has expired, open or approved, the longest ago first, of every tenant', async () => {
    const open2 = await open();
    const pending = await asked(store, ago(62));
    const unused = await approved(64);
    const elsewhere = await asked(open2, ago(63));
    await asked(store, ago(59));
    await approved(59);
    await happened(store, await asked(store, ago(70)), { name: 'deny', reason: because });
    expect(await mine('approval_expire_due', open2)).toEqual([unused.id, elsewhere.id, pending.id]);
  });

  it('has expired at the millisecond of its end', async () => {
    const [undecided, unused] = [await asked(store, ago(5)), await approved(5)];
    const at = (moment: number | null, after: number) =>
      db.systemQuery.call('approval_expire_due', new Date((moment ?? 0) + after), 1_000, [], []);
    for (const request of [undecided, unused]) {
      const { id } = request;
      const end = deadlineOf(request);
      expect((await at(end, -1)).map((due) => due.id)).not.toContain(id);
      expect((await at(end, 0)).map((due) => due.id)).toContain(id);
    }
  });

  it('is found as far as it was asked for, the oldest before the others', async () => {
    const ancient = await asked(store, ago(1_000_000));
    await asked(store, ago(999_999));
    expect((await due('approval_expire_due', 1)).map(({ id }) => id)).toEqual([ancient.id]);
  });

  it('starts by itself at its time, and once the freeze that held it back is over', async () => {
    const at = (minutes: number) => ({ start: { kind: 'at', at: now + minutes * MINUTE } as const });
    const timely = await approved(5, at(-1));
    const early = await approved(5, at(1));
    const manual = await approved(5);
    const over = await approved(90, at(-1));
    const [held, over2] = [await approved(5, at(-3)), await approved(5, { start: { kind: 'on_approval' } })];
    const [still, by] = [await approved(5, at(-3)), await approved(5, { start: { kind: 'on_approval' } })];
    const hold = (id: typeof timely.id, minutes: number) =>
      inTx(store, (tx) => store.requests.holdBack(tx, id, now + minutes * MINUTE));
    await hold(held.id, -4);
    await hold(over2.id, -2);
    await hold(still.id, 2);
    await hold(manual.id, -2);
    const found = await mine('approval_start_due');
    expect(found).toEqual([held.id, over2.id, timely.id]);
    for (const { id } of [early, manual, over, still, by]) expect(found).not.toContain(id);
  });

  it('is to be told, once a request, until it is settled', async () => {
    const [one, other, none] = [await asked(store), await asked(store), await asked(store)];
    const half = (minutes: number) => ({ which: 'half_time', dueAt: now + minutes * MINUTE, roles: null }) as const;
    const end = (minutes: number) => ({ which: 'near_end', dueAt: now + minutes * MINUTE, roles: null }) as const;
    await inTx(store, async (tx) => {
      await store.reminders.plan(tx, one.id, [half(-1), end(-0.5)]);
      await store.reminders.plan(tx, other.id, [half(-2), end(30)]);
      await store.reminders.plan(tx, none.id, [half(5)]);
    });
    expect(await mine('approval_remind_due')).toEqual([other.id, one.id]);
    await inTx(store, (tx) => store.reminders.settle(tx, other.id, 'half_time', { at: now, sent: true }));
    await inTx(store, (tx) => store.reminders.settle(tx, one.id, 'half_time', { at: now, sent: false }));
    expect(await mine('approval_remind_due')).toEqual([one.id]);
  });
});
