import { hash as digestOf } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { v7 } from 'uuid';
import type { TenantId } from '#lib/kernel';
import { ENTRY_FORMAT, entryLeafBytes, payloadDigest, type EntryHeader } from '#lib/verifier';
import { nativeNodeHash, nativeSha256 } from '../../libs/evidence/audit/src/application/native-sha256.js';
import { coverOf, grow, type TreeNode } from '../../libs/evidence/audit/src/domain/merkle-tree.js';

/** Entries of one plan, a second apart. */
export const PLAN_ENTRIES = 50;
const AGENTS = 1_000;
const ACTIONS = ['plan.submitted', 'review.submitted', 'run.step_dispatched'];
const PAYLOAD = '{"outcome":"allow","tool":"query_assets@1"}';
const SALT = nativeSha256(Buffer.from('salt'));
const DIGEST = payloadDigest(SALT, PAYLOAD);
/** Rows that are sent at a time. */
const BATCH = 1_000;

const COLUMNS = {
  audit_entry:
    'tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence, payload_digest, salt, payload, occurred_at',
  audit_leaf: 'tenant_id, epoch, leaf_index, entry_id, leaf_hash',
  audit_node: 'tenant_id, epoch, level, node_index, hash',
};
type Table = keyof typeof COLUMNS;

/**
 * Loads entries of plans with fifty each, by a thousand agents, and the tree over them, by COPY. Before it, the tenant has one entry
 * with its leaf. The tables have no indexes meanwhile, as in a restore from a dump.
 *
 * @param url of the superuser.
 */
export async function loadLog(url: string, tenantId: TenantId, entries: number): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    await addMonths(admin, entries);
    const indexes = await indexesOf(admin);
    for (const { drop } of indexes) await admin.query(drop);
    await copyLog(url, tenantId, entries, await firstLeaf(admin, tenantId));
    await admin.query(
      `insert into audit_checkpoint (tenant_id, epoch, tree_size, root_hash, note, key_name, signed_at)
       select tenant_id, epoch, $2, root_hash, note, key_name, signed_at from audit_checkpoint where tenant_id = $1`,
      [tenantId, entries + 1],
    );
    await admin.query("set maintenance_work_mem = '512MB'");
    for (const { make } of indexes) await admin.query(make);
    // As autovacuum does in a log that grows. A loaded row is written once more by its first reader, until it is vacuumed.
    await admin.query('vacuum analyze');
  } finally {
    await admin.end();
  }
}

/** The partitions of the months before this one, which the log would have made while it grew (ADR 22). */
async function addMonths(admin: Client, entries: number): Promise<void> {
  await admin.query('set role countersign_owner');
  await admin.query(
    `select countersign_add_partition(
              'audit_entry',
              to_char(month, 'YYYY_MM'),
              format('for values from (%L) to (%L)',
                     countersign_first_id(month at time zone 'UTC'),
                     countersign_first_id((month + interval '1 month') at time zone 'UTC')))
       from generate_series(date_trunc('month', to_timestamp($1) at time zone 'UTC'),
                            date_trunc('month', now() at time zone 'UTC') - interval '1 day',
                            interval '1 month') as month`,
    [Date.now() / 1_000 - entries],
  );
  await admin.query('reset role');
}

/** The statements that drop the indexes of the tables, and that make them again on a table and its partitions. */
async function indexesOf(admin: Client): Promise<readonly { readonly drop: string; readonly make: string }[]> {
  const { rows } = await admin.query<{ drop: string; make: string }>(
    `select coalesce('alter table ' || x.indrelid::regclass || ' drop constraint ' || quote_ident(k.conname),
                     'drop index ' || x.indexrelid::regclass) as drop,
            coalesce('alter table ' || x.indrelid::regclass || ' add constraint ' || quote_ident(k.conname) || ' ' ||
                     pg_get_constraintdef(k.oid),
                     replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')) as make
       from pg_index x left join pg_constraint k on k.conindid = x.indexrelid and k.contype in ('p', 'u')
      where x.indrelid = any($1::text[]::regclass[])`,
    [Object.keys(COLUMNS)],
  );
  return rows;
}

async function firstLeaf(admin: Client, tenantId: TenantId): Promise<TreeNode> {
  const { rows } = await admin.query<{ leaf_hash: Buffer }>('select leaf_hash from audit_leaf where tenant_id = $1', [
    tenantId,
  ]);
  const [leaf] = rows;
  if (leaf === undefined) throw new Error('The log has no leaf yet.');
  return { level: 0, index: 0, hash: leaf.leaf_hash };
}

