import type { UnitOfWork } from '#lib/kernel';
import { SqlPrecedents } from './adapters/sql-precedents.js';
import { FindPrecedents } from './application/find-precedents.js';

export function createPrecedents({ uow }: { readonly uow: UnitOfWork }) {
  return { findPrecedents: new FindPrecedents(uow, new SqlPrecedents()) };
}
