import type { EnvironmentId, PersonId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import type { SampleEnvironment } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { SameAudience } from '../domain/executor-document.js';
import type { ExecutorRecord, StoredExecutor } from '../domain/tool-version.js';
import type { ExecutorRepository } from './tool.ports.js';

/** One version of an executor, in the order in which they were saved. */
interface Kept {
  readonly environmentId: EnvironmentId;
  readonly record: ExecutorRecord;
  readonly updatedAt: number;
}

/** Keeps executors in memory. */
export class FakeExecutorRepository implements ExecutorRepository {
  readonly #versions: FakeTable<Kept>;

  /** @param environments their names are known; of any other it gives the id. */
  constructor(
    database: FakeUnitOfWork,
    private readonly environments: readonly Pick<SampleEnvironment, 'id' | 'name'>[] = [],
  ) {
    this.#versions = new FakeTable(database);
  }

  resolveMany(
    tx: Tx,
    environmentId: EnvironmentId,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, ExecutorRecord>> {
    const found = this.#current(tx).filter((kept) => kept.environmentId === environmentId);
    const wanted = found.filter(({ record }) => names.includes(record.name));
    return Promise.resolve(new Map(wanted.map(({ record }) => [record.name, record])));
  }

  asBound(
    tx: Tx,
    environmentId: EnvironmentId,
    { name, digest }: { readonly name: string; readonly digest: string },
  ): Promise<ExecutorRecord | null> {
    const kept = [...this.#versions.of(tx).values()].findLast(
      (version) =>
        version.environmentId === environmentId && version.record.name === name && version.record.digest === digest,
    );
    return Promise.resolve(kept?.record ?? null);
  }

  list(tx: Tx, environmentId: EnvironmentId): Promise<readonly StoredExecutor[]> {
    const found = this.#current(tx).filter((kept) => kept.environmentId === environmentId);
    return Promise.resolve(
      found.map(({ record, updatedAt }) => ({ ...record, updatedAt })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }

  async lock(tx: Tx, environmentId: EnvironmentId, name: string): Promise<StoredExecutor | null> {
    return (await this.list(tx, environmentId)).find((one) => one.name === name) ?? null;
  }

  withAudience(tx: Tx, audience: string, besides: EnvironmentId): Promise<readonly SameAudience[]> {
    const found = this.#current(tx)
      .filter((kept) => kept.record.audience === audience && kept.environmentId !== besides)
      .map(({ record, environmentId }) => ({
        name: record.name,
        environment: this.environments.find(({ id }) => id === environmentId)?.name ?? environmentId,
        sharedAudience: record.sharedAudience,
      }));
    const key = ({ environment, name }: SameAudience): string => `${environment} ${name}`;
    return Promise.resolve(found.sort((a, b) => (key(a) < key(b) ? -1 : 1)));
  }

  save(
    tx: Tx,
    environmentId: EnvironmentId,
    record: ExecutorRecord,
    _createdBy: PersonId,
    updatedAt: number,
  ): Promise<void> {
    const versions = this.#versions.of(tx);
    const key = `${record.id} ${String(record.version)}`;
    const taken = this.#current(tx).some(
      (kept) =>
        kept.environmentId === environmentId && kept.record.name === record.name && kept.record.id !== record.id,
    );
    if (taken || versions.has(key))
      throw new FakeRefusal('23505', taken ? 'executor_name_key' : 'executor_version_version_key');
    versions.set(key, { environmentId, record, updatedAt });
    return Promise.resolve();
  }

  #current(tx: Tx): readonly Kept[] {
    return [...new Map([...this.#versions.of(tx).values()].map((kept) => [kept.record.id, kept])).values()];
  }
}
