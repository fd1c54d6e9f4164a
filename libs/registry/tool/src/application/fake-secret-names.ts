import type { Tx } from '#lib/kernel';
import type { SecretBinding } from '#lib/tenancy';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { SecretNames } from './tool.ports.js';

/** Keeps the names of secrets in memory. */
export class FakeSecretNames implements SecretNames {
  readonly #secrets: FakeTable<SecretBinding | null>;

  constructor(database: FakeUnitOfWork) {
    this.#secrets = new FakeTable(database);
  }

  bindings(tx: Tx, references: readonly string[]): Promise<ReadonlyMap<string, SecretBinding | null>> {
    const known = [...this.#secrets.of(tx)].filter(([reference]) => references.includes(reference));
    return Promise.resolve(new Map(known));
  }

  /** @param reference `name@version`. */
  keep(tx: Pick<Tx, 'tenantId'>, reference: string, binding: SecretBinding | null = null): void {
    this.#secrets.of(tx).set(reference, binding);
  }
}
