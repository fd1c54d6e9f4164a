import { createHash } from 'node:crypto';
import type { Json } from '#lib/canonical';
import { digestOf, newId, type AutonomyRevisionId, type PersonId, type Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { readDocument } from '../domain/read-document.js';
import type { AutonomyInForce, AutonomyRepository, AutonomyRevision, NewAutonomyRevision } from './autonomy.ports.js';

/** A revision as PutAutonomy makes it. */
export function sampleRevision(
  source: string,
  { number = 1, createdAt = Date.UTC(2026, 0, 5, 8), createdBy = newId<PersonId>() } = {},
): NewAutonomyRevision {
  const read = readDocument(source);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const { document } = read.value;
  return {
    revisionId: newId<AutonomyRevisionId>(),
    number,
    document,
    digest: digestOf('autonomy', document as Json),
    source,
    sourceSha256: createHash('sha256').update(source, 'utf8').digest('hex'),
    createdAt,
    createdBy,
  };
}

/** Keeps autonomy documents in memory, by number. */
export class FakeAutonomyRepository implements AutonomyRepository {
  readonly #revisions: FakeTable<NewAutonomyRevision>;

  constructor(database: FakeUnitOfWork) {
    this.#revisions = new FakeTable(database);
  }

  current(tx: Tx): Promise<AutonomyInForce | null> {
    const newest = this.#newestFirst(tx)[0];
    if (newest === undefined) return Promise.resolve(null);
    const { revisionId, number, document, digest } = newest;
    return Promise.resolve({ revisionId, number, document, digest });
  }

  lockForChange(tx: Tx): Promise<AutonomyRevision | null> {
    return this.inForce(tx);
  }

  inForce(tx: Tx): Promise<AutonomyRevision | null> {
    return Promise.resolve(this.#newestFirst(tx).map(named)[0] ?? null);
  }

  find(tx: Tx, number: number): Promise<AutonomyRevision | null> {
    const found = this.#revisions.of(tx).get(String(number));
    return Promise.resolve(found === undefined ? null : named(found));
  }

  findMany(tx: Tx, ids: readonly AutonomyRevisionId[]): Promise<readonly AutonomyRevision[]> {
    const found = [...this.#revisions.of(tx).values()].filter(({ revisionId }) => ids.includes(revisionId));
    return Promise.resolve(found.map(named));
  }

  inForceAt(tx: Tx, at: number): Promise<AutonomyRevision | null> {
    const then = this.#newestFirst(tx).find(({ createdAt }) => createdAt <= at);
    return Promise.resolve(then === undefined ? null : named(then));
  }

  list(
    tx: Tx,
    { before, limit }: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly AutonomyRevision[]> {
    const wanted = this.#newestFirst(tx).filter(({ number }) => before === null || number < before);
    return Promise.resolve(wanted.slice(0, limit).map(named));
  }

  put(tx: Tx, revision: NewAutonomyRevision): Promise<void> {
    const [newest] = this.#newestFirst(tx);
    if (this.#revisions.of(tx).has(String(revision.number)))
      throw new FakeRefusal('23505', 'autonomy_revision_number_key');
    if (newest !== undefined && newest.number > revision.number)
      throw new FakeRefusal('CS001', 'the newest revision alone is in force');
    this.#revisions.of(tx).set(String(revision.number), revision);
    return Promise.resolve();
  }

  #newestFirst(tx: Tx): NewAutonomyRevision[] {
    return [...this.#revisions.of(tx).values()].sort((a, b) => b.number - a.number);
  }
}

const named = (revision: NewAutonomyRevision): AutonomyRevision => ({
  ...revision,
  createdByName: `name of ${revision.createdBy}`,
});
