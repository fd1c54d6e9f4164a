import { Client } from 'pg';
import { request } from 'undici';
import { openDataSource, sqlOf, TypeormUnitOfWork } from '#lib/database';
import { newId, type TenantId, type Tx } from '#lib/kernel';
import type { RunInstallation } from './run-installation.js';

/** The rows that a step writes, of its table each; how many of them, and how they are found by the run and the attempt. */
const WRITTEN = [
  ['decision', 'id = (select decision_id from step_attempt where id = $2) and $1::uuid is not null', 1],
  ['step_attempt', 'run_id = $1 and id = $2', 1],
  ['call_grant', 'source_id = $1 and step = (select run_step_id::text from step_attempt where id = $2)', 1],
  ['run_step', 'run_id = $1 and id = (select run_step_id from step_attempt where id = $2)', 1],
  ['run', 'id = $1 and $2::uuid is not null', 1],
  [
    'run_event',
    "run_id = $1 and data ->> 'run_step_id' = (select run_step_id::text from step_attempt where id = $2)",
    2,
  ],
  [
    'audit_entry',
    `payload::jsonb ->> 'run_step_id' = (select run_step_id::text from step_attempt where id = $2)
     and $1::uuid is not null`,
    2,
  ],
] as const;

type Table = (typeof WRITTEN)[number][0];

interface Row {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly values: readonly unknown[];
}

/** The cost of a step without the run. That is the same rows in tables without rules, two transactions, and the bare call. */
export interface BareStep {
  /** One step, of the client's own run. */
  step(client: number): Promise<void>;
  close(): Promise<void>;
}

/** Takes the rows of one step of a finished run as its sample. */
export async function bareStep(
  { adminUrl, databaseUrl, tools }: RunInstallation,
  runId: string,
  clients: number,
): Promise<BareStep> {
  const rows = await sample(adminUrl, runId);
  const dataSource = await openDataSource({
    url: databaseUrl,
    poolSize: 20,
    applicationName: 'countersign-bench',
    entities: [],
  });
  const uow = new TypeormUnitOfWork(dataSource);
  const tenantId = newId<TenantId>();
  const lanes = Array.from({ length: clients }, () => ({ run: newId(), step: newId(), done: 0 }));
  for (const { run, step } of lanes) {
    await uow.run(tenantId, (tx) => {
      insert(tx, 'run', one(rows, 'run'), { id: run, task_id: newId() });
      insert(tx, 'run_step', one(rows, 'run_step'), { id: step, run_id: run });
      return Promise.resolve();
    });
  }
  const body = JSON.stringify({
    tool: 'get_drift_status',
    tool_version: 1,
    arguments: { targets: ['web-1', 'web-2'] },
    secrets: {},
    idempotency_key: newId(),
  });
  return {
    step: async (client) => {
      const lane = lanes[client];
      if (lane === undefined) throw new Error(`there is no client ${String(client)}`);
      const { run, step } = lane;
      const number = (lane.done += 1);
      const attempt = newId();
      const journal = (tx: Tx, index: number): void => {
        insert(tx, 'run_event', nth(rows, 'run_event', index), { run_id: run, seq: number * 2 + index });
        insert(tx, 'audit_entry', nth(rows, 'audit_entry', index), { id: newId() });
      };
      await uow.run(tenantId, (tx) => {
        insert(tx, 'decision', one(rows, 'decision'), { id: newId() });
        touchStep(tx, step, new Date());
        insert(tx, 'step_attempt', one(rows, 'step_attempt'), { id: attempt, run_id: run, run_step_id: step, number });
        insert(tx, 'call_grant', one(rows, 'call_grant'), { id: newId() });
        journal(tx, 0);
        touchRun(tx, run);
        return Promise.resolve();
      });
      const answer = await request(tools.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const { ok } = (await answer.body.json()) as { readonly ok?: boolean };
      if (ok !== true) throw new Error('the tool server did not answer a bare call');
      await uow.run(tenantId, (tx) => {
        touchStep(tx, step, null);
        sqlOf(tx).executeAhead('update bench_step_attempt set finished_at = $3 where tenant_id = $1 and id = $2', [
          tenantId,
          attempt,
          new Date(),
        ]);
        journal(tx, 1);
        touchRun(tx, run);
        return Promise.resolve();
      });
    },
    close: () => dataSource.destroy(),
  };
}

const touchStep = (tx: Tx, id: string, leaseUntil: Date | null): void => {
  sqlOf(tx).executeAhead('update bench_run_step set lease_until = $3 where tenant_id = $1 and id = $2', [
    tx.tenantId,
    id,
    leaseUntil,
  ]);
};

const touchRun = (tx: Tx, id: string): void => {
  sqlOf(tx).executeAhead('update bench_run set updated_at = $3 where tenant_id = $1 and id = $2', [
    tx.tenantId,
    id,
    new Date(),
  ]);
};

/** Sent ahead, so that a transaction of ours and of this side can make the same round trips. */
function insert(tx: Tx, table: Table, row: Row, own: Readonly<Record<string, unknown>>): void {
  const values = row.names.map((name, index) =>
    name === 'tenant_id' ? tx.tenantId : name in own ? own[name] : row.values[index],
  );
  sqlOf(tx).executeAhead(
    `insert into bench_${table} (${row.names.join(', ')})
     values (${row.types.map((type, index) => `$${String(index + 1)}::${type}`).join(', ')})`,
    values,
  );
}

type Rows = ReadonlyMap<Table, readonly Row[]>;

const one = (rows: Rows, table: Table): Row => nth(rows, table, 0);

function nth(rows: Rows, table: Table, index: number): Row {
  const row = rows.get(table)?.[index];
  if (row === undefined) throw new Error(`there is no row ${String(index)} of ${table}`);
  return row;
}

/** Makes the bare tables, and reads the rows of a step in the middle of the run. */
async function sample(adminUrl: string, runId: string): Promise<Rows> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rows: found } = await admin.query<{ id: string }>(
      `select id from step_attempt where run_id = $1 order by dispatched_at
       offset (select count(*) / 2 from step_attempt where run_id = $1) limit 1`,
      [runId],
    );
    const parameters = [runId, found[0]?.id];
    const rows = new Map<Table, readonly Row[]>();
    for (const [table, condition, count] of WRITTEN) {
      rows.set(table, await rowsOf(admin, table, condition, count, parameters));
    }
    await admin.query('set role countersign_owner');
    for (const table of rows.keys()) {
      await admin.query(
        `create table bench_${table} (like ${table} including defaults including identity including generated including indexes)`,
      );
      await admin.query(`select countersign_protect('bench_${table}')`);
    }
    return rows;
  } finally {
    await admin.end();
  }
}

async function rowsOf(
  admin: Client,
  table: Table,
  condition: string,
  count: number,
  parameters: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows: columns } = await admin.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  // Every value as text, as the driver sends it.
  const { rows } = await admin.query<Readonly<Record<string, unknown>>>(
    `select ${names.map((name) => `${name}::text`).join(', ')} from ${table} where ${condition} limit ${String(count)}`,
    [...parameters],
  );
  if (rows.length < count) throw new Error(`a step wrote ${String(rows.length)} rows of ${table}`);
  const types = columns.map(({ type }) => type);
  return rows.map((row) => ({ names, types, values: names.map((name) => row[name]) }));
}
