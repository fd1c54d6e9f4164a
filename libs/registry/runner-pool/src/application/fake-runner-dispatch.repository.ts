import type { SentCallName } from '#lib/dispatch';
import type { Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';
import type { DispatchProgress, RunnerDispatch, RunnerDispatchRepository } from './runner-dispatch.ports.js';
import type { Runner } from '../domain/runner.js';
import type { OutputChunk } from './runner.ports.js';

/** Calls for runners in memory. Transactions come one after another, so that each look is a lock. */
export class FakeRunnerDispatchRepository implements RunnerDispatchRepository {
  readonly #calls: FakeTable<RunnerDispatch>;
  readonly #output: FakeTable<readonly (OutputChunk & { readonly seq: number })[]>;

  constructor(database: FakeUnitOfWork) {
    this.#calls = new FakeTable(database);
    this.#output = new FakeTable(database);
  }

  insert(tx: Tx, call: RunnerDispatch): Promise<void> {
    this.#calls.of(tx).set(call.id, call);
    return Promise.resolve();
  }

  find(tx: Tx, id: RunnerDispatchId): Promise<RunnerDispatch | null> {
    return Promise.resolve(this.#calls.of(tx).get(id) ?? null);
  }

  ofSource(tx: Tx, sourceId: string): Promise<readonly RunnerDispatch[]> {
    return Promise.resolve(this.#all(tx).filter((call) => call.sourceId === sourceId));
  }

  lock(tx: Tx, id: RunnerDispatchId): Promise<RunnerDispatch | null> {
    return this.find(tx, id);
  }

  lockSent(tx: Tx, { source, step, attempt, idempotencyKey }: SentCallName): Promise<RunnerDispatch | null> {
    const named = (call: RunnerDispatch): boolean =>
      call.sourceType === source.type &&
      call.sourceId === source.id &&
      call.step === step &&
      call.attempt === attempt &&
      call.idempotencyKey === idempotencyKey;
    return Promise.resolve(this.#all(tx).findLast(named) ?? null);
  }

  lockWaiting(
    tx: Tx,
    { pool, environments }: Pick<Runner, 'pool' | 'environments'>,
    now: number,
  ): Promise<RunnerDispatch | null> {
    const waiting = (call: RunnerDispatch): boolean =>
      call.pool === pool &&
      environments.includes(call.environment) &&
      call.state === 'waiting' &&
      call.offeredUntil > now;
    return Promise.resolve(this.#all(tx).find(waiting) ?? null);
  }

  async waits(tx: Tx, of: Pick<Runner, 'pool' | 'environments'>, now: number): Promise<boolean> {
    return (await this.lockWaiting(tx, of, now)) !== null;
  }

  lockUndelivered(
    tx: Tx,
    runnerId: RunnerId,
    held: readonly RunnerDispatchId[],
    now: number,
  ): Promise<RunnerDispatch | null> {
    const undelivered = (call: RunnerDispatch): boolean =>
      call.runnerId === runnerId && call.state === 'taken' && call.answerBy > now && !held.includes(call.id);
    return Promise.resolve(this.#all(tx).find(undelivered) ?? null);
  }

  lockTaken(tx: Tx, runnerId: RunnerId): Promise<readonly RunnerDispatch[]> {
    return Promise.resolve(this.#all(tx).filter((call) => call.runnerId === runnerId && call.state === 'taken'));
  }

  save(tx: Tx, id: RunnerDispatchId, progress: DispatchProgress): Promise<void> {
    const { state, runnerId, takenAt, endedAt, answer, handOverAt } = progress;
    const held = endedAt === null ? {} : { outputHeld: null };
    return this.#change(tx, id, { state, runnerId, takenAt, endedAt, answer, handOverAt, ...held });
  }

  handedOver(tx: Tx, id: RunnerDispatchId): Promise<void> {
    return this.#change(tx, id, { handOverAt: null });
  }

  append(
    tx: Tx,
    id: RunnerDispatchId,
    firstSeq: number,
    chunks: readonly OutputChunk[],
    { outputSeq, outputBytes, outputCut, outputHeld }: Parameters<RunnerDispatchRepository['append']>[4],
  ): Promise<void> {
    const before = this.#output.of(tx).get(id) ?? [];
    this.#output.of(tx).set(id, [...before, ...chunks.map((chunk, at) => ({ ...chunk, seq: firstSeq + at }))]);
    return this.#change(tx, id, { outputSeq, outputBytes, outputCut, outputHeld });
  }

  output(tx: Tx, id: RunnerDispatchId, after: number): Promise<readonly (OutputChunk & { readonly seq: number })[]> {
    return Promise.resolve((this.#output.of(tx).get(id) ?? []).filter(({ seq, text }) => seq > after && text !== ''));
  }

  /** In the order of their offers. */
  #all(tx: Tx): readonly RunnerDispatch[] {
    return [...this.#calls.of(tx).values()].sort((one, other) => one.offeredAt - other.offeredAt);
  }

  #change(tx: Tx, id: RunnerDispatchId, changes: Partial<RunnerDispatch>): Promise<void> {
    const call = this.#calls.of(tx).get(id);
    if (call === undefined) throw new Error(`there is no call ${id}`);
    this.#calls.of(tx).set(id, { ...call, ...changes });
    return Promise.resolve();
  }
}
