import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { WrappedBytes, SecretMetadata, SecretRepository, StoredSecret } from '../application/tenancy.ports.js';
import type { SecretReference } from '../domain/secret-reference.js';

interface SecretRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly key_id: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

const select = 'select id, name, version, key_id, nonce, ciphertext from secret where tenant_id = $1';

export class TypeormSecretRepository implements SecretRepository {
  async lockName(tx: Tx, name: string): Promise<number> {
    // There may be no row to lock yet, so the name itself is locked, until the transaction ends.
    await sqlOf(tx).query("select pg_advisory_xact_lock(hashtextextended('secret:' || $1 || ':' || $2, 0))", [
      tx.tenantId,
      name,
    ]);
    const [row] = await sqlOf(tx).query<{ version: number | null }>(
      'select max(version) as version from secret where tenant_id = $1 and name = $2',
      [tx.tenantId, name],
    );
    return row?.version ?? 0;
  }

  async insert(
    tx: Tx,
    secret: StoredSecret & { readonly createdAt: number; readonly createdBy: string },
  ): Promise<void> {
    await sqlOf(tx).execute(
      `insert into secret (tenant_id, id, name, version, key_id, nonce, ciphertext, created_at, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        tx.tenantId,
        secret.id,
        secret.name,
        secret.version,
        secret.keyId,
        secret.nonce,
        secret.ciphertext,
        new Date(secret.createdAt),
        secret.createdBy,
      ],
    );
  }

  async find(tx: Tx, { name, version }: SecretReference): Promise<StoredSecret | undefined> {
    const [row] = await sqlOf(tx).query<SecretRow>(`${select} and name = $2 and version = $3`, [
      tx.tenantId,
      name,
      version,
    ]);
    return row && toStored(row);
  }

  async list(
    tx: Tx,
    page: { readonly limit: number; readonly after: SecretReference | null },
  ): Promise<readonly SecretMetadata[]> {
    const rows = await sqlOf(tx).query<{
      name: string;
      version: number;
      key_id: string;
      created_at: Date;
      created_by: string;
    }>(
      `select name, version, key_id, created_at, created_by from secret
        where tenant_id = $1 and ($2::text is null or (name, version) > ($2, $3::integer)) order by name, version limit $4`,
      [tx.tenantId, page.after?.name ?? null, page.after?.version ?? null, page.limit],
    );
    return rows.map((row) => ({
      name: row.name,
      version: row.version,
      keyId: row.key_id,
      createdAt: row.created_at.getTime(),
      createdBy: row.created_by,
    }));
  }

  async lockStale(tx: Tx, keyId: string, limit: number): Promise<readonly StoredSecret[]> {
    const rows = await sqlOf(tx).query<SecretRow>(`${select} and key_id <> $2 order by id limit $3 for update`, [
      tx.tenantId,
      keyId,
      limit,
    ]);
    return rows.map(toStored);
  }

  async reseal(tx: Tx, id: string, sealed: WrappedBytes): Promise<void> {
    await sqlOf(tx).execute(
      'update secret set key_id = $3, nonce = $4, ciphertext = $5 where tenant_id = $1 and id = $2',
      [tx.tenantId, id, sealed.keyId, sealed.nonce, sealed.ciphertext],
    );
  }
}

const toStored = (row: SecretRow): StoredSecret => ({
  id: row.id,
  name: row.name,
  version: row.version,
  keyId: row.key_id,
  nonce: row.nonce,
  ciphertext: row.ciphertext,
});
