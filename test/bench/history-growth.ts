import { Client } from 'pg';
import type { AuditLog } from '#lib/audit';
import { sqlOf } from '#lib/database';
import { newId, type AuditEntryId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { ENTRY_FORMAT, entryLeafHash, verifyInclusion } from '#lib/verifier';
import { onBenchDatabase } from './bench-database.js';
import { benchInstallation } from './bench-installation.js';
import { measurementOf, type Measurement } from './measurement.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 7;
const CALLS = 400;
const WARM_UP = 200;
const SHORT = 1_000;
/** COUNTERSIGN_BENCH_ENTRIES gives another number, for a short run: ten million entries take minutes to load. */
const LONG = Number(process.env.COUNTERSIGN_BENCH_ENTRIES ?? 10_000_000);
const PAGE = 50;
const SAMPLED = 500;

/**
 * `history-growth`: p99 in a log of 10^7 entries over one of 10^3: of appending an entry; of reading a page (of a moment anywhere in
 * the log, and of a plan); and of an entry with its proof. Each log is in a PostgreSQL of its own that commits
 * durably, and the calls are made in turn. Every proof is verified, every page is counted.
 */
export async function historyGrowth(): Promise<readonly Measurement[]> {
  const long = await history(LONG);
  try {
    const short = await history(SHORT);
    try {
      return [
        await measure('append', long.append, short.append),
        await measure('list', long.list, short.list),
        await measure('proof', long.prove, short.prove),
      ];
    } finally {
      await short.stop();
    }
  } finally {
    await long.stop();
  }
}

type Call = () => Promise<void>;

async function measure(name: string, long: Call, short: Call): Promise<Measurement> {
  for (let call = 0; call < WARM_UP; call += 1) {
    await long();
    await short();
  }
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b]: [number[], number[]] = [[], []];
    for (let call = 0; call < CALLS; call += 1) {
      a.push(await timeOf(long));
      b.push(await timeOf(short));
    }
    ratios.push(spreadOf(a).p99 / spreadOf(b).p99);
  }
  return measurementOf(`history-growth/${name}`, ratios);
}

interface History {
  readonly append: Call;
  readonly list: Call;
  readonly prove: Call;
  stop(): Promise<void>;
}

/** A log of one tenant with this many entries, all of them sequenced and signed. */
const history = (entries: number): Promise<History> =>
  onBenchDatabase(async ({ directory, postgres, url, stop }, started) => {
    const limits = { statementMs: 600_000, lockMs: 5_000, idleMs: 30_000 };
    const { database, audit } = await benchInstallation(url, directory, { poolSize: 2, limits });
    started(() => database.close());
    const { uow } = database;
    const { log } = audit;
    const tenantId = newId<TenantId>();
    const one = (): Promise<unknown> => append(uow, log, tenantId);
    const sequence = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        await log.backlog.settle();
        for (const waiting of await log.backlog.unsequenced()) await log.sequence.execute(waiting.tenantId);
      }
    };
    // The first entry makes epoch and key, the last one a signed checkpoint over all that was loaded between.
    await one();
    await sequence();
    await asAdmin(postgres.adminUrl, (admin) => load(admin, tenantId, entries));
    await one();
    await sequence();
    // As autovacuum does in a log that grows. A loaded row is written once more by its first reader, until it is vacuumed.
    await asAdmin(postgres.adminUrl, (admin) => admin.query('vacuum analyze'));
    return { ...(await callsOf(uow, log, tenantId)), stop };
  });

const append = (uow: UnitOfWork, log: AuditLog, tenantId: TenantId): Promise<void> =>
  uow.run(tenantId, (tx) =>
    log.sink.record(tx, {
      action: 'tool_call.decided',
      actor: { kind: 'agent', id: newId(), display_name: 'drift-bot', credential_id: null, on_behalf_of: null },
      level: 'full',
      subject: { type: 'tool_call', id: newId() },
      payload: { tool: 'query_assets@1', outcome: 'allow' },
    }),
  );

/** The tables that the load fills. Their indexes are dropped meanwhile, as in a restore from a dump. */
const LOADED = ['audit_entry', 'audit_leaf', 'audit_node'];

/**
 * Loads entries of plans with fifty each, by a thousand agents, and the tree over them. It does so in bulk in the database
 * itself. The text under a leaf's hash is the verifier's: every proof of the benchmark is verified.
 */
