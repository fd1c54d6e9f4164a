import type { UnitOfWork } from '#lib/kernel';
import { SqlPrecedentVectors } from './adapters/sql-precedent-vectors.js';
import { SqlPrecedents } from './adapters/sql-precedents.js';
import { FindPrecedents } from './application/find-precedents.js';
import type { Meanings } from './application/meaning.ports.js';

export interface PrecedentDeps {
  readonly uow: UnitOfWork;
  /** Without it, precedents are found by words and structure alone. */
  readonly meanings?: Meanings;
}

export function createPrecedents({ uow, meanings }: PrecedentDeps) {
  const vectors = new SqlPrecedentVectors();
  const byMeaning = meanings === undefined ? null : { meanings, vectors };
  return { findPrecedents: new FindPrecedents(uow, new SqlPrecedents(), byMeaning), vectors };
}
