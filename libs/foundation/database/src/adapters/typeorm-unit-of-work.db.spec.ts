import { EventEmitter, once } from 'node:events';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { err, newId, type TenantId, type Tx } from '#lib/kernel';
import { countedStatements } from '../../../../../test/support/counted-statements.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { FairPlaces } from '../application/fair-places.js';
import { openDataSource } from './open-data-source.js';
import { isSqlError, sqlOf, SqlError } from './sql.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';

const insertTenant = 'insert into tenant (id, slug, name, created_at) values ($1, $2, $2, clock_timestamp())';

describe('the unit of work over TypeORM', () => {
  let db: TestDatabase;
  let dataSource: DataSource;
  /** Over one connection, so that the next transaction gets the one that the last had. */
  let uow: TypeormUnitOfWork;

  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });
  beforeEach(async () => {
    dataSource = await openDataSource({ url: db.url, poolSize: 1, applicationName: 'uow-test', entities: [] });
    uow = new TypeormUnitOfWork(dataSource);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await db.owner.query('delete from tenant');
  });

  const tenants = async (): Promise<number> => (await db.owner.query('select from tenant')).rowCount ?? 0;
  const settings = (): Promise<unknown> =>
    dataSource.query(`select nullif(current_setting('app.tenant_id', true), '') as tenant,
      current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, pg_backend_pid() as pid`);
  const untouched = { tenant: null, statement: '0', lock: '0', idle: '0' };

  it('commits if the work returns, also a refusal', async () => {
    const id = newId<TenantId>();
    const result = await uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      return err({ kind: 'conflict' as const, code: 'x.y', message: 'refused and recorded' });
    });
    expect(result).toMatchObject({ ok: false });
    expect(await tenants()).toBe(1);
  });

  it('waits for the disk, unless the work may be lost', async () => {
    const tenant = newId<TenantId>();
    const source = (tx: Tx) =>
      sqlOf(tx).query("select setting, source from pg_settings where name = 'synchronous_commit'");
    // The server's own setting, untouched; the tests' own server waits for no disk at all.
    expect(await uow.run(tenant, source)).toEqual([{ setting: 'off', source: 'command line' }]);
    expect(await uow.run(tenant, source, 'losable')).toEqual([{ setting: 'off', source: 'session' }]);
    expect(await uow.run(tenant, source)).toEqual([{ setting: 'off', source: 'command line' }]);
    await uow.enclose(tenant, async () => {
      expect(await uow.run(tenant, source, 'losable')).toEqual([{ setting: 'off', source: 'command line' }]);
    });
  });

  it('rolls back if the work throws', async () => {
    const id = newId<TenantId>();
    const run = uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      throw new Error('thrown by the work');
    });
    await expect(run).rejects.toThrow('thrown by the work');
    expect(await tenants()).toBe(0);
  });

  it('shares the place of the transaction around it, and takes one of its own after that has ended', async () => {
    const pair = await openDataSource({ url: db.url, poolSize: 4, applicationName: 'uow-test-nested', entities: [] });
    // One place: a second transaction of any tenant waits until the first has ended.
    const places = new FairPlaces({ places: 1, waitingOfTenant: 10, waitMs: 10_000 });
    const narrow = new TypeormUnitOfWork(pair, undefined, places);
    const [id, other] = [newId<TenantId>(), newId<TenantId>()];
    const order: string[] = [];
    const note = (name: string) => (): Promise<void> => {
      order.push(name);
      return Promise.resolve();
    };
    try {
      let later: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (later = resolve));
      const around = narrow.run(id, async () => {
        await Promise.all([1, 2].map((each) => narrow.run(id, note(`inside ${String(each)}`))));
        await narrow.enclose(id, () => narrow.run(id, note('enclosed')));
        return { left: ended.then(() => narrow.run(id, note('left behind'))) };
      });
      const beside = narrow.run(other, note('beside'));
      const { left } = await around;
      const before = narrow.run(other, async () => {
        later();
        await new Promise((resolve) => setImmediate(resolve));
        await note('before')();
      });
      await Promise.all([beside, left, before]);
      expect(order.slice(0, 3).sort()).toEqual(['enclosed', 'inside 1', 'inside 2']);
      expect(order.slice(3)).toEqual(['beside', 'before', 'left behind']);
    } finally {
      await pair.destroy();
    }
  });

  it('asks whether its tenant moves once it has its place, since a move waits shorter than a place may take', async () => {
    const places = new FairPlaces({ places: 1, waitingOfTenant: 10, waitMs: 10_000 });
    const asked: TenantId[] = [];
    const narrow = new TypeormUnitOfWork(dataSource, undefined, places, (tenantId) => {
      asked.push(tenantId);
      return false;
    });
    const [first, second] = [newId<TenantId>(), newId<TenantId>()];
    const [begun, over] = [new EventEmitter(), new EventEmitter()];
    const holds = narrow.run(first, async (tx) => {
      await sqlOf(tx).query('select 1');
      const left = once(over, 'over');
      begun.emit('begun');
      await left;
    });
    const waits = narrow.run(second, async (tx) => sqlOf(tx).query('select 1'));
    await once(begun, 'begun');
    expect(asked).toEqual([first]);
    over.emit('over');
    await Promise.all([holds, waits]);
    expect(asked).toEqual([first, second]);
  });

  it('gives its place back however it ends: work that throws, a refused statement, a lost connection, no connection', async () => {
    const id = newId<TenantId>();
    const places = new FairPlaces({ places: 1, waitingOfTenant: 10, waitMs: 10_000 });
    const narrow = new TypeormUnitOfWork(dataSource, undefined, places);
    await expect(narrow.run(id, () => Promise.reject(new Error('thrown')))).rejects.toThrow('thrown');
    await expect(narrow.run(id, (tx) => sqlOf(tx).query('select 1 / 0'))).rejects.toMatchObject({ code: '22012' });
    const cut = narrow.run(id, async (tx) => {
      const [session] = await sqlOf(tx).query<{ pid: number }>('select pg_backend_pid() as pid');
      await db.owner.query('select pg_terminate_backend($1)', [session?.pid]);
      await sqlOf(tx).query('select 1');
    });
    await expect(cut).rejects.toThrow();
    await expect(narrow.rehearse(id, () => narrow.run(id, () => Promise.resolve('rehearsed')))).resolves.toBe(
      'rehearsed',
    );
    await expect(narrow.run(id, () => Promise.resolve('again'))).resolves.toBe('again');
    const closed = await openDataSource({ url: db.url, poolSize: 1, applicationName: 'uow-test-closed', entities: [] });
    await closed.destroy();
    const unconnected = new TypeormUnitOfWork(closed, undefined, places);
    await expect(unconnected.run(id, () => Promise.resolve())).rejects.toThrow();
    const leave = await places.take(id);
    expect(leave).not.toBeNull();
  });

  it('refuses a transaction that has waited too long for its place', async () => {
    const [id, other] = [newId<TenantId>(), newId<TenantId>()];
    const places = new FairPlaces({ places: 1, waitingOfTenant: 10, waitMs: 20 });
    const narrow = new TypeormUnitOfWork(dataSource, undefined, places);
    const leave = await places.take(id);
    await expect(narrow.run(other, () => Promise.resolve())).rejects.toMatchObject({
      failure: { kind: 'unavailable', code: 'database.busy', retryAfterSeconds: 1 },
    });
    leave?.();
    await expect(narrow.run(other, () => Promise.resolve('served'))).resolves.toBe('served');
  });

  it('rehearses: units of work join, see the writes of the earlier ones, and none of them stays', async () => {
    const id = newId<TenantId>();
    const seen = await uow.rehearse(id, async (rehearsal) => {
      await uow.run(id, (tx) => sqlOf(tx).execute(insertTenant, [id, 'a']));
      await uow.run(id, (tx) => {
        tx.rehearsal?.loosens.push('noted');
        return Promise.resolve();
      });
      const rows = await uow.run(id, (tx) => sqlOf(tx).query('select slug from tenant where id = $1', [id]));
      return { rows, noted: rehearsal.loosens };
    });
    expect(seen).toEqual({ rows: [{ slug: 'a' }], noted: ['noted'] });
    expect(await tenants()).toBe(0);
    await uow.run(id, (tx) => {
      expect(tx.rehearsal).toBeUndefined();
      return Promise.resolve();
    });
    expect(await settings()).toMatchObject([untouched]);
  });

  it('rehearses within one tenant, and never inside a rehearsal', async () => {
    const id = newId<TenantId>();
    const other = uow.rehearse(id, () => uow.run(newId<TenantId>(), () => Promise.resolve()));
    await expect(other).rejects.toThrow('stays within its tenant');
    const nested = uow.rehearse(id, () => uow.rehearse(id, () => Promise.resolve()));
    await expect(nested).rejects.toThrow('A rehearsal holds no other');
  });

  it('encloses: units of work join, see the writes of the earlier ones, and all commit together', async () => {
    const id = newId<TenantId>();
    const seen = await uow.enclose(id, async ({ tx }) => {
      await uow.run(id, (joined) => sqlOf(joined).execute(insertTenant, [id, 'enclosed']));
      expect(await tenants()).toBe(0);
      return sqlOf(tx).query('select slug from tenant where id = $1', [id]);
    });
    expect(seen).toEqual([{ slug: 'enclosed' }]);
    expect(await tenants()).toBe(1);
  });

  it('keeps nothing of an enclosing transaction if a unit of work inside threw', async () => {
    const id = newId<TenantId>();
    const swallowed = uow.enclose(id, async ({ tx }) => {
      await sqlOf(tx).execute(insertTenant, [id, 'broken']);
      await uow.run(id, () => Promise.reject(new Error('refused'))).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('the work around it went on');
    const told: boolean[] = [];
    const thrown = uow.enclose(id, async (enclosed) => {
      await uow
        .run(id, (tx) =>
          sqlOf(tx)
            .execute(insertTenant, [id, 'broken'])
            .then(() => Promise.reject(new Error('refused'))),
        )
        .finally(() => told.push(enclosed.broken));
    });
    await expect(thrown).rejects.toThrow('refused');
    expect(told).toEqual([true]);
    expect(await tenants()).toBe(0);
  });

  it('encloses one tenant alone, and no transaction in another', async () => {
    const id = newId<TenantId>();
    const other = uow.enclose(id, () => uow.run(newId<TenantId>(), () => Promise.resolve()));
    await expect(other).rejects.toThrow('stays within its tenant');
    const nested = uow.enclose(id, () => uow.enclose(id, () => Promise.resolve()));
    await expect(nested).rejects.toThrow('encloses no other');
  });

  it('T20: a request that throws leaves no tenant and no limit on its connection', async () => {
    const [before] = (await settings()) as { pid: number }[];
    await expect(uow.run(newId<TenantId>(), () => Promise.reject(new Error('the request dies')))).rejects.toThrow();
    expect(await settings()).toEqual([{ ...untouched, pid: before?.pid }]);
    expect(await dataSource.query('select id from tenant')).toEqual([]);
  });

  it('T20: a request whose statement fails, and one that fails and goes on, leave none', async () => {
    const [before] = (await settings()) as { pid: number }[];
    const failed = uow.run(newId<TenantId>(), (tx) => sqlOf(tx).query('select 1 / 0'));
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    const swallowed = uow.run(newId<TenantId>(), async (tx) => {
      await sqlOf(tx)
        .query('select 1 / 0')
        .catch(() => undefined);
      return sqlOf(tx).query('select 1');
    });
    await expect(swallowed).rejects.toMatchObject({ code: '25P02' });
    expect(await settings()).toEqual([{ ...untouched, pid: before?.pid }]);
  });

  it('T20: a request whose connection is cut leaves none, and the next gets another connection', async () => {
    const [before] = (await settings()) as { pid: number }[];
    const id = newId<TenantId>();
    const run = uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      await db.owner.query('select 1');
      await terminate(db.adminUrl, before?.pid ?? 0);
      return sqlOf(tx).query('select 1');
    });
    await expect(run).rejects.toThrow();
    const [after] = (await settings()) as { pid: number }[];
    expect(after).toMatchObject(untouched);
    expect(after?.pid).not.toBe(before?.pid);
    expect(await tenants()).toBe(0);
  });

  it('does not pretend a commit if PostgreSQL rolled back', async () => {
    const id = newId<TenantId>();
    const run = uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      await sqlOf(tx)
        .query('select 1 / 0')
        .catch(() => undefined);
      return 'done';
    });
    await expect(run).rejects.toMatchObject({ code: '25P02' });
    expect(await tenants()).toBe(0);
    const mended = await uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      await sqlOf(tx).query('savepoint before');
      await sqlOf(tx)
        .query('select 1 / 0')
        .catch(() => undefined);
      await sqlOf(tx).query('rollback to savepoint before');
      return 'done';
    });
    expect(mended).toBe('done');
    expect(await tenants()).toBe(1);
  });

  it('reports a refusal of COMMIT itself', async () => {
    await db.owner.query(`
      create table late (tenant_id uuid not null, id uuid not null, constraint late_pk primary key (tenant_id, id) deferrable initially deferred);
      select countersign_protect('late')`);
    const tenantId = newId<TenantId>();
    const run = uow.run(tenantId, async (tx) => {
      await sqlOf(tx).execute('insert into late values ($1, $1), ($1, $1)', [tenantId]);
    });
    await expect(run).rejects.toMatchObject({ code: '23505', constraint: 'late_pk' });
    expect(await settings()).toMatchObject([untouched]);
  });

  it('runs a statement sent ahead in its place, and commits it', async () => {
    const id = newId<TenantId>();
    const seen = await uow.run(id, async (tx) => {
      const sql = sqlOf(tx);
      sql.executeAhead(insertTenant, [id, 'a']);
      const rows = await sql.query<{ slug: string }>('select slug from tenant where id = $1', [id]);
      sql.executeAhead('update tenant set name = $2 where id = $1', [id, 'renamed']);
      return rows;
    });
    expect(seen).toEqual([{ slug: 'a' }]);
    expect((await db.owner.query('select name from tenant')).rows).toEqual([{ name: 'renamed' }]);
  });

  it('fails with the statement sent ahead, at any point of the work', async () => {
    const id = newId<TenantId>();
    const twice = (tx: Tx): void => {
      sqlOf(tx).executeAhead(insertTenant, [id, 'a']);
      sqlOf(tx).executeAhead(insertTenant, [id, 'a']);
    };
    const refused = { code: '23505', constraint: 'tenant_pk' };
    const atCommit = uow.run(id, (tx) => {
      twice(tx);
      return Promise.resolve();
    });
    await expect(atCommit).rejects.toMatchObject(refused);
    const atTheNext = uow.run(id, (tx) => {
      twice(tx);
      return sqlOf(tx).query('select 1');
    });
    await expect(atTheNext).rejects.toMatchObject(refused);
    const swallowed = uow.run(id, async (tx) => {
      twice(tx);
      await sqlOf(tx)
        .query('select 1')
        .catch(() => undefined);
    });
    await expect(swallowed).rejects.toMatchObject(refused);
    expect(await tenants()).toBe(0);
    expect(await settings()).toMatchObject([untouched]);
  });

  it('sends the calls that nothing separates as one statement, in their place and order', async () => {
    const counted = await countedStatements(() =>
      uow.run(newId<TenantId>(), async (tx) => {
        const sql = sqlOf(tx);
        sql.callAhead('set_config', ['test.said', 'a', true]);
        sql.callAhead('set_config', ['test.said', 'b', true]);
        const rows = await sql.query<{ said: string }>("select current_setting('test.said') as said");
        expect(rows).toEqual([{ said: 'b' }]);
        sql.callAhead('pg_notify', ['test_said', 'c']);
        sql.callAhead('set_config', ['test.said', 'd', true]);
      }),
    );
    expect(counted.statements.slice(1)).toEqual([
      'select set_config($1, $2, $3), set_config($4, $5, $6)',
      "select current_setting('test.said') as said",
      'select pg_notify($1, $2), set_config($3, $4, $5)',
      'commit',
    ]);
  });

  it('sends a row as an INSERT, after the calls before it, if its call is the last of a statement', async () => {
    const id = newId<TenantId>();
    const values = { id, slug: 'a', name: 'A', created_at: new Date(0) };
    const counted = await countedStatements(async () => {
      await uow.run(id, (tx) => {
        sqlOf(tx).callAhead('set_config', ['test.said', 'a', true]);
        sqlOf(tx).callAhead('never_called', ['x'], { table: 'tenant', values });
        return Promise.resolve();
      });
      await uow.run(id, (tx) => {
        const row = { table: 'tenant', values: { ...values, id: newId() } };
        sqlOf(tx).callAhead('set_config', ['test.said', 'a', true], row);
        sqlOf(tx).callAhead('set_config', ['test.said', 'b', true]);
        return Promise.resolve();
      });
      await uow
        .run(id, (tx) => {
          sqlOf(tx).callAhead('never_called', [], { table: 'tenant', values });
          return Promise.resolve();
        })
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: '23505' });
        });
    });
    expect(counted.statements.filter((text) => !/^(?:begin|commit|rollback)/.test(text))).toEqual([
      'with added as (insert into tenant (id, slug, name, created_at) values ($4, $5, $6, $7)) select set_config($1, $2, $3)',
      'select set_config($1, $2, $3), set_config($4, $5, $6)',
      'insert into tenant (id, slug, name, created_at) values ($1, $2, $3, $4)',
    ]);
    expect(await tenants()).toBe(1);
  });

  it('fails with a refused call, and commits nothing', async () => {
    const id = newId<TenantId>();
    const refused = uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      sqlOf(tx).callAhead('set_config', ['test.said', 'a', true]);
      sqlOf(tx).callAhead('set_config', ['role', 'nobody_at_all', true]);
    });
    await expect(refused).rejects.toMatchObject({ code: '22023' });
    expect(await tenants()).toBe(0);
  });

  describe('announcements', () => {
    let listener: Client;
    let heard: { readonly channel: string; readonly payload?: string | undefined }[];
    beforeEach(async () => {
      heard = [];
      listener = new Client({ connectionString: db.url });
      await listener.connect();
      listener.on('notification', ({ channel, payload }) => heard.push({ channel, payload }));
      await listener.query('listen test_told');
    });
    afterEach(() => listener.end());
    const announcing = (...payloads: readonly string[]): Promise<void> =>
      uow.run(newId<TenantId>(), (tx) => {
        for (const payload of payloads) sqlOf(tx).announce('test_told', payload);
        return Promise.resolve();
      });
    /** The listener hears every earlier notification before this answer. */
    const settled = async (): Promise<void> => {
      await uow.close();
      await listener.query('select 1');
    };

    it('are heard soon after the commit, once for all that say the same', async () => {
      await Promise.all([announcing('a', 'b'), announcing('a')]);
      expect(heard).toEqual([]);
      await once(listener, 'notification');
      await settled();
      expect(heard.map(({ payload }) => payload)).toEqual(['a', 'b']);
    });

    it('of a transaction that is rolled back are never made', async () => {
      const lost = uow.run(newId<TenantId>(), (tx) => {
        sqlOf(tx).announce('test_told', 'lost');
        return Promise.reject(new Error('rolled back'));
      });
      await expect(lost).rejects.toThrow('rolled back');
      await announcing('kept');
      await settled();
      expect(heard.map(({ payload }) => payload)).toEqual(['kept']);
    });
  });

  it('refuses a call after its transaction', async () => {
    const kept = await uow.run(newId<TenantId>(), (tx) => Promise.resolve(tx));
    expect(() => {
      sqlOf(kept).callAhead('set_config', ['test.said', 'a', true]);
    }).toThrow('This transaction has ended');
  });

  it('tries again if a statement sent ahead met another transaction', async () => {
    let attempts = 0;
    await uow.run(newId<TenantId>(), (tx) => {
      attempts += 1;
      if (attempts === 1) sqlOf(tx).executeAhead(raise('40001'));
      return Promise.resolve();
    });
    expect(attempts).toBe(2);
  });

  it('prepares a statement that is sent often, for every tenant its own answer', async () => {
    const ask = (tenantId: TenantId): Promise<{ id: TenantId }[]> =>
      uow.run(tenantId, (tx) => sqlOf(tx).query('select id from tenant where slug like $1', ['%']));
    const [a, b] = [newId<TenantId>(), newId<TenantId>()];
    await uow.run(a, (tx) => sqlOf(tx).execute(insertTenant, [a, 'a']));
    await uow.run(b, (tx) => sqlOf(tx).execute(insertTenant, [b, 'b']));
    for (let use = 0; use < 40; use += 1) {
      expect(await ask(a)).toEqual([{ id: a }]);
      expect(await ask(b)).toEqual([{ id: b }]);
    }
    const [row] = await dataSource.query<{ generic_plans: string }[]>(
      "select generic_plans from pg_prepared_statements where statement like 'select id from tenant where slug%'",
    );
    expect(Number(row?.generic_plans)).toBeGreaterThan(0);
  });

  it('takes nothing for a tenant but a UUID', async () => {
    const run = uow.run("x', true); drop table tenant; --" as TenantId, () => Promise.resolve());
    await expect(run).rejects.toThrow('A tenant is named by a UUID');
  });

  it('T20: a tenant set by the work itself for the session would be seen: the check above can fail', async () => {
    await uow.run(newId<TenantId>(), (tx) =>
      sqlOf(tx).query("select set_config('app.tenant_id', $1, false)", [tx.tenantId]),
    );
    const [after] = (await settings()) as { tenant: string | null }[];
    expect(after?.tenant).not.toBeNull();
  });

  it('refuses a transaction that is used after its end', async () => {
    const tenantId = newId<TenantId>();
    const kept = await uow.run(tenantId, (tx) => Promise.resolve(tx));
    expect(kept.tenantId).toBe(tenantId);
    await expect(sqlOf(kept).query('select 1')).rejects.toThrow('This transaction has ended');
  });

  it('tells the time of the database, which moves while the transaction runs', async () => {
    const [first, second] = await uow.run(newId<TenantId>(), async (tx) => {
      const before = await tx.now();
      await sqlOf(tx).query('select pg_sleep(0.02)');
      return [before, await tx.now()] as const;
    });
    expect(Number.isInteger(first)).toBe(true);
    expect(second).toBeGreaterThanOrEqual(first + 20);
  });

  it('tries again after a serialization failure and after a deadlock, three times at most', async () => {
    for (const code of ['40001', '40P01']) {
      let attempts = 0;
      const result = await uow.run(newId<TenantId>(), async (tx) => {
        attempts += 1;
        if (attempts < 4) await sqlOf(tx).query(raise(code));
        return 'done';
      });
      expect([result, attempts]).toEqual(['done', 4]);
    }
    let attempts = 0;
    const hopeless = uow.run(newId<TenantId>(), (tx) => {
      attempts += 1;
      return sqlOf(tx).query(raise('40001'));
    });
    await expect(hopeless).rejects.toMatchObject({ code: '40001' });
    expect(attempts).toBe(4);
  });

  it('does not try anything else again', async () => {
    let attempts = 0;
    const run = uow.run(newId<TenantId>(), (tx) => {
      attempts += 1;
      return sqlOf(tx).query(raise('23505'));
    });
    await expect(run).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(1);
  });

  it('ends a real deadlock: both transactions succeed in the end', async () => {
    await db.owner.query(`insert into bootstrap_token (token_digest, created_at, expires_at)
      select sha256(name), now(), now() + interval '1 hour' from unnest(array['a', 'b']::bytea[]) as name`);
    const lock = (tx: Tx, name: string): Promise<number> =>
      sqlOf(tx).execute('update bootstrap_token set used_at = used_at where token_digest = sha256($1::bytea)', [name]);
    const pair = await openDataSource({ url: db.url, poolSize: 2, applicationName: 'uow-test-pair', entities: [] });
    try {
      const both = new TypeormUnitOfWork(pair);
      let holding = 0;
      const bothHold = new EventEmitter();
      const attempts = { a: 0, b: 0 };
      const cross = (first: 'a' | 'b', second: 'a' | 'b'): Promise<string> =>
        both.run(newId<TenantId>(), async (tx) => {
          attempts[first] += 1;
          await lock(tx, first);
          if (attempts[first] === 1) {
            holding += 1;
            if (holding < 2) await once(bothHold, 'both');
            else bothHold.emit('both');
          }
          await lock(tx, second);
          return first;
        });
      expect(await Promise.all([cross('a', 'b'), cross('b', 'a')])).toEqual(['a', 'b']);
      expect(attempts.a + attempts.b).toBe(3);
    } finally {
      await pair.destroy();
    }
  });

  it('bounds a statement, a wait for a lock, and idleness', async () => {
    const impatient = new TypeormUnitOfWork(dataSource, { statementMs: 50, lockMs: 50, idleMs: 50 });
    const slow = impatient.run(newId<TenantId>(), (tx) => sqlOf(tx).query('select pg_sleep(5)'));
    await expect(slow).rejects.toMatchObject({ code: '57014' });

    const holder = await db.owner.connect();
    try {
      await holder.query('begin; lock table tenant');
      const waiting = new TypeormUnitOfWork(dataSource, { statementMs: 5_000, lockMs: 50, idleMs: 5_000 });
      const wait = waiting.run(newId<TenantId>(), (tx) => sqlOf(tx).query('select from tenant'));
      await expect(wait).rejects.toMatchObject({ code: '55P03' });
    } finally {
      await holder.query('rollback');
      holder.release();
    }

    const idle = impatient.run(newId<TenantId>(), async (tx) => {
      const [row] = await sqlOf(tx).query<{ pid: number }>('select pg_backend_pid() as pid');
      await gone(db, row?.pid ?? 0);
      return sqlOf(tx).query('select 1');
    });
    await expect(idle).rejects.toThrow();
  });

  it('names the refusing constraint without repeating the values', async () => {
    const id = newId<TenantId>();
    await uow.run(id, (tx) => sqlOf(tx).execute(insertTenant, [id, 'secret-slug']));
    const again = newId<TenantId>();
    const error: unknown = await uow
      .run(again, (tx) => sqlOf(tx).execute(insertTenant, [again, 'secret-slug']))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SqlError);
    expect(isSqlError(error, '23505', 'tenant_slug_key')).toBe(true);
    expect(isSqlError(error, '23505', 'another_key')).toBe(false);
    const shown = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error);
    expect(shown).not.toContain('secret-slug');

    const malformed = uow.run(id, (tx) => sqlOf(tx).query('select $1::text::uuid', ['hunter2']));
    await expect(malformed).rejects.toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type uuid: "..."',
    });
  });

  it('refuses an object that is no transaction of a database', () => {
    const fake: Tx = { tenantId: newId<TenantId>(), now: () => Promise.resolve(0) };
    expect(() => sqlOf(fake)).toThrow('a fake was passed to a real adapter');
  });
});

const raise = (code: string): string => `do $$ begin raise exception 'asked for' using errcode = '${code}'; end $$`;

async function terminate(adminUrl: string, pid: number): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('select pg_terminate_backend($1, 5000)', [pid]);
  } finally {
    await admin.end();
  }
}

async function gone(db: TestDatabase, pid: number): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (((await db.owner.query('select from pg_stat_activity where pid = $1', [pid])).rowCount ?? 0) > 0) {
    if (performance.now() > deadline) throw new Error('The session was not ended.');
  }
}
