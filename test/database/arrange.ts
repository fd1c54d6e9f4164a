import { sqlOf } from '#lib/database';
import { newId, type TenantId, type UnitOfWork } from '#lib/kernel';

/** A tenant with nothing in it. */
export async function makeTenant(uow: UnitOfWork, slug: string): Promise<TenantId> {
  const id = newId<TenantId>();
  await uow.run(id, (tx) =>
    sqlOf(tx).execute('insert into tenant (id, slug, name, created_at) values ($1, $2, $2, clock_timestamp())', [
      id,
      slug,
    ]),
  );
  return id;
}

/** The SQLSTATE that refuses the statement; a statement that passes fails the test. */
export async function refusalOf(statement: Promise<unknown>): Promise<string> {
  try {
    await statement;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
      return error.code;
    throw error;
  }
  throw new Error('The statement was not refused.');
}
