import type { VectorsWanted } from '#lib/embedder';
import type { UnitOfWork } from '#lib/kernel';
import { SqlPrecedentVectors } from './adapters/sql-precedent-vectors.js';
import { SqlPrecedents } from './adapters/sql-precedents.js';
import { FindPrecedents } from './application/find-precedents.js';
import type { Meanings, PrecedentMeanings } from './application/meaning.ports.js';
import type { Precedents } from './application/precedent.ports.js';

/** The stored precedents, and the vectors of their goals. */
export interface PrecedentRows {
  readonly precedents: Precedents;
  readonly vectors: PrecedentMeanings;
}

/** The ports of this library that read rows, over PostgreSQL. */
export const createPrecedentStore = (): PrecedentRows & { readonly vectors: VectorsWanted } => ({
  precedents: new SqlPrecedents(),
  vectors: new SqlPrecedentVectors(),
});

export interface PrecedentDeps {
  readonly uow: UnitOfWork;
  readonly rows: PrecedentRows;
  /** Without it, precedents are found by words and structure alone. */
  readonly meanings?: Meanings;
}

export function createPrecedents({ uow, rows: { precedents, vectors }, meanings }: PrecedentDeps) {
  const byMeaning = meanings === undefined ? null : { meanings, vectors };
  return { findPrecedents: new FindPrecedents(uow, precedents, byMeaning) };
}
