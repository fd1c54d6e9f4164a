import type { EnvironmentId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import type { SampleEnvironment, SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Environment } from '../domain/environment.js';
import type { EnvironmentRepository } from './tenancy.ports.js';

const AT = Date.UTC(2026, 0, 5, 8);

/** An environment with its times. */
export const environmentOf = (sample: SampleEnvironment): Environment => ({ ...sample, createdAt: AT, updatedAt: AT });

/** Keeps environments in memory. */
export class FakeEnvironmentRepository implements EnvironmentRepository {
  readonly #environments: FakeTable<Environment>;

  /** @param tenants their environments exist from the beginning. */
  constructor(database: FakeUnitOfWork, tenants: readonly SampleTenant[] = []) {
    this.#environments = new FakeTable(database);
    for (const { production, staging, ...tenant } of tenants)
      for (const sample of [production, staging]) this.#environments.of(tenant).set(sample.id, environmentOf(sample));
  }

  async insert(tx: Tx, environment: Environment): Promise<boolean> {
    if (await this.byName(tx, environment.name)) return false;
    if (await this.byId(tx, environment.id)) throw new FakeRefusal('23505', 'environment_pk');
    this.#environments.of(tx).set(environment.id, environment);
    return true;
  }

  byId(tx: Tx, id: EnvironmentId): Promise<Environment | null> {
    return Promise.resolve(this.#environments.of(tx).get(id) ?? null);
  }

  byName(tx: Tx, name: string): Promise<Environment | null> {
    return Promise.resolve(this.#byName(tx).find((environment) => environment.name === name) ?? null);
  }

  lock(tx: Tx, id: EnvironmentId): Promise<Environment | null> {
    return this.byId(tx, id);
  }

  async save(tx: Tx, { id, production, version, updatedAt }: Environment): Promise<void> {
    const kept = await this.byId(tx, id);
    if (kept !== null) this.#environments.of(tx).set(id, { ...kept, production, version, updatedAt });
  }

  list(
    tx: Tx,
    { limit, afterName }: { readonly limit: number; readonly afterName: string | null },
  ): Promise<readonly Environment[]> {
    const after = this.#byName(tx).filter(({ name }) => afterName === null || name > afterName);
    return Promise.resolve(after.slice(0, limit));
  }

  names(tx: Tx): Promise<readonly string[]> {
    return Promise.resolve(this.#byName(tx).map(({ name }) => name));
  }

  #byName(tx: Tx): readonly Environment[] {
    return [...this.#environments.of(tx).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
