import { MoreThan } from 'typeorm';
import { rowsOf } from '#lib/database';
import type { EnvironmentId, Tx } from '#lib/kernel';
import type { EnvironmentRepository } from '../application/tenancy.ports.js';
import type { Environment } from '../domain/environment.js';
import { environmentEntity } from './tenancy.entity.js';

/** Environments in PostgreSQL. */
export class TypeormEnvironmentRepository implements EnvironmentRepository {
  insert(tx: Tx, environment: Environment): Promise<boolean> {
    return rowsOf(tx, environmentEntity).insertUnless(['name'], environment);
  }

  byId(tx: Tx, id: EnvironmentId): Promise<Environment | null> {
    return rowsOf(tx, environmentEntity).findOne({ id });
  }

  byName(tx: Tx, name: string): Promise<Environment | null> {
    return rowsOf(tx, environmentEntity).findOne({ name });
  }

  lock(tx: Tx, id: EnvironmentId): Promise<Environment | null> {
    return rowsOf(tx, environmentEntity).findOne({ id }, { lock: 'update' });
  }

  async save(tx: Tx, { id, production, version, updatedAt }: Environment): Promise<void> {
    await rowsOf(tx, environmentEntity).update({ id }, { production, version, updatedAt });
  }

  list(
    tx: Tx,
    { limit, afterName }: { readonly limit: number; readonly afterName: string | null },
  ): Promise<readonly Environment[]> {
    const where = afterName === null ? {} : { name: MoreThan(afterName) };
    return rowsOf(tx, environmentEntity).find(where, { order: { name: 'asc' }, limit });
  }

  async names(tx: Tx): Promise<readonly string[]> {
    const environments = await rowsOf(tx, environmentEntity).find({}, { order: { name: 'asc' } });
    return environments.map(({ name }) => name);
  }
}
