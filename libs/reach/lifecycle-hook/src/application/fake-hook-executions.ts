import { newId, type PageRequest, type Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { HookFailure } from '../domain/fill-command.js';
import type { ExecutionEnd, ExecutionState, HookExecution } from '../domain/hook-execution.js';
import type { HookExecutionId, LifecycleHookId } from '../domain/ids.js';
import type { ClaimedExecution, ExecutionFilter, ExecutionStore, NewExecution } from './lifecycle-hook.ports.js';

/** An execution of a command that waits for a runner of the pool `builders`. */
export const sampleExecution = (changes: Partial<NewExecution> = {}): NewExecution => ({
  id: newId<HookExecutionId>(),
  hookId: newId<LifecycleHookId>(),
  ...{ hook: 'tell', event: 'agent.error', entryId: newId(), kind: 'command', state: 'pending' },
  call: { program: 'notify', arguments: ['--', 'lost'], variables: {}, timeout_seconds: 30 },
  ...{ pool: 'builders', environment: 'staging', exitStatus: null, output: null, fault: null },
  ...changes,
});

interface Row {
  readonly execution: HookExecution;
  readonly nextAt: number;
  readonly leasedUntil: number | null;
}

const UNDER_WAY = 2;

/** Keeps executions in memory. */
export class FakeHookExecutions implements ExecutionStore {
  readonly #rows: FakeTable<Row>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  async write(tx: Tx, executions: readonly NewExecution[]): Promise<void> {
    const now = await tx.now();
    for (const each of executions) {
      const settledAt = each.state === 'pending' ? null : now;
      const execution = { ...each, attempts: 0, createdAt: now, settledAt };
      this.#rows.of(tx).set(each.id, { execution, nextAt: now, leasedUntil: null });
    }
  }

  async claim(tx: Tx, id: HookExecutionId, leaseMs: number): Promise<ClaimedExecution | null> {
    const now = await tx.now();
    const rows = this.#rows.of(tx);
    const row = rows.get(id);
    const before = row?.execution.state;
    if (row === undefined || row.nextAt > now || (before !== 'pending' && before !== 'sent')) return null;
    const sent = [...rows.values()].filter(
      ({ execution: { pool, state }, leasedUntil }) =>
        pool === row.execution.pool && state === 'sent' && leasedUntil !== null && leasedUntil > now,
    );
    if (before === 'pending' && sent.length >= UNDER_WAY) return null;
    const attempts = row.execution.attempts + (before === 'pending' ? 1 : 0);
    const execution: HookExecution = { ...row.execution, state: 'sent', attempts };
    rows.set(id, { execution, nextAt: now + leaseMs, leasedUntil: now + leaseMs });
    return { execution, before };
  }

  lockSent(tx: Tx, id: HookExecutionId, attempt: number): Promise<HookExecution | null> {
    return Promise.resolve(this.#sent(tx, id, attempt)?.execution ?? null);
  }

  leasedUntil(tx: Tx, id: HookExecutionId, attempt: number): Promise<number | null> {
    return Promise.resolve(this.#sent(tx, id, attempt)?.leasedUntil ?? null);
  }

  async settle(
    tx: Tx,
    id: HookExecutionId,
    attempt: number,
    state: Exclude<ExecutionState, 'pending' | 'sent'>,
    said: ExecutionEnd,
  ): Promise<boolean> {
    const row = this.#sent(tx, id, attempt);
    if (row === null) return false;
    const execution = { ...row.execution, ...said, state, settledAt: await tx.now() };
    this.#rows.of(tx).set(id, { ...row, execution, leasedUntil: null });
    return true;
  }

  async giveBack(
    tx: Tx,
    id: HookExecutionId,
    attempt: number,
    fault: HookFailure | null,
    delayMs: number,
  ): Promise<void> {
    const row = this.#sent(tx, id, attempt);
    if (row === null) return;
    const execution: HookExecution = { ...row.execution, state: 'pending', fault };
    this.#rows.of(tx).set(id, { execution, nextAt: (await tx.now()) + delayMs, leasedUntil: null });
  }

  lookAgain(tx: Tx, id: HookExecutionId, attempt: number, at: number): Promise<void> {
    const row = this.#sent(tx, id, attempt);
    if (row !== null) this.#rows.of(tx).set(id, { ...row, nextAt: at, leasedUntil: at });
    return Promise.resolve();
  }

  async release(tx: Tx, id: HookExecutionId, attempt: number, afterMs: number): Promise<void> {
    const row = this.#sent(tx, id, attempt);
    if (row !== null) this.#rows.of(tx).set(id, { ...row, nextAt: (await tx.now()) + afterMs, leasedUntil: null });
  }

  async expireOf(tx: Tx, hooks: readonly LifecycleHookId[], fault: HookFailure): Promise<number> {
    const over = this.#pending(tx).filter(({ hookId }) => hooks.includes(hookId));
    return this.#expire(tx, over, fault);
  }

  async expireBeyond(tx: Tx, most: number, fault: HookFailure): Promise<ReadonlyMap<LifecycleHookId, number>> {
    const over = fakePage(this.#pending(tx), ({ createdAt }) => createdAt, { after: null, limit: Infinity }).slice(
      most,
    );
    await this.#expire(tx, over, fault);
    const counts = new Map<LifecycleHookId, number>();
    for (const { hookId } of over) counts.set(hookId, (counts.get(hookId) ?? 0) + 1);
    return counts;
  }

  async failSent(tx: Tx, fault: HookFailure): Promise<void> {
    for (const { id, attempts } of this.#all(tx))
      await this.settle(tx, id, attempts, 'failed', { exitStatus: null, output: null, fault });
  }

  list(tx: Tx, { hook, state }: ExecutionFilter, page: PageRequest): Promise<readonly HookExecution[]> {
    const found = this.#all(tx).filter(
      (each) => (hook === undefined || each.hook === hook) && (state === undefined || each.state === state),
    );
    return Promise.resolve(fakePage(found, ({ createdAt }) => createdAt, page));
  }

  latest(tx: Tx): Promise<ReadonlyMap<LifecycleHookId, HookExecution>> {
    const newestLast = fakePage(this.#all(tx), ({ createdAt }) => createdAt, { after: null, limit: Infinity });
    return Promise.resolve(new Map(newestLast.toReversed().map((each) => [each.hookId, each])));
  }

  #all(tx: Tx): readonly HookExecution[] {
    return [...this.#rows.of(tx).values()].map(({ execution }) => execution);
  }

  #pending(tx: Tx): readonly HookExecution[] {
    return this.#all(tx).filter(({ state }) => state === 'pending');
  }

  #sent(tx: Tx, id: HookExecutionId, attempt: number): Row | null {
    const row = this.#rows.of(tx).get(id);
    return row?.execution.state === 'sent' && row.execution.attempts === attempt ? row : null;
  }

  async #expire(tx: Tx, over: readonly HookExecution[], fault: HookFailure): Promise<number> {
    const settledAt = await tx.now();
    for (const each of over)
      this.#rows.of(tx).set(each.id, {
        execution: { ...each, state: 'expired', fault, settledAt },
        nextAt: settledAt,
        leasedUntil: null,
      });
    return over.length;
  }
}
