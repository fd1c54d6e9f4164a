import { Not } from 'typeorm';
import { lockName, managerOf, rowsOf, sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { WrappedBytes, SecretMetadata, SecretRepository, StoredSecret } from '../application/tenancy.ports.js';
import type { SecretBinding } from '../domain/secret-binding.js';
import type { SecretReference } from '../domain/secret-reference.js';
import { secretBindingEntity, secretEntity } from './tenancy.entity.js';

const BOUND = secretBindingEntity.as('bound');
const SECRET = secretEntity.as('secret');

/** Secrets and their bindings in PostgreSQL. */
export class SqlSecretRepository implements SecretRepository {
  async lockName(tx: Tx, name: string): Promise<number> {
    // There may be no row to lock yet, so the name itself is locked, until the transaction ends.
    await lockName(tx, `secret:${tx.tenantId}:${name}`);
    const newest = await managerOf(tx).maximum(secretEntity, 'version', { tenantId: tx.tenantId, name });
    return newest ?? 0;
  }

  insert(tx: Tx, secret: StoredSecret & { readonly createdAt: number; readonly createdBy: string }): Promise<void> {
    return rowsOf(tx, secretEntity).insert(secret);
  }

  find(tx: Tx, { name, version }: SecretReference): Promise<StoredSecret | null> {
    return rowsOf(tx, secretEntity).findOne({ name, version });
  }

  async list(
    tx: Tx,
    { limit, after }: { readonly limit: number; readonly after: SecretReference | null },
  ): Promise<readonly SecretMetadata[]> {
    const rows = await sqlOf(tx).query<SecretBinding | { readonly purpose: null }>(
      `select ${METADATA.columns('secret')}, ${BINDING.columns('bound')}
         from secret left join secret_binding bound on bound.tenant_id = secret.tenant_id and ${BOUND.secretName} = ${SECRET.name}
        where secret.tenant_id = $1 and ($2::text is null or (${SECRET.name}, ${SECRET.version}) > ($2, $3::integer))
          order by ${SECRET.name}, ${SECRET.version} limit $4`,
      [tx.tenantId, after?.name ?? null, after?.version ?? null, limit],
    );
    return rows.map((row) => {
      const { name, version, keyId, createdAt, createdBy } = METADATA.row(row);
      return { name, version, keyId, createdAt, createdBy, binding: row.purpose === null ? null : bindingOf(row) };
    });
  }

  lockStale(tx: Tx, keyId: string, limit: number): Promise<readonly StoredSecret[]> {
    return rowsOf(tx, secretEntity).find({ keyId: Not(keyId) }, { order: { id: 'asc' }, limit, lock: 'update' });
  }

  async binding(tx: Tx, name: string): Promise<SecretBinding | null> {
    const row = await rowsOf(tx, secretBindingEntity).findOne({ secretName: name });
    return row === null ? null : bindingOf(row);
  }

  async saveBinding(tx: Tx, name: string, binding: SecretBinding | null, by: string, at: number): Promise<void> {
    const bindings = rowsOf(tx, secretBindingEntity);
    if (binding === null) await bindings.delete({ secretName: name });
    else
      await bindings.insertOrUpdate(
        ['secretName'],
        ['purpose', 'executors', 'environments', 'tools', 'updatedAt', 'updatedBy'],
        { secretName: name, ...binding, updatedAt: at, updatedBy: by },
      );
  }

  async reseal(tx: Tx, id: string, { keyId, nonce, ciphertext }: WrappedBytes): Promise<void> {
    await rowsOf(tx, secretEntity).update({ id }, { keyId, nonce, ciphertext });
  }
}

const METADATA = secretEntity.pick('name', 'version', 'keyId', 'createdAt', 'createdBy');
const BINDING = secretBindingEntity.pick('purpose', 'executors', 'environments', 'tools');

const bindingOf = ({ purpose, executors, environments, tools }: SecretBinding): SecretBinding => ({
  purpose,
  executors,
  environments,
  tools,
});
