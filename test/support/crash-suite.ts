import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '#lib/database';
import type { PlanDocument } from '#lib/formats';
import type { RunId } from '#lib/kernel';
import type { Run, RunStep } from '#lib/run';
import type { LedgerEntry } from '../../apps/fleet/src/ledger.js';
import { testApi, type TestApi } from './api.js';
import { serverPort } from './server-port.js';
import { callProxy, type CallProxy } from './call-proxy.js';
import { fleetTool, startFleet, type Fleet } from './fleet.js';
import { phase, valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { runWorld, type RunWorld } from './run-world.js';
import { keepTestKeyring } from './seals.js';
import { prepareWorkerProcess, type PreparedWorker, type WorkerProcess } from './worker-process.js';

export const KILLS = Number(process.env.COUNTERSIGN_CRASH_KILLS ?? '4');
export const SEED = Number(process.env.COUNTERSIGN_CRASH_SEED ?? '20251121');
/**
 * Of a call. Its grant lives as long, at most a minute. On a machine with much other work, 15 seconds went by before a grant was
 * redeemed. The step had failed then. After a kill the times in the database are moved, so no test waits for it.
 */
const TIME_LIMIT_SECONDS = 90;
const WITHIN_MS = 60_000;

/** A worker is killed about as often as another has loaded its code. */
const PREPARED = 2;

/** The moments at which workers are killed, in turn: at the nth event of runs, or around the nth call. */
const POINTS = ['event', 'before', 'after', 'answered'] as const;
type Point = (typeof POINTS)[number];

/** A generator of 32-bit numbers from a seed (xorshift32), so that a failure can be repeated. */
function seeded(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Kills the worker the moment that the armed point is reached for the nth time. */
class Assassin {
  #armed: { point: Point; left: number } | null = null;
  #strike: () => void = () => undefined;

  /** Resolves when the blow has fallen. */
  arm(point: Point, nth: number): Promise<void> {
    this.#armed = { point, left: nth };
    return new Promise((resolve) => (this.#strike = resolve));
  }

  disarm(): void {
    this.#armed = null;
    this.#strike();
  }

  /** @returns whether the worker dies here. */
  at(point: Point, pid: number): boolean {
    if (this.#armed?.point !== point) return false;
    this.#armed.left -= 1;
    if (this.#armed.left > 0) return false;
    this.#armed = null;
    process.kill(pid, 'SIGKILL');
    this.#strike();
    return true;
  }
}

/** A run that stands still is looked at this often; each event of it is told besides. */
const LOOK_MS = 1_000;

/** Has each event of a run told at its commit. The service itself tells of them later. */
async function tellEvents({ owner }: RunWorld['db']): Promise<void> {
  await owner.query(
    `create function test_tell_event() returns trigger language plpgsql as $$
     begin
       perform pg_notify('test_run_event', '');
       return null;
     end $$`,
  );
  await owner.query('create trigger test_tell_event after insert on run_event execute function test_tell_event()');
}

const SIMULATED_ELSEWHERE = { simulated_by: null, simulation: 'not_applicable' } as const;

/** The rollout is not idempotent. The drill is: the fleet acts once on two requests with one key. */
const TOOLS = [
  fleetTool('get_drift_status'),
  fleetTool('execute_rollout_nonprod', SIMULATED_ELSEWHERE),
  fleetTool('trigger_dr_drill_sandbox', { ...SIMULATED_ELSEWHERE, idempotent: true }),
];

/** Two of the twelve servers in each of two phases, in turn. */
const serversOf = (round: number): readonly (readonly string[])[] =>
  [0, 2].map((phase) =>
    [1, 2].map((nth) => `stage-web-${String((((round - 1) * 4 + phase) % 12) + nth).padStart(2, '0')}`),
  );

const imageOf = (round: number): string => `web-round-${String(round)}`;

const plan = (round: number): PlanDocument => {
  const targets = { $batch: 'targets' };
  return {
    phases: serversOf(round).map((servers, nth) => {
      const name = `phase_${String(nth + 1)}`;
      return phase(
        name,
        servers,
        [
          {
            id: `rollout_${name}`,
            tool: 'execute_rollout_nonprod',
            arguments: { targets, image: imageOf(round) },
            on_failure: 'pause',
          },
          {
            id: `drill_${name}`,
            tool: 'trigger_dr_drill_sandbox',
            arguments: { service: { $batch: 'target' }, to_region: 'eu-west-1' },
            on_failure: 'retry',
          },
        ],
        {
          batch_percent: 50,
          health_checks: [{ name: `check_${name}`, tool: 'get_drift_status', arguments: { targets } }],
          rollback_if: `check_${name}.unhealthy > 0`,
        },
      );
    }),
  };
};

/** The way in which the workers of the suite advance runs. */
export interface CrashWorkers {
  /** The time limit of a call. Set if something waits for its lease, and does not see how the times in the database are moved. */
  readonly timeLimitSeconds?: number;
  /** Settings beside those of the suite. */
  readonly settings: Readonly<Record<string, string>>;
  /** The package of the workers, if it is not the compiled one. */
  readonly folder?: string;
  /** Another server than the run's own, which its maker closes; and how workers address a database of it. */
  readonly server?: { readonly postgres: EmbeddedPostgres; url(database: string): Promise<string> };
}

/**
 * Workers killed at step boundaries. A fleet of servers with a ledger of its own says whether anything was lost or doubled.
 *
 * @param workers asked once, before the first worker.
 */
export function crashSuite(workers: () => CrashWorkers | Promise<CrashWorkers>): void {
  const assassin = new Assassin();
  const data = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
  let world: RunWorld;
  /** As workers are given it. */
  let databaseUrl: string;
  let api: TestApi;
  let publicUrl: string;
  /** By the database's clock. The connections of workers are younger than this, those of the API are not. */
  let apiStarted: string;
  let fleet: Fleet;
  let proxy: CallProxy;
  let listener: Client;
  let worker: WorkerProcess;
  let by: CrashWorkers;
  let timeLimitSeconds: number;
  /** The next workers: they load their code while another works. */
  const prepared: PreparedWorker[] = [];

  const prepare = (): PreparedWorker =>
    prepareWorkerProcess(
      {
        ...by.settings,
        DATABASE_URL: databaseUrl,
        COUNTERSIGN_DATA: data,
        COUNTERSIGN_PUBLIC_URL: publicUrl,
        COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(proxy.url).host,
        COUNTERSIGN_LEASE_MARGIN_MS: '100',
        COUNTERSIGN_LOOK_MS: '200',
      },
      by.folder,
    );

  function start(): Promise<WorkerProcess> {
    const next = prepared.shift() ?? prepare();
    while (prepared.length < PREPARED) prepared.push(prepare());
    return next.start();
  }

  beforeAll(async () => {
    by = await workers();
    timeLimitSeconds = by.timeLimitSeconds ?? TIME_LIMIT_SECONDS;
    keepTestKeyring(data);
    const postgres = by.server === undefined ? {} : { postgres: by.server.postgres };
    world = await runWorld({ tools: TOOLS, timeLimitSeconds, ...postgres });
    databaseUrl = (await by.server?.url(new URL(world.db.url).pathname.slice(1))) ?? world.db.url;
    const port = await serverPort();
    publicUrl = `http://127.0.0.1:${String(port)}`;
    api = await testApi({
      db: { ...world.db, url: databaseUrl },
      config: { publicUrl, keyDirectory: join(data, 'keys') },
    });
    await api.app.listen(port, '127.0.0.1');
    const clock = await world.db.owner.query<{ now: string }>('select clock_timestamp()::text as now');
    apiStarted = clock.rows[0]?.now ?? '';
    fleet = await startFleet(publicUrl, world.tenantId);
    proxy = await callProxy(fleet.url, {
      before: () => !assassin.at('before', worker.pid),
      after: () => !assassin.at('after', worker.pid),
      answered: () => {
        assassin.at('answered', worker.pid);
      },
    });
    await world.moveToolServer(`${proxy.url}/tools`);
    listener = new Client({ connectionString: world.db.url });
    await listener.connect();
    listener.on('notification', () => assassin.at('event', worker.pid));
    await tellEvents(world.db);
    await listener.query('listen test_run_event');
    worker = await start();
  }, 120_000);

  // One that stayed armed after a failure would kill the worker of the next test, and nobody would start another.
  afterEach(() => {
    assassin.disarm();
  });
  afterAll(async () => {
    await Promise.all([worker, ...prepared].map((each) => each.kill()));
    await listener.end();
    await proxy.close();
    await fleet.close();
    await api.close();
    await world.close();
    rmSync(data, { recursive: true, force: true });
  });

  /** Resolves an unknown step as a person would: by the fleet's own ledger. */
  async function resolveUnknown(run: Run): Promise<void> {
    const steps = await world.tx((tx) => world.runs.steps(tx, run.id));
    await proxy.quiet();
    const ledger = await fleet.ledger();
    for (const step of steps.filter((candidate) => candidate.state === 'unknown')) {
      const happened = ledger.some((entry) => entry.idempotency_key === step.id);
      const note = 'as the fleet’s own ledger says';
      const effect = happened ? 'happened' : 'did_not';
      valueOf(await world.resolve.execute(world.person, run.id, step.id, { effect, note }));
      if (happened) continue;
      valueOf(await world.resolve.execute(world.person, run.id, step.id, { effect: 'retry', note }));
    }
    const resumed = await world.resume.execute(world.person, run.id, 'resolved');
    if (resumed.ok) return;
    const after = await world.tx((tx) => world.runs.steps(tx, run.id));
    const failed = after
      .filter(({ error }) => error !== null)
      .map(({ stepId, state, error }) => ({ stepId, state, error }));
    throw new Error(`run ${run.id} does not go on (${resumed.error.code}): ${JSON.stringify(failed)}`);
  }

  /** Resolves at the next event of a run, or if none comes for a while. */
  function nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        listener.off('notification', end);
        resolve();
      };
      const timer = setTimeout(end, LOOK_MS);
      listener.on('notification', end);
    });
  }

  /** Looks after a run until it has ended, however long that takes, as long as something happens. */
  async function accompany(runId: RunId): Promise<Run> {
    let events = 0;
    let deadline = performance.now() + WITHIN_MS;
    for (;;) {
      // From before the look, so that no event is missed.
      const told = nextEvent();
      const run = await world.run(runId);
      if (run.finishedAt !== null) return run;
      if (run.state === 'paused') await resolveUnknown(run);
      if (run.eventCount > events) deadline = performance.now() + WITHIN_MS;
      events = run.eventCount;
      if (performance.now() > deadline)
        throw new Error(`run ${runId} stands still, ${run.state}: ${JSON.stringify(await world.steps(runId))}`);
      await told;
    }
  }

  async function expectNothingLostOrDoubled(runId: RunId): Promise<void> {
    const steps = await world.tx((tx) => world.runs.steps(tx, runId));
    const ledger = (await fleet.ledger()).filter((entry) => entry.source?.id === runId);
    const calls = steps.filter((candidate) => candidate.kind === 'call');
    for (const step of calls) expectOnce(step, ledger);
    const keys = calls.map((step): string | null => step.id);
    expect(ledger.filter((entry) => !keys.includes(entry.idempotency_key))).toEqual([]);
    const events = await world.tx((tx) => world.runs.events(tx, runId, 0, 10_000));
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
    const recorded = await world.db.owner.query<{ count: string }>(
      `select count(*) from audit_entry where subject_id = $1 and subject_type = 'run'`,
      [runId],
    );
    expect(Number(recorded.rows[0]?.count)).toBe(events.length);
  }

  function expectOnce(step: RunStep, ledger: readonly LedgerEntry[]): void {
    const entries = ledger.filter((entry) => entry.idempotency_key === step.id);
    const done = entries.filter((entry) => entry.repeats === null);
    expect({ step: step.stepId, state: step.state, effects: done.length }).toEqual({
      step: step.stepId,
      state: 'succeeded',
      effects: 1,
    });
    // A call that is not idempotent never reached the fleet a second time. That holds even if the fleet would have refused it.
    if (!step.idempotent)
      expect({ step: step.stepId, arrived: entries.length }).toEqual({ step: step.stepId, arrived: 1 });
  }

  async function expectImage(round: number): Promise<void> {
    const images = await fleet.images();
    for (const server of serversOf(round).flat())
      expect({ server, image: images.get(server) }).toEqual({ server, image: imageOf(round) });
  }

  it(
    'loses nothing and doubles nothing, by the fleet’s own ledger',
    async () => {
      const random = seeded(SEED);
      let kills = 0;
      for (let round = 1; kills < KILLS; round += 1) {
        const { id } = await world.queued(plan(round));
        const finished = accompany(id);
        while (kills < KILLS) {
          const struck = assassin.arm(POINTS[kills % POINTS.length] ?? 'event', 1 + random(4));
          const first = await Promise.race([
            struck.then(() => 'struck' as const),
            finished.then(() => 'finished' as const),
          ]);
          if (first === 'finished') {
            assassin.disarm();
            break;
          }
          kills += 1;
          await worker.kill();
          await world.passTime(timeLimitSeconds + 1);
          worker = await start();
        }
        expect((await finished).state).toBe('completed');
        await expectNothingLostOrDoubled(id);
        await expectImage(round);
      }
      expect(kills).toBe(KILLS);
    },
    30_000 + KILLS * 30_000,
  );

  it('goes on when every connection of the worker to the database is lost, again and again', async () => {
    const admin = new Client({ connectionString: world.db.adminUrl });
    await admin.connect();
    const { id } = await world.queued(plan(1));
    const finished = accompany(id);
    const losses: Promise<readonly string[]>[] = [];
    const lose = async (): Promise<readonly string[]> => {
      const { rows } = await admin.query<{ application_name: string }>(
        `select application_name, pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and backend_start > $1
            and application_name in ('countersign-worker', 'countersign-listen')`,
        [apiStarted],
      );
      return rows.map(({ application_name: name }) => name);
    };
    listener.on('notification', () => {
      if (losses.length < 3) losses.push(lose());
    });
    expect((await finished).state).toBe('completed');
    const lost = await Promise.all(losses);
    await admin.end();
    expect(lost).toHaveLength(3);
    expect(new Set(lost.flat())).toEqual(new Set(['countersign-worker', 'countersign-listen']));
    await expectNothingLostOrDoubled(id);
  }, 120_000);

  it('ends by itself when asked to, with nothing out', async () => {
    expect(await worker.terminate()).toBe(0);
    worker = await start();
  }, 60_000);
}
