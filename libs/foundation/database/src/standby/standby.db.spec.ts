import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { newId, type TenantId } from '#lib/kernel';
import { postgresPair, type PostgresPair } from '../../../../../test/support/postgres-pair.js';
import { until } from '../../../../../test/support/until.js';
import { openDataSource } from '../adapters/open-data-source.js';
import { packageRoot } from '../adapters/package-root.js';
import { ReadReplica } from '../adapters/read-replica.js';
import { sqlOf } from '../adapters/sql.js';
import { TypeormUnitOfWork } from '../adapters/typeorm-unit-of-work.js';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { createStandby } from './create-standby.js';
import { promoteStandby } from './promote-standby.js';
import { readServerState } from './server-state.js';
import { setSynchronousCommit } from './synchronous-commit.js';

const tenantId = newId<TenantId>();

describe('a standby of the embedded PostgreSQL', () => {
  let pair: PostgresPair;
  let dataSource: DataSource;
  let uow: TypeormUnitOfWork;

  beforeAll(async () => {
    pair = await postgresPair();
    const url = await pair.url('postgres', 'postgres');
    dataSource = await openDataSource({ url, poolSize: 2, applicationName: 'pair' });
    uow = new TypeormUnitOfWork(dataSource);
    await dataSource.query('create table kept (n integer primary key)');
    // Each transaction asks it; the migrations make it.
    await dataSource.query('create function tenant_move_restrict() returns void language sql return null');
  }, 60_000);
  afterAll(async () => {
    await dataSource.destroy();
    await pair.close();
  });

  const keep = (n: number, by = uow): Promise<unknown> =>
    by.run(tenantId, (tx) => sqlOf(tx).execute('insert into kept values ($1)', [n]));
  const ask = async (url: string, text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    await client.end();
    return rows;
  };
  const kept = async (url: string): Promise<readonly unknown[]> =>
    (await ask(url, 'select n from kept order by n')).map(({ n }) => n);

  it('follows with a login that may only read the log', async () => {
    const rows = await ask(
      pair.primary.adminUrl,
      `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication from pg_roles where rolname = 'countersign_standby'`,
    );
    expect(rows).toEqual([
      { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: true },
    ]);
    await expect(
      createStandby({
        ...{ primary: pair.primary, primaryDirectory: pair.folders.primary, port: 0 },
        directory: pair.folders.standby,
      }),
    ).rejects.toMatchObject({ failure: { code: 'standby.folder_used' } });
  });

  it('has every acknowledged row once commits wait for it, and a commit without its word is no success', async () => {
    await pair.synchronous(true);
    await keep(1);
    expect(await kept(pair.standby.adminUrl)).toEqual([1]);
    expect(await readServerState(pair.primary.adminUrl)).toMatchObject({
      role: 'primary',
      standbys: [{ state: 'streaming', synchronous: true }],
    });

    const receiver = await ask(pair.standby.adminUrl, 'select pid from pg_stat_wal_receiver');
    const pid = Number(receiver[0]?.pid);
    process.kill(pid, 'SIGSTOP');
    try {
      // Short, so that the test does not wait long for this standby.
      const hasty = new TypeormUnitOfWork(dataSource, { statementMs: 1_500, lockMs: 1_500, idleMs: 5_000 });
      await expect(keep(2, hasty)).rejects.toMatchObject({ failure: { code: 'database.not_replicated' } });
      // PostgreSQL itself calls a commit done if somebody cancels its wait.
      const cancelled = uow.run(tenantId, (tx) => sqlOf(tx).execute('insert into kept values (20)'));
      const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'`;
      let answered = false;
      const answer = expect(cancelled.finally(() => (answered = true))).rejects.toMatchObject({
        failure: { code: 'database.not_replicated' },
      });
      await until(async () => {
        await ask(pair.primary.adminUrl, cancel);
        return answered;
      });
      await answer;
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  it('does not tell of an unconfirmed commit those who have its connection after it', async () => {
    const one = await openDataSource({
      url: await pair.url('postgres', 'postgres'),
      ...{ poolSize: 1, applicationName: 'one' },
    });
    const receiver = await ask(pair.standby.adminUrl, 'select pid from pg_stat_wal_receiver');
    process.kill(Number(receiver[0]?.pid), 'SIGSTOP');
    try {
      const hasty = new TypeormUnitOfWork(one, { statementMs: 500, lockMs: 500, idleMs: 5_000 });
      await expect(keep(40, hasty)).rejects.toMatchObject({ failure: { code: 'database.not_replicated' } });
      const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'one' and wait_event = 'SyncRep'`;
      // The late commit gives its connection back.
      await until(async () => {
        await ask(pair.primary.adminUrl, cancel);
        return hasty.lateCommits === 0;
      });
    } finally {
      process.kill(Number(receiver[0]?.pid), 'SIGCONT');
    }
    await keep(41, new TypeormUnitOfWork(one));
    await one.destroy();
  });

  it('refuses changes beyond a bound while no standby confirms them, and goes on to read', async () => {
    const url = await pair.url('postgres', 'postgres');
    const four = await openDataSource({ url, poolSize: 4, applicationName: 'bounded' });
    const bounded = new TypeormUnitOfWork(four);
    const receiver = await ask(pair.standby.adminUrl, 'select pid from pg_stat_wal_receiver');
    process.kill(Number(receiver[0]?.pid), 'SIGSTOP');
    const waiting: Promise<unknown>[] = [];
    try {
      const change = (n: number): Promise<unknown> =>
        bounded.run(tenantId, (tx) => sqlOf(tx).execute('insert into kept values ($1)', [n]));
      waiting.push(...[30, 31, 32].map(change));
      for (const each of waiting) each.catch(() => undefined);
      await expect(change(33)).rejects.toMatchObject({
        failure: { code: 'database.commits_wait', retryAfterSeconds: 5 },
      });
      await until(() => bounded.lateCommits === 3);
      // At once from then on; and a transaction that changes nothing is no change.
      const begun = performance.now();
      await expect(change(34)).rejects.toMatchObject({ failure: { code: 'database.commits_wait' } });
      expect(await bounded.run(tenantId, (tx) => sqlOf(tx).query('select 1 as one'))).toEqual([{ one: 1 }]);
      await bounded.run(tenantId, (tx) => sqlOf(tx).execute('insert into kept values (35)'), 'losable');
      expect(performance.now() - begun).toBeLessThan(2_000);
    } finally {
      process.kill(Number(receiver[0]?.pid), 'SIGCONT');
    }
    await Promise.all(waiting);
    expect(await kept(pair.primary.adminUrl)).toEqual(expect.arrayContaining([30, 31, 32, 35]));
    expect(await kept(pair.primary.adminUrl)).not.toEqual(expect.arrayContaining([33]));
    expect(bounded.lateCommits).toBe(0);
    await four.destroy();
  });

  it('is told as no primary if PostgreSQL did not promote it in its time', async () => {
    await ask(pair.primary.adminUrl, 'create schema late');
    await ask(
      pair.primary.adminUrl,
      'create function late.pg_promote(boolean, integer) returns boolean language sql return false',
    );
    const late = new URL(pair.standby.adminUrl);
    late.searchParams.set('options', '-c search_path=late,pg_catalog');
    await until(
      async () => (await ask(late.href, `select to_regprocedure('late.pg_promote(boolean,integer)') as made`))[0]?.made,
    );
    await expect(promoteStandby([late.href], true)).rejects.toMatchObject({
      failure: { code: 'standby.not_promoted' },
    });
    expect(await readServerState(pair.standby.adminUrl)).toMatchObject({ role: 'standby' });
  });

  it('takes the place of a primary that was killed, and the pool goes on there', async () => {
    await expect(promoteStandby([pair.standby.adminUrl], false)).rejects.toMatchObject({
      failure: { code: 'standby.primary_alive' },
    });
    await keep(3);
    // A replica that stays with the former primary has more of the log.
    await pair.cut();
    await ask(pair.primary.adminUrl, 'select pg_switch_wal()');
    const sleeps = { begun: false };
    const cutOff = uow.run(tenantId, async (tx) => {
      await sqlOf(tx).execute('insert into kept values (4)');
      sleeps.begun = true;
      await sqlOf(tx).query('select pg_sleep(60)');
    });
    const refused = expect(cutOff).rejects.toThrow();
    await until(() => sleeps.begun);
    await pair.killPrimary();
    await refused;
    await pair.promote();
    // Nobody tried to connect meanwhile: the broken connections alone tell that the primary is gone.
    await keep(5);
    const rows = await kept(pair.standby.adminUrl);
    expect(rows).toEqual(expect.arrayContaining([1, 3, 5]));
    expect(rows).not.toContain(4);
    expect(await readServerState(pair.standby.adminUrl)).toMatchObject({
      ...{ role: 'primary', timeline: 2, synchronousNames: '' },
    });
    expect(await readServerState(pair.primary.adminUrl)).toMatchObject({ role: 'silent' });
    await expect(setSynchronousCommit([pair.standby.adminUrl], true)).rejects.toMatchObject({
      failure: { code: 'standby.none_streams' },
    });
    await expect(promoteStandby([pair.primary.adminUrl], false)).rejects.toMatchObject({
      failure: { code: 'standby.none' },
    });
  }, 60_000);

  it("leaves a replica alone that stayed on the former primary's timeline, though it has more of the log", async () => {
    writeFileSync(join(pair.folders.primary, 'data', 'standby.signal'), '');
    const former = await startEmbeddedPostgres({ directory: pair.folders.primary, root: packageRoot() });
    const told: string[] = [];
    const open = jest.fn(); // its pool is never needed
    const replica = new ReadReplica(dataSource, former.adminUrl, open, (error) => told.push(error.message));
    try {
      await until(() => told.length > 0);
      expect(told).toEqual([expect.stringContaining('COUNTERSIGN_READ_URL is not known to follow the primary')]);
      expect([replica.standing, await replica.shows(tenantId, 1_000)]).toEqual(['foreign', false]);
      expect(open).not.toHaveBeenCalled();
    } finally {
      await replica.close();
      await former.stop();
    }
  });
});
