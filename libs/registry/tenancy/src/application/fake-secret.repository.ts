import type { Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { checkBinding, type SecretBinding } from '../domain/secret-binding.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { SecretMetadata, SecretRepository, StoredSecret, WrappedBytes } from './tenancy.ports.js';

type Row = StoredSecret & Omit<SecretMetadata, 'binding'>;

/** Keeps secrets in memory. */
export class FakeSecretRepository implements SecretRepository {
  readonly #secrets: FakeTable<Row>;
  readonly #bindings: FakeTable<SecretBinding>;

  constructor(database: FakeUnitOfWork) {
    this.#secrets = new FakeTable(database);
    this.#bindings = new FakeTable(database);
  }

  lockName(tx: Tx, name: string): Promise<number> {
    const versions = this.#sorted(tx).filter((row) => row.name === name);
    return Promise.resolve(Math.max(0, ...versions.map(({ version }) => version)));
  }

  async insert(tx: Tx, secret: Row): Promise<void> {
    if (this.#secrets.of(tx).has(secret.id)) throw new FakeRefusal('23505', 'secret_pk');
    if (await this.find(tx, secret)) throw new FakeRefusal('23505', 'secret_name_version_key');
    this.#secrets.of(tx).set(secret.id, secret);
  }

  find(tx: Tx, { name, version }: SecretReference): Promise<StoredSecret | null> {
    return Promise.resolve(this.#sorted(tx).find((row) => row.name === name && row.version === version) ?? null);
  }

  list(
    tx: Tx,
    { limit, after }: { readonly limit: number; readonly after: SecretReference | null },
  ): Promise<readonly SecretMetadata[]> {
    const rows = this.#sorted(tx).filter((row) => after === null || isBefore(after, row));
    return Promise.resolve(
      rows.slice(0, limit).map(({ name, version, keyId, createdAt, createdBy }) => {
        const binding = this.#bindings.of(tx).get(name) ?? null;
        return { name, version, keyId, createdAt, createdBy, binding };
      }),
    );
  }

  lockStale(tx: Tx, keyId: string, limit: number): Promise<readonly StoredSecret[]> {
    const stale = [...this.#secrets.of(tx).values()].filter((row) => row.keyId !== keyId);
    return Promise.resolve(stale.sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit));
  }

  reseal(tx: Tx, id: string, { keyId, nonce, ciphertext }: WrappedBytes): Promise<void> {
    const row = this.#secrets.of(tx).get(id);
    if (row !== undefined) this.#secrets.of(tx).set(id, { ...row, keyId, nonce, ciphertext });
    return Promise.resolve();
  }

  binding(tx: Tx, name: string): Promise<SecretBinding | null> {
    return Promise.resolve(this.#bindings.of(tx).get(name) ?? null);
  }

  saveBinding(tx: Tx, name: string, binding: SecretBinding | null): Promise<void> {
    if (binding === null) this.#bindings.of(tx).delete(name);
    else if (!checkBinding(binding).ok) return Promise.reject(new FakeRefusal('23514', 'secret_binding_use_check'));
    else this.#bindings.of(tx).set(name, binding);
    return Promise.resolve();
  }

  #sorted(tx: Tx): readonly Row[] {
    return [...this.#secrets.of(tx).values()].sort((one, other) => (isBefore(one, other) ? -1 : 1));
  }
}

const isBefore = (one: SecretReference, other: SecretReference): boolean =>
  one.name === other.name ? one.version < other.version : one.name < other.name;
