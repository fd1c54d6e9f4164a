import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import {
  migrateDatabase,
  openDataSource,
  packageRoot,
  startEmbeddedPostgres,
  TypeormUnitOfWork,
  sqlOf,
} from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { newId, type TenantId } from '#lib/kernel';
import { PreparedStatements } from '../../libs/foundation/database/src/adapters/prepared-statements.js';
import { connectionOf, runStatement } from '../../libs/foundation/database/src/adapters/sql.js';
import { measurementOf, type Measurement } from './measurement.js';

/** Many and short. So a busy moment of the machine falls on few of them, and on both sides alike. */
const ROUNDS = 25;
const ROUND_MS = 400;
const CLIENTS = 8;
const TENANTS = 200;
const ROWS_EACH = 500;
const PAGE = 50;

/** The same table twice: one under the house's row-level security, one that only the query's own predicate guards. */
const TABLES = `
  create table bench_guarded (tenant_id uuid not null, id uuid not null, at timestamptz not null, body text not null,
    constraint bench_guarded_pk primary key (tenant_id, id));
  create table bench_open (like bench_guarded including indexes);
  select countersign_protect('bench_guarded');
  grant select, insert, update, delete on bench_open to countersign_app`;

type Table = 'bench_guarded' | 'bench_open';
interface Fixture {
  readonly tenants: readonly TenantId[];
  readonly ids: ReadonlyMap<TenantId, readonly string[]>;
}
type Query = (text: string, parameters: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
/** One transaction of a tenant. */
type Run = (tenantId: TenantId, work: (query: Query) => Promise<void>) => Promise<void>;
type Work = (table: Table, fixture: Fixture, tenantId: TenantId, serial: number) => (query: Query) => Promise<void>;

/** The work of an API read: one row, and a page of a list. */
const reading: Work = (table, fixture, tenantId, serial) => async (query) => {
  const ids = fixture.ids.get(tenantId) ?? [];
  const wanted = ids[serial % ids.length];
  const one = await query(`select id, body from ${table} where tenant_id = $1 and id = $2`, [tenantId, wanted]);
  const page = await query(
    `select tenant_id, id, body from ${table} where tenant_id = $1 and id > $2 order by id limit ${String(PAGE)}`,
    [tenantId, ids[serial % (ids.length - PAGE - 1)]],
  );
  if (one.length !== 1 || one[0]?.id !== wanted) throw new Error('The row was not found.');
  if (page.length !== PAGE || page.some((row) => row.tenant_id !== tenantId)) throw new Error('The page is wrong.');
};

/** The work of a use case: lock a row, change it, and insert another. */
const writing: Work = (table, fixture, tenantId, serial) => async (query) => {
  const ids = fixture.ids.get(tenantId) ?? [];
  const wanted = ids[serial % ids.length];
  const locked = await query(`select id from ${table} where tenant_id = $1 and id = $2 for update`, [tenantId, wanted]);
  const changed = await query(`update ${table} set body = $3 where tenant_id = $1 and id = $2 returning id`, [
    tenantId,
    wanted,
    `changed ${String(serial)}`,
  ]);
  await query(`insert into ${table} (tenant_id, id, at, body) values ($1, $2, now(), 'new')`, [tenantId, newId()]);
  if (locked.length !== 1 || changed.length !== 1) throw new Error('The row was not changed.');
};

async function throughput(run: Run, table: Table, fixture: Fixture, work: Work): Promise<number> {
  const started = performance.now();
  let done = 0;
  const client = async (first: number): Promise<void> => {
    for (let serial = first; performance.now() - started < ROUND_MS; serial += CLIENTS) {
      const tenantId = fixture.tenants[serial % fixture.tenants.length];
      if (tenantId === undefined) throw new Error('There are no tenants.');
      await run(tenantId, work(table, fixture, tenantId, serial));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return (done * 1_000) / (performance.now() - started);
}

/** As the service runs: the unit of work sets the tenant in every transaction. */
const guarded =
  (uow: TypeormUnitOfWork): Run =>
  (tenantId, work) =>
    uow.run(tenantId, (tx) => work((text, parameters) => sqlOf(tx).query(text, parameters)));

/** As it would run without row-level security: the same connections, statements and round trips, and no tenant set. */
const bare = (dataSource: DataSource): Run => {
  const prepared = new PreparedStatements();
  return async (_tenantId, work) => {
    const runner = dataSource.createQueryRunner();
    try {
      const connection = await connectionOf(runner);
      const begun = runStatement(connection, 'begin', [], prepared);
      await work(
        async (text, parameters) =>
          (await runStatement(connection, text, parameters, prepared)).rows as Record<string, unknown>[],
      );
      await Promise.all([begun, runStatement(connection, 'commit', [], prepared)]);
    } finally {
      await runner.release();
    }
  };
};

/**
 * `rls-cost`: transactions a second under row-level security, tenant setting included. They are compared with the same ones that
 * only name the tenant in their predicates. `/policy` leaves the tenant setting out of the comparison: both have it.
 */
export async function rlsCost(): Promise<readonly Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), root: packageRoot() });
  try {
    const url = await postgres.url('countersign_app', 'postgres');
    await migrateDatabase({ adminUrl: postgres.adminUrl, appPassword: new URL(url).password });
    const fixture = await fill(postgres.adminUrl);
    const dataSource = await openDataSource({
      url,
      poolSize: CLIENTS,
      applicationName: 'countersign-bench',
      entities: ENTITIES,
    });
    try {
      const ours = guarded(new TypeormUnitOfWork(dataSource));
      const theirs = bare(dataSource);
      await assertGuarded(ours, fixture);
      const measurements: Measurement[] = [];
      for (const [name, work] of [
        ['read', reading],
        ['write', writing],
      ] as const) {
        const whole: number[] = [];
        const policy: number[] = [];
        await throughput(ours, 'bench_guarded', fixture, work); // warm both
        await throughput(theirs, 'bench_open', fixture, work);
        for (let round = 0; round < ROUNDS; round += 1) {
          const underSecurity = await throughput(ours, 'bench_guarded', fixture, work);
          whole.push(underSecurity / (await throughput(theirs, 'bench_open', fixture, work)));
          policy.push(underSecurity / (await throughput(ours, 'bench_open', fixture, work)));
        }
        measurements.push(measurementOf(`rls-cost/${name}`, whole), measurementOf(`rls-cost/${name}/policy`, policy));
      }
      return measurements;
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function fill(adminUrl: string): Promise<Fixture> {
  const owner = new Client({ connectionString: adminUrl, options: '-c role=countersign_owner' });
  await owner.connect();
  try {
    await owner.query(TABLES);
    const tenants = Array.from({ length: TENANTS }, () => newId<TenantId>());
    const ids = new Map<TenantId, readonly string[]>();
    for (const tenantId of tenants) {
      const rows = Array.from({ length: ROWS_EACH }, () => newId() as string);
      ids.set(tenantId, rows);
      for (const table of ['bench_guarded', 'bench_open']) {
        await owner.query(`insert into ${table} select $1, id, now(), repeat('x', 200) from unnest($2::uuid[]) as id`, [
          tenantId,
          rows,
        ]);
      }
    }
    await owner.query('vacuum analyze bench_guarded');
    await owner.query('vacuum analyze bench_open');
    return { tenants, ids };
  } finally {
    await owner.end();
  }
}

/** The measurement would mean nothing if row-level security were off. */
async function assertGuarded(ours: Run, fixture: Fixture): Promise<void> {
  const [first, second] = fixture.tenants;
  if (first === undefined || second === undefined) throw new Error('There are no tenants.');
  await ours(first, async (query) => {
    if ((await query('select from bench_guarded where tenant_id = $1', [second])).length > 0)
      throw new Error('Row-level security is off.');
    if ((await query('select from bench_guarded', [])).length !== ROWS_EACH) throw new Error('Rows are missing.');
  });
}
