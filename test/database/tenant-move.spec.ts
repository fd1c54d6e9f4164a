import { sqlOf } from '#lib/database';
import { FailureError, newId, type TenantId, type Tx } from '#lib/kernel';
import { beginAs, DEFAULT_LIMITS } from '../../libs/foundation/database/src/adapters/begin-transaction.js';
import { ASK_HELD, type HeldAnswer } from '../../libs/foundation/database/src/adapters/held-tenants.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { TenantRows } from '../support/tenant-rows.js';
import { until } from '../support/until.js';
import { refusalOf } from './arrange.js';

/** A tenant is held by the state of its move, which every transaction asks for. */
describe('a tenant that moves', () => {
  let db: TestDatabase;
  let tenant: TenantId;
  let move: string;

  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });
  beforeEach(async () => {
    tenant = newId();
    move = newId();
    await new TenantRows(db.uow, tenant).tenant();
  });

  const begin = (state: string): Promise<unknown> =>
    db.owner.query(
      `insert into tenant_move (tenant_id, id, slug, state, begun_at, changed_at)
       values ($1, $2, 'acme', $3, clock_timestamp(), clock_timestamp())`,
      [tenant, move, state],
    );
  const become = async (...states: readonly string[]): Promise<void> => {
    for (const state of states)
      await db.owner.query(
        `update tenant_move set state = $1,
                held_until = case when $1 in ('draining', 'frozen', 'compared') then clock_timestamp() + interval '1 hour' end
          where id = $2`,
        [state, move],
      );
  };
  const heldUntil = (when: string): Promise<unknown> =>
    db.owner.query(`update tenant_move set held_until = clock_timestamp() + $1::interval where id = $2`, [when, move]);
  /** The tenants that are held, as each process asks. */
  const held = async (): Promise<readonly string[]> =>
    (await db.app.query<{ id: string }>('select tenant_id as id from tenant_move_held()')).rows.map(({ id }) => id);
  const run = <T>(work: (tx: Tx) => Promise<T>, of = tenant): Promise<T> => db.uow.run(of, work);
  const rename = (tx: Tx): Promise<unknown> =>
    sqlOf(tx).execute("update tenant set name = 'Other' where id = $1", [tx.tenantId]);
  const read = (tx: Tx): Promise<unknown[]> => sqlOf(tx).query('select name from tenant');
  const grant = (tx: Tx): Promise<unknown> =>
    sqlOf(tx).execute(
      `insert into call_grant (tenant_id, id, environment, audience, basis, source_type, source_id, step, attempt, tool,
                               arguments_digest, issued_at, expires_at, seal)
       values ($1, $2, 'production', 'a', 'policy', 'tool_call', $2, 'x', 1, 't', 'sha256:0', clock_timestamp(),
               clock_timestamp() + interval '1 minute', 'k.' || repeat('A', 43))`,
      [tx.tenantId, newId()],
    );
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
    );

  it('works as ever while its rows are copied', async () => {
    await begin('copying');
    expect(await codeOf(run(grant))).toBe('done');
    await become('caught_up');
    expect(await codeOf(run(rename))).toBe('done');
  });

  it('has no new call while the last ones end, and everything else goes on', async () => {
    await begin('copying');
    await become('caught_up', 'draining');
    expect(await codeOf(run(grant))).toBe('tenant.moving');
    expect(await codeOf(run(rename))).toBe('done');
  });

  it('only reads once it is frozen', async () => {
    await begin('copying');
    await become('caught_up', 'draining', 'frozen');
    expect(await codeOf(run(rename))).toBe('tenant.moving');
    expect(await run(read)).toHaveLength(1);
    await become('compared');
    expect(await codeOf(run(rename))).toBe('tenant.moving');
    await become('undone');
    expect(await codeOf(run(rename))).toBe('done');
  });

  it('is not served where it has moved from, nor yet where it arrives', async () => {
    await begin('copying');
    await become('caught_up', 'draining', 'frozen', 'compared', 'switched');
    expect(await codeOf(run(read))).toBe('tenant.moved');
    await become('done');
    expect(await codeOf(run(read))).toBe('tenant.moved');

    tenant = newId();
    move = newId();
    await begin('arriving');
    expect(await codeOf(run(read))).toBe('tenant.moved');
    await become('arrived');
    expect(await codeOf(run(read))).toBe('done');
  });

  it.each([['draining'], ['draining', 'frozen'], ['draining', 'frozen', 'compared']])(
    'works again once it was held too long: %s %s %s',
    async (...states) => {
      await begin('copying');
      await become('caught_up', ...states);
      expect(await held()).toContain(tenant);
      await heldUntil('-1 second');
      expect(await held()).not.toContain(tenant);
      expect(await codeOf(run(rename))).toBe('done');
      expect(await codeOf(run(grant))).toBe('done');
      const { rows } = await db.owner.query('select state, held_until from tenant_move where id = $1', [move]);
      expect(rows).toEqual([{ state: 'copying', held_until: null }]);
    },
  );

  it('is held for a bounded time alone, and only then', async () => {
    await begin('copying');
    await become('caught_up', 'draining');
    const without = db.owner.query("update tenant_move set state = 'frozen', held_until = null where id = $1", [move]);
    expect(await refusalOf(without)).toBe('23514');
    expect(await refusalOf(db.owner.query("update tenant_move set state = 'undone' where id = $1", [move]))).toBe(
      '23514',
    );
  });

  it('moves once at a time', async () => {
    await begin('copying');
    move = newId();
    expect(await refusalOf(begin('arriving'))).toBe('23505');
  });

  it('keeps no other tenant from anything', async () => {
    const other: TenantId = newId();
    await new TenantRows(db.uow, other).tenant();
    await begin('arriving');
    expect(await codeOf(run(rename, other))).toBe('done');
  });

  it('is asked for without a write or a word to listeners, and tells them of each change of state', async () => {
    await begin('copying');
    const listener = await db.owner.connect();
    const asker = await db.app.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    /** The payloads that listeners heard up to now; notifications come in the order of their commits. */
    const heardBy = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
      heard.length = 0;
      await work();
      await db.owner.query("select pg_notify('countersign_tenant_route', 'end')");
      await until(() => heard.includes('end'));
      return [...heard];
    };
    try {
      await listener.query('listen countersign_tenant_route');
      await asker.query('begin; select tenant_move_held()');
      const { rows: locks } = await asker.query(
        "select mode from pg_locks where pid = pg_backend_pid() and relation = 'tenant_move'::regclass",
      );
      expect(locks).toEqual([{ mode: 'AccessShareLock' }]);
      expect(await heardBy(() => asker.query('commit'))).toEqual(['end']);
      expect(await heardBy(held)).toEqual(['end']);
      const none = "update tenant set slug = slug where id = '00000000-0000-0000-0000-000000000000'";
      expect(await heardBy(() => db.owner.query(none))).toEqual(['end']);
      expect(await heardBy(() => become('caught_up'))).toEqual(['', 'end']);
    } finally {
      listener.release(true);
      asker.release();
    }
  });

  it('is held by countersign_owner alone', async () => {
    await begin('copying');
    expect(await refusalOf(db.app.query("update tenant_move set state = 'undone'"))).toBe('42501');
    expect(await refusalOf(db.app.query('delete from tenant_move'))).toBe('42501');
  });

  it('is held also from a transaction that a process had spelled before, and whose message came late', async () => {
    await begin('copying');
    const { rows } = await db.app.query<HeldAnswer>(ASK_HELD);
    const [answer] = rows;
    if (answer === undefined) throw new Error('no answer');
    const spelled = beginAs(tenant, DEFAULT_LIMITS, undefined, answer);
    await become('caught_up', 'draining', 'frozen');
    const client = await db.app.connect();
    const renamed = async (): Promise<string> => {
      await client.query(spelled);
      const refused = await refusalOf(client.query("update tenant set name = 'Late' where id = $1", [tenant]));
      await client.query('rollback');
      return refused;
    };
    try {
      // In time it is let in: the move waits for it.
      await client.query(spelled);
      await client.query("update tenant set name = 'In time' where id = $1", [tenant]);
      await client.query('rollback');
      await until(async () => {
        const { rows: clock } = await db.owner.query<{ over: boolean }>('select clock_timestamp() > $1 as over', [
          answer.knownUntil,
        ]);
        return clock[0]?.over === true;
      });
      expect(await renamed()).toBe('25006');
      await become('compared', 'switched');
      expect(await refusalOf(client.query(spelled))).toBe('CS003');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('is open to the database sessions of its move, which name it', async () => {
    await begin('arriving');
    const client = await db.app.connect();
    try {
      await client.query(`begin; set local app.tenant_id = '${tenant}'; set local app.tenant_move = '${move}'`);
      await client.query('select tenant_move_restrict()');
      await client.query(
        `rollback; begin; set local app.tenant_id = '${tenant}'; set local app.tenant_move = '${newId()}'`,
      );
      expect(await refusalOf(client.query('select tenant_move_restrict()'))).toBe('CS003');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
