import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ApprovalRequestId, Tx } from '#lib/kernel';
import type { Reminder, ReminderKind } from '../domain/reminders.js';
import type { ReminderRepository } from './approval.ports.js';
import { compareKeys } from './fake-order.js';

interface ReminderRow {
  readonly requestId: ApprovalRequestId;
  readonly reminder: Reminder;
  readonly settled: { readonly at: number; readonly sent: boolean } | null;
}

/** Keeps reminders in memory. */
export class FakeReminderRepository implements ReminderRepository {
  readonly #rows: FakeTable<ReminderRow>;

  constructor(uow: FakeUnitOfWork) {
    this.#rows = new FakeTable(uow);
  }

  plan(tx: Tx, requestId: ApprovalRequestId, reminders: readonly Reminder[]): Promise<void> {
    for (const reminder of reminders) {
      const key = `${requestId} ${reminder.which}`;
      if (this.#rows.of(tx).has(key)) throw new FakeRefusal('23505', `${reminder.which} is planned already`);
      this.#rows.of(tx).set(key, { requestId, reminder, settled: null });
    }
    return Promise.resolve();
  }

  unsettled(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Reminder[]> {
    const found = [...this.#rows.of(tx).values()]
      .filter((row) => row.requestId === requestId && row.settled === null)
      .map(({ reminder }) => reminder)
      .sort((one, other) => compareKeys([one.dueAt, one.which], [other.dueAt, other.which]));
    return Promise.resolve(found);
  }

  settle(
    tx: Tx,
    requestId: ApprovalRequestId,
    which: ReminderKind,
    how: { readonly at: number; readonly sent: boolean },
  ): Promise<void> {
    const key = `${requestId} ${which}`;
    const row = this.#rows.of(tx).get(key);
    if (row?.settled === null) this.#rows.of(tx).set(key, { ...row, settled: how });
    return Promise.resolve();
  }

  escalation(
    tx: Tx,
    requestId: ApprovalRequestId,
  ): Promise<{ readonly at: number; readonly roles: readonly string[]; readonly told: boolean } | null> {
    const row = this.#rows.of(tx).get(`${requestId} escalated`);
    if (row === undefined) return Promise.resolve(null);
    const { reminder, settled } = row;
    return Promise.resolve({ at: reminder.dueAt, roles: reminder.roles ?? [], told: settled?.sent === true });
  }
}
