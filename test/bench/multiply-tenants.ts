import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { spellToken, TOKEN_BYTES } from '#lib/identity';
import { newId } from '#lib/kernel';
import { digestsOf } from './bootstrap-token.js';
import type { DecidingServer } from './deciding-server.js';

/** Kept for what happened, not for what stands: a new tenant has none of it. */
const HAPPENED = /^(audit_|decision|idempotency|outbox|job|live_event)/;

/** Makes the one tenant many, row by row; the token of an agent of each, the first one's first. */
export async function multiply({ postgres, token, data }: DecidingServer, tenants: number): Promise<readonly string[]> {
  const digests = await digestsOf(data);
  const own = await digests.digest('credential', token);
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  try {
    const tokens = Array.from({ length: tenants - 1 }, () => spellToken('agent', randomBytes(TOKEN_BYTES)));
    // Rows are copied as they are: what would be checked or noticed of each was, of the first.
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
