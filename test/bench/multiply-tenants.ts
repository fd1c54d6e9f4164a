import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { spellToken, TOKEN_BYTES } from '#lib/identity';
import { newId, type AutonomyRevisionId, type RowSeals, type TenantId } from '#lib/kernel';
import { sealedRevision } from '../../libs/rules/autonomy/src/adapters/sealed-revision.js';
import { sealedCredential } from '../../libs/people/identity/src/adapters/sealed-credential.js';
import { keysOf } from './bench-installation.js';
import type { DecidingServer } from './deciding-server.js';

/** Tables of past events: a new tenant has no rows in them. */
const HAPPENED = /^(audit_|decision|idempotency|outbox|job|live_event)/;

/** Makes the one tenant many, row by row; the token of an agent of each, the first one's first. */
export async function multiply({ postgres, token, data }: DecidingServer, tenants: number): Promise<readonly string[]> {
  const { digests, seals } = await keysOf(data);
  const own = await digests.digest('credential', token);
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  try {
    const tokens = Array.from({ length: tenants - 1 }, () => spellToken('agent', randomBytes(TOKEN_BYTES), null));
    // Rows are copied without checks and triggers: the first tenant's rows passed them.
    await admin.query(`set session_replication_role = replica`);
    await admin.query('create temporary table copy (tenant_id uuid, slug text, token_digest bytea)');
    await admin.query('insert into copy select * from unnest($1::uuid[], $2::text[], $3::bytea[])', [
      tokens.map(() => newId()),
      tokens.map((_, index) => `bench-${String(index)}`),
      await Promise.all(tokens.map((one) => digests.digest('credential', one))),
    ]);
    const { rows } = await admin.query<{ name: string; columns: string[] }>(
      `select table_name as name, array_agg(column_name::text) filter (where is_identity = 'NO' and is_generated = 'NEVER') as columns
         from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE'
        group by table_name having bool_or(column_name = 'tenant_id') or table_name = 'tenant'`,
    );
    for (const { name, columns } of rows) if (!HAPPENED.test(name)) await copyRows(admin, name, columns, own);
    await sealAnew(admin, seals);
    await admin.query('reset session_replication_role');
    await admin.query('vacuum analyze');
    return [token, ...tokens];
  } finally {
    await admin.end();
  }
}

/** Every row of a table once more for each copy; of credentials only that of the agent, with a digest of the copy's own. */
async function copyRows(admin: Client, table: string, columns: readonly string[], digest: Uint8Array): Promise<void> {
  const own: Readonly<Record<string, string>> = { tenant_id: 'copy.tenant_id', token_digest: 'copy.token_digest' };
  const ofTenant = { id: 'copy.tenant_id', slug: 'copy.slug' };
  // A budget is held by the credential's id.
  const ofCredential = { ...own, id: 'copy.tenant_id' };
  const replaced: Readonly<Record<string, string>> =
    table === 'tenant' ? ofTenant : table === 'credential' ? ofCredential : own;
  const values = columns.map((column) => replaced[column] ?? `"${column}"`);
  const source = columns.includes('token_digest') ? `(select * from ${table} where token_digest = $1)` : table;
  const parameters = columns.includes('token_digest') ? [digest] : [];
  await admin.query(
    `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')})
     select ${values.map((value) => (value.startsWith('copy.') ? value : `source.${value}`)).join(', ')}
       from ${source} source cross join copy`,
    parameters,
  );
}

/**
 * A seal is good for one row of one tenant. So the sealed rows of a decision get a new one in each copy. Automations, webhooks
 * and hooks keep the first one's. A look for due work and a decided call read no seal of theirs.
 */
async function sealAnew(admin: Client, seals: RowSeals): Promise<void> {
  const documents = await admin.query<{
    tenant_id: TenantId;
    id: AutonomyRevisionId;
    number: number;
    document: string;
  }>('select tenant_id, id, number, document from autonomy_revision where tenant_id in (select tenant_id from copy)');
  await write(
    admin,
    'autonomy_revision',
    documents.rows,
    await Promise.all(documents.rows.map((row) => seals.seal(sealedRevision({ tenantId: row.tenant_id }, row)))),
  );
  const tokens = await admin.query<CredentialColumns>(
    `select tenant_id, id, kind, person_id as "personId", agent_id as "agentId", delegated_by as "delegatedBy", scopes, token_digest
       from credential where tenant_id in (select tenant_id from copy)`,
  );
  await write(
    admin,
    'credential',
    tokens.rows,
    await Promise.all(tokens.rows.map((row) => seals.seal(sealedCredential(row.tenant_id, row, row.token_digest)))),
  );
}

type CredentialColumns = Parameters<typeof sealedCredential>[1] & {
  readonly tenant_id: TenantId;
  readonly token_digest: Buffer;
};

async function write(
  admin: Client,
  table: string,
  rows: readonly { readonly tenant_id: string; readonly id: string }[],
  sealed: readonly string[],
): Promise<void> {
  await admin.query(
    `update ${table} t set seal = made.seal
       from unnest($1::uuid[], $2::uuid[], $3::text[]) made (tenant_id, id, seal)
      where t.tenant_id = made.tenant_id and t.id = made.id`,
    [rows.map(({ tenant_id: tenant }) => tenant), rows.map(({ id }) => id), sealed],
  );
}
