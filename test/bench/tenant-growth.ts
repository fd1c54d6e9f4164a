import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { digestOfToken, spellToken, TOKEN_BYTES } from '#lib/identity';
import { newId } from '#lib/kernel';
import { decidingServer, type DecidingServer } from './deciding-server.js';
import { figureOf, type Figure } from './figure.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 7;
const CALLS = 600;
const FEW = 10;
const MANY = 10_000;

/** Kept for what happened, not for what stands: a new tenant has none of it. */
const HAPPENED = /^(audit_|decision|idempotency|outbox|job|live_event)/;

/**
 * `tenant-growth`: p99 of a decided and audited call on an installation of 10,000 tenants, of which any may ask next, over
 * one of 10. Each has its own PostgreSQL and api, and the same call is asked of both in turn.
 */
export async function tenantGrowth(): Promise<readonly Figure[]> {
  const many = await decidingServer();
  try {
    const few = await decidingServer();
    try {
      return await measure(callOfAny(many, await multiply(many, MANY)), callOfAny(few, await multiply(few, FEW)));
    } finally {
      await few.stop();
    }
  } finally {
    await many.stop();
  }
}

type Call = () => Promise<void>;

async function measure(many: Call, few: Call): Promise<readonly Figure[]> {
  for (let call = 0; call < CALLS; call += 1) {
    await many();
    await few();
  }
  const [p99, median]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b]: [number[], number[]] = [[], []];
    for (let call = 0; call < CALLS; call += 1) {
      a.push(await timeOf(many));
      b.push(await timeOf(few));
    }
    const [ours, theirs] = [spreadOf(a), spreadOf(b)];
    p99.push(ours.p99 / theirs.p99);
    median.push(ours.median / theirs.median);
  }
  return [figureOf('tenant-growth', p99), figureOf('tenant-growth/median', median)];
}

/** Asks for one tenant after another, none twice before all have asked. */
function callOfAny(server: DecidingServer, tokens: readonly string[]): Call {
  let next = 0;
  return () => server.ask(tokens[next++ % tokens.length] ?? '');
}

/** Makes the one tenant many, row by row, and leaves each an agent's token. */
async function multiply({ postgres, token }: DecidingServer, tenants: number): Promise<readonly string[]> {
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
      tokens.map(digestOfToken),
    ]);
    const { rows } = await admin.query<{ name: string; columns: string[] }>(
      `select table_name as name, array_agg(column_name::text) filter (where is_identity = 'NO' and is_generated = 'NEVER') as columns
         from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE'
        group by table_name having bool_or(column_name = 'tenant_id') or table_name = 'tenant'`,
    );
    for (const { name, columns } of rows) if (!HAPPENED.test(name)) await copyRows(admin, name, columns, token);
    await admin.query('reset session_replication_role');
    await admin.query('vacuum analyze');
    return [token, ...tokens];
  } finally {
    await admin.end();
  }
}

/** Every row of a table once more for each copy; of credentials only that of the agent, with a digest of the copy's own. */
async function copyRows(admin: Client, table: string, columns: readonly string[], token: string): Promise<void> {
  const own: Readonly<Record<string, string>> = { tenant_id: 'copy.tenant_id', token_digest: 'copy.token_digest' };
  const ofTenant: Readonly<Record<string, string>> = { id: 'copy.tenant_id', slug: 'copy.slug' };
  const values = columns.map((column) => (table === 'tenant' ? ofTenant : own)[column] ?? `"${column}"`);
  const source = columns.includes('token_digest') ? `(select * from ${table} where token_digest = $1)` : table;
  const parameters = columns.includes('token_digest') ? [digestOfToken(token)] : [];
  await admin.query(
    `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')})
     select ${values.map((value) => (value.startsWith('copy.') ? value : `source.${value}`)).join(', ')}
       from ${source} source cross join copy`,
    parameters,
  );
}
