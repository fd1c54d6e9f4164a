import { rowsOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { environmentEntity } from '#lib/tenancy';
import type { EnvironmentList, EnvironmentRow } from '../application/autonomy.ports.js';

/** Environments in PostgreSQL. */
export class TypeormEnvironmentList implements EnvironmentList {
  async all(tx: Tx): Promise<readonly EnvironmentRow[]> {
    const environments = await rowsOf(tx, environmentEntity).find({}, { order: { name: 'asc' } });
    return environments.map(({ id, name, production, version }) => ({ id, name, production, version }));
  }
}
