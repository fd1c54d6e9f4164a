import { newId, type JobQueue, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { LogFollowerId } from '../domain/ids.js';
import type { FakeAuditEntries } from './fake-audit-entries.js';
import type { FakeAuditTree } from './fake-audit-tree.js';
import { FULL_TURN } from './follow-log.js';
import type { FollowerAt, LogFollowers, LogPosition, LogStretch, StretchLimits } from './log-followers.port.js';

interface Row extends FollowerAt {
  readonly head: LogPosition;
  readonly behindSince: number;
  readonly failures: number;
  readonly byLoop: boolean;
}

const isBehind = ({ position, head }: Row): boolean =>
  position.epoch < head.epoch || (position.epoch === head.epoch && position.index < head.index);

/** Keeps followers of the log in memory. */
export class FakeLogFollowers implements LogFollowers {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly entries: FakeAuditEntries,
    private readonly tree: FakeAuditTree,
    private readonly jobs: JobQueue,
    private readonly epochOf: (tx: Pick<Tx, 'tenantId'>) => number | null,
  ) {
    this.#rows = new FakeTable(database);
  }

  begin(tx: Tx, name: string): Promise<void> {
    if (this.of(tx).some((row) => row.name === name)) return Promise.resolve();
    const position = this.#head(tx);
    this.#add(tx, name, position, position, false);
    return Promise.resolve();
  }

  beginExport(tx: Tx, name: string): Promise<LogFollowerId> {
    const kept = this.of(tx).find((row) => row.name === name);
    if (kept !== undefined) return Promise.resolve(kept.id);
    return Promise.resolve(this.#add(tx, name, { epoch: 1, index: 0 }, this.#head(tx), true));
  }

  end(tx: Tx, name: string): Promise<void> {
    for (const { id, name: kept } of this.of(tx)) if (kept === name) this.#rows.of(tx).delete(id);
    return Promise.resolve();
  }

  take(tx: Tx, id: LogFollowerId): Promise<FollowerAt | null> {
    const row = this.#rows.of(tx).get(id);
    if (row === undefined) return Promise.resolve(null);
    const { name, position, atOnce, notBefore } = row;
    return Promise.resolve({ id, name, position, atOnce, notBefore });
  }

  async after(tx: Tx, position: LogPosition, atMost: StretchLimits): Promise<LogStretch> {
    const found = this.tree
      .leaves(tx)
      .filter(({ epoch, index }) => epoch > position.epoch || (epoch === position.epoch && index >= position.index))
      .slice(0, atMost.entries);
    const payloads = await this.entries.payloads(
      tx,
      found.map(({ id }) => id),
    );
    let bytes = 0;
    const leaves = found.filter(({ id }, at) => {
      bytes += JSON.stringify(payloads.get(id)?.payload ?? null).length;
      return at === 0 || bytes <= atMost.bytes;
    });
    const events = leaves.flatMap((leaf) => {
      const found = this.entries.of(tx).find(({ entry }) => entry.id === leaf.id)?.entry;
      if (found === undefined) return [];
      const { id, occurredAt, level, action, actor, subject, within } = found;
      const payload = payloads.get(id)?.payload ?? null;
      return [{ id, occurredAt, level, action, actor, subject, within, payload }];
    });
    const last = leaves.at(-1);
    return {
      events,
      end: last === undefined ? position : { epoch: last.epoch, index: last.index + 1 },
      more: found.length === atMost.entries || leaves.length < found.length,
    };
  }

  move(tx: Tx, id: LogFollowerId, position: LogPosition, atOnce: number): Promise<void> {
    return this.#change(tx, id, { position, atOnce, failures: 0 });
  }

  async failed(tx: Tx, id: LogFollowerId): Promise<number> {
    const failures = (this.#rows.of(tx).get(id)?.failures ?? 0) + 1;
    await this.#change(tx, id, { failures, atOnce: 1 });
    return failures;
  }

  postpone(tx: Tx, id: LogFollowerId, notBefore: number): Promise<void> {
    return this.#change(tx, id, { notBefore });
  }

  async grown(tx: Tx, { epoch, size }: { epoch: number; size: number }): Promise<void> {
    for (const row of this.of(tx)) {
      const behindSince = isBehind(row) ? row.behindSince : this.database.now;
      await this.#change(tx, row.id, { head: { epoch, index: size }, behindSince });
      if (!row.byLoop) await this.jobs.enqueue(tx, 'log.follow', row.id);
    }
  }

  of(tx: Pick<Tx, 'tenantId'>): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }

  /** The followers of a tenant that have entries before them. */
  due(tx: Pick<Tx, 'tenantId'>): readonly LogFollowerId[] {
    return this.of(tx)
      .filter((row) => !row.byLoop && isBehind(row) && row.notBefore <= this.database.now)
      .map(({ id }) => id);
  }

  /** Whether an exporter has entries before it, or has not begun. */
  exports(tx: Pick<Tx, 'tenantId'>, name: string): boolean {
    const row = this.of(tx).find((each) => each.name === name);
    return row === undefined || (isBehind(row) && row.notBefore <= this.database.now);
  }

  /** The end of the newest tree. */
  #head(tx: Tx): LogPosition {
    const epoch = this.epochOf(tx) ?? 1;
    const last = this.tree.leaves(tx).findLast((leaf) => leaf.epoch === epoch);
    return { epoch, index: last === undefined ? 0 : last.index + 1 };
  }

  #add(tx: Tx, name: string, position: LogPosition, head: LogPosition, byLoop: boolean): LogFollowerId {
    const id = newId<LogFollowerId>();
    const { now } = this.database;
    const started = { failures: 0, atOnce: FULL_TURN, notBefore: now, behindSince: now };
    this.#rows.of(tx).set(id, { id, name, position, head, byLoop, ...started });
    return id;
  }

  #change(tx: Tx, id: LogFollowerId, changes: Partial<Row>): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row !== undefined) this.#rows.of(tx).set(id, { ...row, ...changes });
    return Promise.resolve();
  }
}
