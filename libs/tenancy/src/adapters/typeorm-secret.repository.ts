import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { WrappedBytes, SecretMetadata, SecretRepository, StoredSecret } from '../application/tenancy.ports.js';
import type { SecretBinding, SecretPurpose } from '../domain/secret-binding.js';
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
    const rows = await sqlOf(tx).query<
      {
        name: string;
        version: number;
        key_id: string;
        created_at: Date;
        created_by: string;
      } & (BindingRow | NoBinding)
    >(
      `select name, version, key_id, created_at, created_by, purpose, executors, environments, tools
         from secret left join secret_binding bound on bound.tenant_id = secret.tenant_id and bound.secret_name = secret.name
        where secret.tenant_id = $1 and ($2::text is null or (name, version) > ($2, $3::integer)) order by name, version limit $4`,
      [tx.tenantId, page.after?.name ?? null, page.after?.version ?? null, page.limit],
    );
    return rows.map((row) => ({
      name: row.name,
      version: row.version,
      keyId: row.key_id,
      createdAt: row.created_at.getTime(),
      createdBy: row.created_by,
      binding: row.purpose === null ? null : bindingOf(row),
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

  async binding(tx: Tx, name: string): Promise<SecretBinding | null> {
    const [row] = await sqlOf(tx).query<BindingRow>(
      'select purpose, executors, environments, tools from secret_binding where tenant_id = $1 and secret_name = $2',
      [tx.tenantId, name],
    );
    return row === undefined ? null : bindingOf(row);
  }

  async saveBinding(tx: Tx, name: string, binding: SecretBinding | null, by: string, at: number): Promise<void> {
    if (binding === null) {
      await sqlOf(tx).execute('delete from secret_binding where tenant_id = $1 and secret_name = $2', [
        tx.tenantId,
        name,
      ]);
      return;
    }
    await sqlOf(tx).execute(
      `insert into secret_binding (tenant_id, secret_name, purpose, executors, environments, tools, updated_at, updated_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict on constraint secret_binding_pk do update set purpose = excluded.purpose, executors = excluded.executors,
         environments = excluded.environments, tools = excluded.tools, updated_at = excluded.updated_at,
         updated_by = excluded.updated_by`,
      [
        tx.tenantId,
        name,
        binding.purpose,
        [...binding.executors],
        [...binding.environments],
        [...binding.tools],
        new Date(at),
        by,
      ],
    );
  }

  async reseal(tx: Tx, id: string, sealed: WrappedBytes): Promise<void> {
    await sqlOf(tx).execute(
      'update secret set key_id = $3, nonce = $4, ciphertext = $5 where tenant_id = $1 and id = $2',
      [tx.tenantId, id, sealed.keyId, sealed.nonce, sealed.ciphertext],
    );
  }
}

interface BindingRow {
  readonly purpose: SecretPurpose;
  readonly executors: string[];
  readonly environments: string[];
  readonly tools: string[];
}

interface NoBinding {
  readonly purpose: null;
}

const bindingOf = ({ purpose, executors, environments, tools }: BindingRow): SecretBinding => ({
  purpose,
  executors,
  environments,
  tools,
});

const toStored = (row: SecretRow): StoredSecret => ({
  id: row.id,
  name: row.name,
  version: row.version,
  keyId: row.key_id,
  nonce: row.nonce,
  ciphertext: row.ciphertext,
});
