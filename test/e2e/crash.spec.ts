import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { PlanDocument } from '#lib/contracts';
import type { RunId } from '#lib/kernel';
import type { Run, RunStep } from '#lib/run';
import { runWorld, type RunWorld, valueOf } from '../support/run-world.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const KILLS = Number(process.env.COUNTERSIGN_CRASH_KILLS ?? '10');
const SEED = Number(process.env.COUNTERSIGN_CRASH_SEED ?? '20251121');
const TIME_LIMIT_SECONDS = 2;
const WITHIN_MS = 60_000;

/** Where a worker is killed: at the nth event of runs, or around the nth call. */
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

const plan = (target: string): PlanDocument => {
  const targets = { targets: { $batch: 'targets' } };
  return {
    phases: ['one', 'two'].map((name) => ({
      name,
      canary: false,
      targets: [`${target}-${name}-a`, `${target}-${name}-b`],
      batch_percent: 50,
      wait_seconds: 0,
      health_checks: [{ name: `check_${name}`, tool: 'check', arguments: targets }],
      rollback_if: `check_${name}.errors > 0`,
      steps: [
        { id: `deploy_${name}`, tool: 'deploy', arguments: targets, on_failure: 'pause' as const },
        { id: `restart_${name}`, tool: 'restart', arguments: targets, on_failure: 'retry' as const },
      ],
    })),
  };
};

describe(`T27: a worker killed ${String(KILLS)} times at step boundaries (seed ${String(SEED)})`, () => {
  const assassin = new Assassin();
  const keys = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
  let server: ToolServer;
  let world: RunWorld;
  let listener: Client;
  let worker: WorkerProcess;
  /** How often a person stated that a step did not happen and had it sent again. */
  const sentAgain = new Map<string, number>();

  const start = (): Promise<WorkerProcess> =>
    startWorkerProcess({
      DATABASE_URL: world.db.url,
      COUNTERSIGN_DATA: keys,
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(server.url).host,
      COUNTERSIGN_LEASE_MARGIN_MS: '100',
      COUNTERSIGN_SWEEP_MS: '50',
    });

  beforeAll(async () => {
    server = await toolServer({
      before: () => !assassin.at('before', worker.pid),
      after: () => !assassin.at('after', worker.pid),
      answered: () => {
        assassin.at('answered', worker.pid);
      },
    });
    world = await runWorld({ toolServer: server.url, timeLimitSeconds: TIME_LIMIT_SECONDS });
    listener = new Client({ connectionString: world.db.url });
    await listener.connect();
    listener.on('notification', () => assassin.at('event', worker.pid));
    await listener.query('listen countersign_run_event');
    worker = await start();
  }, 120_000);

  afterAll(async () => {
    assassin.disarm();
    await worker.kill();
    await listener.end();
    await server.close();
    await world.close();
    rmSync(keys, { recursive: true, force: true });
  });

  /** What a person does who finds a run paused for an unknown effect: looks into the tool server's own ledger. */
  async function resolveUnknown(run: Run): Promise<void> {
    const steps = await world.tx((tx) => world.runs.steps(tx, run.id));
    for (const step of steps.filter((candidate) => candidate.state === 'unknown')) {
      const happened = server.ledger.some((call) => call.key === step.id && call.done);
      const note = 'as the tool server’s own ledger says';
      const effect = happened ? 'happened' : 'did_not';
      valueOf(await world.resolve.execute(world.person, run.id, step.id, { effect, note }));
      if (happened) continue;
      valueOf(await world.resolve.execute(world.person, run.id, step.id, { effect: 'retry', note }));
      sentAgain.set(step.id, (sentAgain.get(step.id) ?? 0) + 1);
    }
    valueOf(await world.resume.execute(world.person, run.id, 'resolved'));
  }

  /** Looks after a run until it has ended, however long that takes, as long as something happens. */
  async function accompany(runId: RunId): Promise<Run> {
    let events = 0;
    let deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const run = await world.run(runId);
      if (run.finishedAt !== null) return run;
      if (run.state === 'paused') await resolveUnknown(run);
      if (run.eventCount > events) deadline = performance.now() + WITHIN_MS;
      events = run.eventCount;
      if (performance.now() > deadline)
        throw new Error(`run ${runId} stands still, ${run.state}: ${JSON.stringify(await world.steps(runId))}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function expectNothingLostOrDoubled(runId: RunId): Promise<void> {
    const steps = await world.tx((tx) => world.runs.steps(tx, runId));
    for (const step of steps.filter((candidate) => candidate.kind === 'call')) expectOnce(step);
    const events = await world.tx((tx) => world.runs.events(tx, runId, 0, 10_000));
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
    const recorded = await world.db.owner.query<{ count: string }>(
      `select count(*) from audit_entry where run_id = $1 and subject_type = 'run'`,
      [runId],
    );
    expect(Number(recorded.rows[0]?.count)).toBe(events.length);
  }

  function expectOnce(step: RunStep): void {
    const received = server.ledger.filter((call) => call.key === step.id);
    const done = received.filter((call) => call.done);
    expect({ step: step.stepId, state: step.state, done: done.length > 0 }).toEqual({
      step: step.stepId,
      state: 'succeeded',
      done: true,
    });
    if (step.idempotent) return;
    // Never twice by itself: each further call was asked for by a person who had stated that it did not happen.
    expect({ step: step.stepId, effects: done.length }).toEqual({ step: step.stepId, effects: 1 });
    expect(received.length).toBeLessThanOrEqual(1 + (sentAgain.get(step.id) ?? 0));
  }

  it(
    'loses nothing and doubles nothing, by the tool server’s own ledger',
    async () => {
      const random = seeded(SEED);
      let kills = 0;
      for (let round = 1; kills < KILLS; round += 1) {
        const { id } = await world.queued(plan(`host-${String(round)}`));
        const finished = accompany(id);
        while (kills < KILLS) {
          const struck = assassin.arm(POINTS[random(POINTS.length)] ?? 'event', 1 + random(4));
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
          await world.passTime(TIME_LIMIT_SECONDS + 1);
          worker = await start();
        }
        expect((await finished).state).toBe('completed');
        await expectNothingLostOrDoubled(id);
      }
      expect(kills).toBe(KILLS);
    },
    30_000 + KILLS * 30_000,
  );

  it('goes on when every connection to the database is lost, again and again', async () => {
    const admin = new Client({ connectionString: world.db.adminUrl });
    await admin.connect();
    const { id } = await world.queued(plan('host-connections'));
    const finished = accompany(id);
    let losses = 0;
    listener.on('notification', () => {
      if (losses >= 3) return;
      losses += 1;
      void admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name in ('countersign-worker', 'countersign-jobs', 'countersign-listen')`,
      );
    });
    expect((await finished).state).toBe('completed');
    await admin.end();
    expect(losses).toBe(3);
    await expectNothingLostOrDoubled(id);
  }, 120_000);

  it('ends by itself when asked to, with nothing out', async () => {
    expect(await worker.terminate()).toBe(0);
    worker = await start();
  }, 60_000);
});
