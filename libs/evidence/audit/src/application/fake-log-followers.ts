import { newId, type AuditLevel, type JobQueue, type LogFollowerId, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { FakeAuditEntries } from './fake-audit-entries.js';
import type { FakeAuditTree } from './fake-audit-tree.js';
import { FULL_TURN } from './follow-log.js';
import type { FollowerAt, LogFollowers, LogPlace, LogStretch, StretchLimits } from './log-followers.port.js';

interface Row extends FollowerAt {
  readonly head: LogPlace;
  readonly notBefore: number;
  readonly failures: number;
}

const isBehind = ({ place, head }: Row): boolean =>
  place.epoch < head.epoch || (place.epoch === head.epoch && place.index < head.index);

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
    const epoch = this.epochOf(tx) ?? 1;
    const last = this.tree.leaves(tx).findLast((leaf) => leaf.epoch === epoch);
    const place = { epoch, index: last === undefined ? 0 : last.index + 1 };
    const id = newId<LogFollowerId>();
    this.#rows
      .of(tx)
      .set(id, { id, name, place, head: place, notBefore: this.database.now, failures: 0, atOnce: FULL_TURN });
    return Promise.resolve();
  }

  end(tx: Tx, name: string): Promise<void> {
    for (const { id, name: kept } of this.of(tx)) if (kept === name) this.#rows.of(tx).delete(id);
    return Promise.resolve();
  }

  take(tx: Tx, id: LogFollowerId): Promise<FollowerAt | null> {
    const row = this.#rows.of(tx).get(id);
    return Promise.resolve(row === undefined ? null : { id, name: row.name, place: row.place, atOnce: row.atOnce });
  }

  async after(tx: Tx, place: LogPlace, atMost: StretchLimits): Promise<LogStretch> {
    const found = this.tree
      .leaves(tx)
      .filter(({ epoch, index }) => epoch > place.epoch || (epoch === place.epoch && index >= place.index))
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
      return [{ id, occurredAt, level: level as AuditLevel, action, actor, subject, within, payload }];
    });
    const last = leaves.at(-1);
    return {
      events,
      end: last === undefined ? place : { epoch: last.epoch, index: last.index + 1 },
      more: found.length === atMost.entries || leaves.length < found.length,
    };
  }

  move(tx: Tx, id: LogFollowerId, place: LogPlace, atOnce: number): Promise<void> {
    return this.#change(tx, id, { place, atOnce, failures: 0 });
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
    for (const { id } of this.of(tx)) {
      await this.#change(tx, id, { head: { epoch, index: size } });
      await this.jobs.enqueue(tx, 'log.follow', id);
    }
  }

  of(tx: Pick<Tx, 'tenantId'>): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }

  /** The followers of a tenant that have entries before them. */
  due(tx: Pick<Tx, 'tenantId'>): readonly LogFollowerId[] {
    return this.of(tx)
      .filter((row) => isBehind(row) && row.notBefore <= this.database.now)
      .map(({ id }) => id);
  }

  #change(tx: Tx, id: LogFollowerId, changes: Partial<Row>): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row !== undefined) this.#rows.of(tx).set(id, { ...row, ...changes });
    return Promise.resolve();
  }
}
