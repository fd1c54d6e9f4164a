import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { sequencerLoop, sequencingLagMs, type AuditLog } from '#lib/audit';
import { migrateDatabase, packageRoot, sqlOf, startEmbeddedPostgres } from '#lib/database';
import { newId, type Actor, type AuditEvent, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { benchInstallation } from './bench-installation.js';
import { measurementOf, type Measurement } from './measurement.js';

const ROUNDS = 5;
const ROUND_MS = 3_000;
const CLIENTS = [8, 32] as const;
const COVER_GOAL_MS = 1_000;

const actor: Actor = {
  kind: 'agent',
  id: '0190d3a0-0000-7000-8000-000000000001',
  display_name: 'drift-bot',
  credential_id: null,
  on_behalf_of: null,
};

/** A typical entry: one decided tool call. */
const eventOf = (subjectId: string): AuditEvent => ({
  action: 'tool_call.decided',
  actor,
  level: 'full',
  subject: { type: 'tool_call', id: subjectId },
  payload: {
    tool: 'query_assets@1',
    outcome: 'allow',
    reasons: [{ code: 'tool.read_only', message: 'Reading tools are always allowed.', rule: 'tool_call/read_only' }],
    arguments: { environment: 'production', filter: { role: 'web', drift: true }, limit: 50 },
  },
});

/** The same row in a table of the same columns, indexes and row-level security, and nothing else. */
const BASELINE_TABLE = `
  create table bench_action (tenant_id uuid not null, id uuid not null, at timestamptz not null, primary key (tenant_id, id));
  select countersign_protect('bench_action');
  create table bench_entry (like audit_entry including defaults including identity including indexes);
  -- How entries are found is no part of what is recorded.
  alter table bench_entry drop column xid;
  select countersign_protect('bench_entry');`;

const act = (tx: Tx, id: string): Promise<unknown> =>
  sqlOf(tx).query('insert into bench_action (tenant_id, id, at) values ($1, $2, now())', [tx.tenantId, id]);

type Append = (tx: Tx, id: string) => Promise<unknown>;

/** Sent ahead as an entry is, so that both transactions make the same round trips. */
const plainInsert: Append = (tx, id) => {
  const { action, level, subject, payload } = eventOf(id);
  sqlOf(tx).executeAhead(
    `insert into bench_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence, payload_digest, salt, payload)
     values ($1, $2, $3, $4, $5, $6, $7, '[]', '[]', $8, $8, $9)`,
    [
      tx.tenantId,
      newId(),
      level,
      action,
      JSON.stringify(actor),
      subject.type,
      subject.id,
      Buffer.alloc(32, 1),
      JSON.stringify(payload),
    ],
  );
  return Promise.resolve();
};

/** Transactions a second of `clients` that each act and append, over and over. */
async function throughput(uow: UnitOfWork, tenantId: TenantId, clients: number, append: Append): Promise<number> {
  const started = performance.now();
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - started < ROUND_MS) {
      await uow.run(tenantId, async (tx) => {
        const id = newId();
        await act(tx, id);
        await append(tx, id);
      });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1_000) / (performance.now() - started);
}

/** Waits until every entry has its leaf; the p99 of the time from entry to signed checkpoint, in milliseconds. */
async function coverP99(log: AuditLog, admin: Client, tenantId: TenantId): Promise<number> {
  for (const deadline = performance.now() + 60_000; (await sequencingLagMs(log.backlog, Date.now())) > 0;) {
    if (performance.now() > deadline) throw new Error('The sequencer did not catch up within a minute.');
  }
  const { rows } = await admin.query<{ p99: number; entries: string; leaves: string }>(
    `select percentile_cont(0.99) within group (order by extract(epoch from covering.signed_at - entry.occurred_at) * 1000)::float8 as p99,
            count(*) as entries, count(leaf.entry_id) as leaves
       from audit_entry entry
       left join audit_leaf leaf on leaf.tenant_id = entry.tenant_id and leaf.entry_id = entry.id
       left join lateral (
         select signed_at from audit_checkpoint checkpoint
          where checkpoint.tenant_id = leaf.tenant_id and checkpoint.epoch = leaf.epoch and checkpoint.tree_size > leaf.leaf_index
          order by checkpoint.tree_size limit 1
       ) covering on true
      where entry.tenant_id = $1`,
    [tenantId],
  );
  const [row] = rows;
  if (row === undefined || row.entries === '0' || row.entries !== row.leaves)
    throw new Error('Not every entry got its leaf.');
  return row.p99;
}

/** `audit-append`: entries a second in the action's own transaction, against the same row by a plain INSERT. */
export async function auditAppend(): Promise<readonly Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), root: packageRoot() });
  try {
    const url = await postgres.url('countersign_app', 'postgres');
    await migrateDatabase({ adminUrl: postgres.adminUrl, appPassword: new URL(url).password });
    const admin = new Client({ connectionString: postgres.adminUrl });
    await admin.connect();
    await admin.query('set role countersign_owner');
    await admin.query(BASELINE_TABLE);
    await admin.query('reset role');
    const { database, audit } = await benchInstallation(url, directory, { poolSize: Math.max(...CLIENTS) + 4 });
    const { log } = audit;
    const failures: unknown[] = [];
    const sequencer = sequencerLoop(log.backlog, log.sequence, {
      now: Date.now,
      onError: (error) => failures.push(error),
    });
    sequencer.start();
    try {
      const measurements: Measurement[] = [];
      for (const clients of CLIENTS) measurements.push(...(await measure(database.uow, log, admin, clients)));
      if (failures.length > 0) throw new Error('The sequencer failed during the benchmark.', { cause: failures[0] });
      return measurements;
    } finally {
      await sequencer.stop();
      await database.close();
      await admin.end();
    }
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(uow: UnitOfWork, log: AuditLog, admin: Client, clients: number): Promise<Measurement[]> {
  const ratios: number[] = [];
  const covers: number[] = [];
  const audited: Append = (tx, id) => log.sink.record(tx, eventOf(id));
  await throughput(uow, newId<TenantId>(), clients, plainInsert);
  for (let round = 0; round < ROUNDS; round += 1) {
    const tenantId = newId<TenantId>();
    const ours = await throughput(uow, tenantId, clients, audited);
    covers.push((await coverP99(log, admin, tenantId)) / COVER_GOAL_MS);
    const theirs = await throughput(uow, newId<TenantId>(), clients, plainInsert);
    ratios.push(ours / theirs);
  }
  return [
    measurementOf(`audit-append/${String(clients)}-clients`, ratios),
    measurementOf(`audit-append/${String(clients)}-clients/cover-p99-seconds`, covers),
  ];
}