/** Each table has a connection of its own, since all three grow together. */
async function copyLog(url: string, tenantId: TenantId, entries: number, first: TreeNode): Promise<void> {
  const clients: Client[] = [];
  const copyInto = async (table: Table): Promise<Writable> => {
    // Triggers and foreign keys do not act, as in a restore.
    const client = new Client({ connectionString: url, options: '-c session_replication_role=replica' });
    clients.push(client);
    await client.connect();
    return client.query(copyFrom(`copy ${table} (${COLUMNS[table]}) from stdin`));
  };
  try {
    const [entry, leaf, node] = [
      await copyInto('audit_entry'),
      await copyInto('audit_leaf'),
      await copyInto('audit_node'),
    ];
    const streams = [entry, leaf, node];
    const copied = streams.map((stream) => finished(stream));
    const send = async (): Promise<void> => {
      for (const rows of logOf(tenantId, entries, first)) {
        await Promise.all([write(entry, rows.entries), write(leaf, rows.leaves), write(node, rows.nodes)]);
      }
      for (const stream of streams) stream.end();
    };
    await Promise.all([send(), ...copied]);
  } finally {
    for (const client of clients) await client.end();
  }
}

/** Waits as long as PostgreSQL has not taken the rows before. */
async function write(stream: Writable, rows: readonly string[]): Promise<void> {
  if (!stream.write(rows.join(''))) await once(stream, 'drain');
}

interface Rows {
  readonly entries: readonly string[];
  readonly leaves: readonly string[];
  readonly nodes: readonly string[];
}

/** The rows of the log, a batch at a time. Entries are a second apart, up to now. Nodes come with the leaf that completes them. */
function* logOf(tenantId: TenantId, entries: number, first: TreeNode): Generator<Rows> {
  let size = 1;
  let cover: readonly TreeNode[] = [first];
  for (const headers of headersOf(tenantId, entries)) {
    const leaves = headers.map((header, at) => {
      const hash = nativeSha256(entryLeafBytes(header));
      return { level: 0, index: size + at, hash, entryId: header.id };
    });
    const hashes = leaves.map((leaf) => leaf.hash);
    const growth = grow(size, cover, hashes, nativeNodeHash);
    yield {
      entries: headers.map(entryRow),
      leaves: leaves.map((leaf) => row(tenantId, 1, leaf.index, leaf.entryId, bytea(leaf.hash))),
      nodes: growth.nodes.map((node) => row(tenantId, 1, node.level, node.index, bytea(node.hash))),
    };
    ({ size } = growth);
    const known = [...cover, ...leaves, ...growth.nodes];
    cover = coverOf({ start: 0, end: size }).flatMap(
      (at) => known.findLast(({ level, index }) => level === at.level && index === at.index) ?? [],
    );
  }
}

function* headersOf(tenantId: TenantId, entries: number): Generator<readonly EntryHeader[]> {
  const oldest = Date.now() - entries * 1_000;
  const agents = Array.from({ length: AGENTS }, (_, n) => uuidOf(`agent${String(n)}`));
  const digest = `sha256:${Buffer.from(DIGEST).toString('hex')}`;
  let plan = '';
  const headerOf = (n: number): EntryHeader => {
    const msecs = oldest + n * 1_000;
    if (n % PLAN_ENTRIES === 0) plan = uuidOf(`plan${String(n / PLAN_ENTRIES)}`);
    return {
      format: ENTRY_FORMAT,
      tenant_id: tenantId,
      // Of the same moment, so that the entry is in the partition of its month.
      id: v7({ msecs }),
      occurred_at: new Date(msecs).toISOString(),
      level: 'full',
      action: ACTIONS[n % ACTIONS.length] ?? '',
      actor: {
        kind: 'agent',
        id: agents[n % AGENTS] ?? '',
        display_name: 'drift-bot',
        credential_id: null,
        on_behalf_of: null,
      },
      subject: { type: 'plan', id: plan },
      within: [{ type: 'plan', id: plan }],
      decision_id: null,
      evidence: [],
      payload_digest: digest,
    };
  };
  for (let start = 0; start < entries; start += BATCH) {
    yield Array.from({ length: Math.min(BATCH, entries - start) }, (_, at) => headerOf(start + at));
  }
}

/** The same id for the same text. */
const uuidOf = (text: string): string =>
  digestOf('md5', text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const entryRow = ({ actor, subject, within, evidence, ...entry }: EntryHeader): string =>
  row(
    ...[entry.tenant_id, entry.id, entry.level, entry.action, JSON.stringify(actor), subject.type, subject.id],
    ...[JSON.stringify(within), JSON.stringify(evidence), bytea(DIGEST), bytea(SALT), PAYLOAD, entry.occurred_at],
  );

/** A row in COPY's text format. No value has a tab, a line break or a backslash of its own. */
const row = (...values: readonly (string | number)[]): string => `${values.join('\t')}\n`;

const bytea = (bytes: Uint8Array): string => `\\\\x${Buffer.from(bytes).toString('hex')}`;