async function load(admin: Client, tenantId: TenantId, entries: number): Promise<void> {
  await admin.query(
    "set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '256MB'",
  );
  // Nothing has analyzed the levels of the tree yet. A nested loop over a million nodes of one would take days.
  await admin.query('set enable_nestloop = off');
  const { rows: indexes } = await admin.query<{ drop: string; make: string }>(
    `select coalesce('alter table ' || x.indrelid::regclass || ' drop constraint ' || quote_ident(k.conname),
                     'drop index ' || x.indexrelid::regclass) as drop,
            coalesce('alter table ' || x.indrelid::regclass || ' add constraint ' || quote_ident(k.conname) || ' ' ||
                     pg_get_constraintdef(k.oid),
                     -- Also on the partitions.
                     replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')) as make
       from pg_index x left join pg_constraint k on k.conindid = x.indexrelid and k.contype in ('p', 'u')
      where x.indrelid = any($1::text[]::regclass[])`,
    [LOADED],
  );
  for (const { drop } of indexes) await admin.query(drop);
  await admin.query(
    `insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence,
                              payload_digest, salt, payload, occurred_at)
     select $1, uuidv7(), 'full', (array['plan.submitted', 'review.submitted', 'run.step_dispatched'])[1 + n % 3],
            jsonb_build_object('kind', 'agent', 'id', md5('agent' || n % 1000)::uuid, 'display_name', 'drift-bot',
                               'credential_id', null, 'on_behalf_of', null),
            'plan', plan, jsonb_build_array(jsonb_build_object('type', 'plan', 'id', plan)), '[]',
            sha256('payload'), sha256('salt'), '{"outcome":"allow","tool":"query_assets@1"}', date_trunc('milliseconds', now()) - ($2 - n) * interval '1 second'
       from generate_series(0, $2::integer - 1) n, lateral (select md5('plan' || n / ${String(PAGE)})::uuid as plan) its`,
    [tenantId, entries],
  );
  await admin.query(
    `insert into audit_leaf (tenant_id, epoch, leaf_index, entry_id, leaf_hash)
     select tenant_id, 1, row_number() over (order by entry_number), id, sha256('\\x00'::bytea || convert_to(
       '{"action":"' || action || '","actor":{"credential_id":null,"display_name":"drift-bot","id":"' || (actor ->> 'id') ||
       '","kind":"agent","on_behalf_of":null},"decision_id":null,"evidence":[],"format":"${ENTRY_FORMAT}","id":"' || id ||
       '","level":"full","occurred_at":"' || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
       '","payload_digest":"sha256:' || encode(payload_digest, 'hex') || '","subject":{"id":"' || subject_id ||
       '","type":"plan"},"tenant_id":"' || tenant_id || '","within":[{"id":"' || subject_id || '","type":"plan"}]}', 'UTF8'))
       from audit_entry where tenant_id = $1 and action <> 'tool_call.decided'`,
    [tenantId],
  );
  const size = entries + 1;
  for (let level = 1; 2 ** level <= size; level += 1) {
    await admin.query(
      `with below as materialized (
         select leaf_index as at, leaf_hash as hash from audit_leaf where $3 = 1 and tenant_id = $1
         union all
         select node_index, hash from audit_node where $3 > 1 and tenant_id = $1 and level = $3 - 1)
       insert into audit_node (tenant_id, epoch, level, node_index, hash)
       select $1, 1, $3, a.at / 2, sha256('\\x01'::bytea || a.hash || b.hash)
         from below a join below b on b.at = a.at + 1
        where a.at % 2 = 0 and (a.at / 2 + 1) * (2 ^ $3)::bigint <= $2`,
      [tenantId, size, level],
    );
  }
  await admin.query(
    `insert into audit_checkpoint (tenant_id, epoch, tree_size, root_hash, note, key_name, signed_at)
     select tenant_id, epoch, $2, root_hash, note, key_name, signed_at from audit_checkpoint where tenant_id = $1`,
    [tenantId, size],
  );
  for (const { make } of indexes) await admin.query(make);
}

/** Does the work on a connection of the superuser's. */
async function asAdmin(url: string, work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

interface Sample {
  readonly id: AuditEntryId;
  readonly plan_id: string;
  readonly occurred_at: Date;
}

async function callsOf(uow: UnitOfWork, log: AuditLog, tenantId: TenantId): Promise<Omit<History, 'stop'>> {
  // None of the oldest, so that each has a whole page behind it.
  const samples = await uow.run(tenantId, (tx) =>
    sqlOf(tx).query<Sample>(
      `select id, subject_id as plan_id, occurred_at from audit_entry where tenant_id = $1 and subject_type = 'plan'
          and occurred_at > (select min(occurred_at) from audit_entry where tenant_id = $1) + interval '${String(2 * PAGE)} seconds'
        order by md5(id::text) limit $2`,
      [tenantId, SAMPLED],
    ),
  );
  let next = 0;
  const sample = (): Sample => {
    const one = samples[next++ % samples.length];
    if (one === undefined) throw new Error('The log is empty.');
    return one;
  };
  const page = async (...asked: Parameters<AuditLog['listEntries']['execute']>): Promise<void> => {
    const { entries } = await log.listEntries.execute(...asked);
    if (entries.length !== PAGE) throw new Error(`A page has ${String(entries.length)} entries.`);
  };
  return {
    append: () => append(uow, log, tenantId),
    list: async () => {
      const { id, plan_id, occurred_at } = sample();
      await page(tenantId, {}, { limit: PAGE, after: { id, occurredAt: occurred_at.getTime() } });
      await page(tenantId, { within: [{ type: 'plan', id: plan_id }] }, { limit: PAGE });
    },
    prove: async () => {
      const found = await log.getEntry.execute(tenantId, sample().id);
      const { header, proof } = found.ok ? found.value : { header: null, proof: null };
      if (header === null || proof === null) throw new Error('An entry has no proof.');
      const { leafIndex: index, inclusion, checkpoint } = proof;
      const { treeSize: size, rootHash: root } = checkpoint;
      if (!verifyInclusion({ index, size, leaf: entryLeafHash(header), proof: inclusion, root })) {
        throw new Error('A proof is wrong.');
      }
    },
  };
}
