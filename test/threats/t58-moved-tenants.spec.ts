import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { RunId } from '#lib/kernel';
import type { MoveState } from '#lib/tenant-move';
import { expectStatus, type TestAgent, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { rolloutToolServer, type RolloutToolServer } from '../support/rollout-tool-server.js';
import { anotherTaskSpec } from '../support/stages.js';
import { twoCells } from '../support/two-cells.js';
import { until } from '../support/until.js';
import { verifiedBy } from '../support/verified-by.js';
import { workerOf } from '../support/worker.js';

const WITHIN_MS = 180_000;
const ROLLOUT_MS = 400;
/** Ten times a second. */
const WORKS_EVERY_MS = 100;
/** The states of a move in which a cell takes what the agent writes. */
const WORKS_IN: readonly MoveState[] = ['copying', 'caught_up', 'draining', 'done'];
/** Of workers, which hear of most jobs by hints. */
const LOOK_MS = 500;

describe('T58: the move of a tenant is interrupted', () => {
  let tools: RolloutToolServer;
  let cells: Awaited<ReturnType<typeof twoCells>>;
  let workers: Awaited<ReturnType<typeof workerOf>>[] = [];
  let one: PopulatedTenant;
  let rita: TestPerson;
  let agent: TestAgent;
  let stays: TestTenant;
  let lives: TestTenant;
  /** Ends the work of the agent: before the cells close, if its test failed. */
  let rest = (): Promise<void> => Promise.resolve();

  beforeAll(async () => {
    tools = await rolloutToolServer(ROLLOUT_MS);
    cells = await twoCells({ config: { allowedPrivateHosts: [`127.0.0.1:${String(tools.port)}`] } });
    one = await populatedTenant(cells.source, tools.port);
    rita = await cells.source.person(one.tenant, 'PlatformAdmin', 'SecurityReviewer', 'SRELead');
    agent = await cells.source.agent(one.tenant, rita);
    stays = await cells.source.tenant('stays');
    lives = await cells.target.tenant('lives');
    // Two runs wait in the queue, and both want the same targets. The run of the emergency takes them first.
    const { items } = expectStatus(await one.everything.get('/v1/runs'), 200).body as { items: { id: RunId }[] };
    const emergency = items.filter(({ id }) => id !== one.ids.run);
    for (const { id } of emergency) await cells.source.installation.run.advance.execute(one.tenant.id, id);
    expect(emergency).toHaveLength(1);
    workers = await Promise.all([cells.source, cells.target].map((cell) => workerOf(cell, { lookMs: LOOK_MS })));
  }, WITHIN_MS);
  afterAll(async () => {
    await rest();
    await Promise.all(workers.map((worker) => worker.stop()));
    await cells.close();
    await tools.close();
  });

  /** The answer of each cell to a read of the tenant. */
  const answers = async (): Promise<readonly string[]> =>
    Promise.all(
      [cells.source, cells.target].map(async (api) => {
        const { status, body } = await api.http(one.tenant.admin.token).get('/v1/people');
        return status === 200 ? 'served' : (body as { code: string }).code;
      }),
    );

  /** Every row of a tenant in a cell, by table, as one digest; and everything that a move makes beside rows. */
  const rowsOf = async (api: TestApi, tenantId: string): Promise<ReadonlyMap<string, string>> => {
    const { rows: tables } = await api.db.owner.query<{ name: string; of: string }>(
      `select c.relname as name, case when c.relname = 'tenant' then 'id' else 'tenant_id' end as of
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and c.relpersistence = 'p' and c.relname <> 'tenant_move'
          and exists (select from pg_attribute a where a.attrelid = c.oid
                       and a.attname = case when c.relname = 'tenant' then 'id' else 'tenant_id' end)`,
    );
    const found = new Map<string, string>();
    for (const { name, of } of tables) {
      const { rows } = await api.db.owner.query<{ rows: string | null }>(
        `select string_agg(t::text, '|' order by t::text) as rows from ${name} t where ${of} = $1`,
        [tenantId],
      );
      if (rows[0]?.rows !== null) found.set(name, rows[0]?.rows ?? '');
    }
    return found;
  };
  const leftovers = async (api: TestApi): Promise<unknown> => {
    const client = new Client({ connectionString: api.db.adminUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ left: string[] | null }>(
        `select array_agg(name) as left from (
           select pubname::text as name from pg_publication union all select subname::text from pg_subscription
           union all select slot_name::text from pg_replication_slots
           union all select rolname::text from pg_roles where rolname like 'countersign\\_move%') made`,
      );
      return rows[0]?.left;
    } finally {
      await client.end();
    }
  };
  const agentsTask = async (api: TestApi): Promise<string | null> => {
    const answer = await api.http(agent.token).post('/v1/tasks', anotherTaskSpec());
    if (answer.status === 201) return answer.body.id as string;
    if (answer.status >= 500 || answer.status === 401) return null;
    throw new Error(answer.text);
  };

  it(
    'is undone in the middle of its copy: the source serves the tenant, and the target has nothing of it',
    async () => {
      const nowhere = await cells.move(one.tenant.slug, { cell: 'nowhere' });
      expect(nowhere).toMatchObject({ ok: false, error: { code: 'tenant_move.unknown_cell' } });
      const moving = cells.move(one.tenant.slug, {
        looks: () => {
          throw new Error('interrupted');
        },
      });
      await expect(moving).rejects.toThrow('interrupted');
      expect(await leftovers(cells.target)).toHaveLength(1);
      expect(await cells.move(one.tenant.slug, { undo: true })).toMatchObject({ ok: true, value: { state: 'undone' } });
      expect(await answers()).toEqual(['served', 'credential.unknown']);
      expect([...(await rowsOf(cells.target, one.tenant.id)).keys()]).toEqual([]);
      expect([await leftovers(cells.source), await leftovers(cells.target)]).toEqual([null, null]);
    },
    WITHIN_MS,
  );

  it(
    'is let go by the database if its command dies while it is frozen, and given back at its switch',
    async () => {
      const { slug } = one.tenant;
      const diesAt =
        (at: MoveState) =>
        (state: MoveState): void => {
          if (state === at) throw new Error('died');
        };
      await expect(cells.move(slug, { reached: diesAt('frozen'), freezeMs: 3_000 })).rejects.toThrow('died');
      await until(async () => (await agentsTask(cells.source)) === null);
      await until(async () => (await agentsTask(cells.source)) !== null);

      await expect(cells.move(slug, { reached: diesAt('switched') })).rejects.toThrow('died');
      expect(await answers()).toEqual(['tenant.moved', 'tenant.moved']);
      expect(await cells.move(slug, { undo: true })).toMatchObject({ ok: true, value: { state: 'undone' } });
      expect(await answers()).toEqual(['served', 'credential.unknown']);
      expect([...(await rowsOf(cells.target, one.tenant.id)).keys()]).toEqual([]);
      expect([await leftovers(cells.source), await leftovers(cells.target)]).toEqual([null, null]);
      expect(await cells.map.tenants()).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    'goes on where it stood: one cell at most serves the tenant, and nothing is lost or done twice',
    async () => {
      const others = [await rowsOf(cells.source, stays.id), await rowsOf(cells.target, lives.id)];
      const pack = expectStatus(await one.everything.post(`/v1/plans/${one.ids.plan ?? ''}/evidence`, {}), 200).text;
      const acknowledged: string[] = [];
      const working = { over: false };
      const work = (async () => {
        let api = cells.source;
        while (!working.over) {
          const id = await agentsTask(api);
          if (id === null) api = api === cells.source ? cells.target : cells.source;
          else acknowledged.push(id);
          await delay(WORKS_EVERY_MS);
        }
      })();
      rest = () => {
        working.over = true;
        return work;
      };

      const interrupted: MoveState[] = [];
      const seen: [MoveState | undefined, readonly string[]][] = [];
      const stop = (state: MoveState): void => {
        if (interrupted.includes(state)) return;
        interrupted.push(state);
        throw new Error(`interrupted at ${state}`);
      };
      /** Until the agent has written in this state: its first answer may be that of a call from before. */
      const worked = async (): Promise<void> => {
        const before = acknowledged.length;
        await until(() => acknowledged.length > before + 1);
      };
      for (;;) {
        const result = await cells.move(one.tenant.slug, { reached: stop }).catch((error: unknown) => error);
        if (!(result instanceof Error)) {
          expect(result).toMatchObject({ ok: true, value: { state: 'done' } });
          break;
        }
        expect(result.message).toMatch(/^interrupted at /);
        seen.push([interrupted.at(-1), await answers()]);
        if (WORKS_IN.some((state) => state === interrupted.at(-1))) await worked();
      }
      const elsewhere = expect.not.stringMatching('served');
      expect(seen).toEqual([
        ['copying', ['served', elsewhere]],
        ['caught_up', ['served', elsewhere]],
        ['draining', ['served', elsewhere]],
        ['frozen', ['served', elsewhere]],
        ['compared', ['served', elsewhere]],
        ['switched', ['tenant.moved', 'tenant.moved']],
        ['done', ['tenant.moved', 'served']],
      ]);

      const there = cells.target.http(rita.token);
      // The run of the emergency goes on from its rows, and the other one finds its targets touched.
      const states = async (): Promise<readonly string[]> =>
        (expectStatus(await there.get('/v1/runs'), 200).body.items as { state: string }[])
          .map(({ state }) => state)
          .sort();
      await until(async () => !(await states()).some((state) => ['queued', 'executing'].includes(state)));
      await rest();
      expect(await states()).toEqual(['completed', 'failed']);
      expect([...tools.executed.values()].filter((times) => times !== 1)).toEqual([]);
      for (const id of acknowledged) expectStatus(await there.get(`/v1/tasks/${id}`), 200);
      expect(acknowledged.length).toBeGreaterThan(10);

      // Packs from before and after verify with the keys of the target.
      await cells.target.installation.audit.log.sequence.execute(one.tenant.id);
      const after = expectStatus(await there.post(`/v1/plans/${one.ids.plan ?? ''}/evidence`, {}), 200).text;
      for (const text of [pack, after])
        expect(await verifiedBy(there, text)).toMatchObject({ failure: null, outcome: 'verified' });

      expect(await cells.move(one.tenant.slug, { undo: true })).toMatchObject({
        ok: false,
        error: { code: 'tenant_move.too_late' },
      });
      expect([await leftovers(cells.source), await leftovers(cells.target)]).toEqual([null, null]);
      expect([await rowsOf(cells.source, stays.id), await rowsOf(cells.target, lives.id)]).toEqual(others);
      const { id, slug } = one.tenant;
      expect(await cells.map.tenants()).toEqual([{ id, slug, host: null, cell: 'eu2' }]);
    },
    WITHIN_MS,
  );

  it(
    'comes back once its former installation has forgotten it, and its log is one history',
    async () => {
      const { id, slug } = one.tenant;
      const others = await rowsOf(cells.source, stays.id);
      expect(await cells.moveBack(slug)).toMatchObject({ ok: false, error: { code: 'tenant_move.lived_there' } });
      expect(await cells.forgetAtSource(slug)).toMatchObject({ ok: true, value: { tenantId: id } });
      expect([...(await rowsOf(cells.source, id)).keys()]).toEqual([]);
      expect(await answers()).toEqual(['credential.unknown', 'served']);
      expect(await cells.moveBack(slug)).toMatchObject({ ok: true, value: { state: 'done', epoch: 3 } });
      expect(await answers()).toEqual(['served', 'tenant.moved']);
      expect(await cells.map.tenants()).toMatchObject([{ slug, cell: 'eu1' }]);
      expect(await rowsOf(cells.source, stays.id)).toEqual(others);
      await cells.source.installation.audit.log.sequence.execute(id);
      const here = cells.source.http(rita.token);
      const pack = expectStatus(await one.everything.post(`/v1/plans/${one.ids.plan ?? ''}/evidence`, {}), 200).text;
      expect(await verifiedBy(here, pack)).toMatchObject({ failure: null, outcome: 'verified' });
      const entries = async (action: string): Promise<number> =>
        (expectStatus(await here.get(`/v1/audit/entries?action=${action}`), 200).body.items as unknown[]).length;
      expect(await entries('tenant.leaving')).toBeGreaterThan(1);
      expect([await entries('tenant.arrived'), await entries('tenant.stayed')]).toEqual([2, 2]);
    },
    WITHIN_MS,
  );

  it('leaves no password of its logins in a log, although each of its statements is there', async () => {
    const logs = await cells.serverLogs();
    expect(logs[0]).toContain('create role countersign_move_');
    expect(logs[1]).toContain('create subscription countersign_move_');
    expect(cells.passwords.length).toBeGreaterThan(2);
    // A line with one, without the whole log.
    const told = logs.flatMap((log) =>
      log.split('\n').filter((line) => cells.passwords.some((each) => line.includes(each))),
    );
    expect(told).toEqual([]);
  });
});
