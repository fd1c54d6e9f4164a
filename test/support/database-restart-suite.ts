import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot, startEmbeddedPostgres, type EmbeddedPostgres } from '#lib/database';
import type { PlanDocument } from '#lib/formats';
import type { RunId } from '#lib/kernel';
import type { Run } from '#lib/run';
import { phase, valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { runWorld, type RunWorld } from './run-world.js';
import { keepTestKeyring } from './seals.js';
import { toolServer, type ToolServer } from './tool-server.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';

const TIME_LIMIT_SECONDS = 2;
const WITHIN_MS = 90_000;
const targets = { targets: { $batch: 'targets' } };

const PLAN: PlanDocument = {
  phases: ['one', 'two', 'three'].map((name) =>
    phase(
      name,
      [`host-${name}`],
      [
        { id: `deploy_${name}`, tool: 'deploy', arguments: targets, on_failure: 'pause' },
        { id: `restart_${name}`, tool: 'restart', arguments: targets, on_failure: 'retry' },
      ],
    ),
  ),
};

/** A server that the suite stops and starts, and its folder. */
export interface RestartedServer {
  readonly postgres: EmbeddedPostgres;
  readonly folder: string;
}

/**
 * The database is stopped and started in the middle of a run.
 *
 * @param open starts a server of the suite's own, in the folder or elsewhere. Called once; the suite stops the server.
 */
export function databaseRestartSuite(open: (folder: string) => Promise<RestartedServer>): void {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-restart-'));
  let data: string;
  let postgres: EmbeddedPostgres;
  let server: ToolServer;
  let world: RunWorld;
  let worker: WorkerProcess;
  /** Calls at which the database goes down: while a call is in flight. */
  const fatal = new Set([1, 4]);
  let restarts = 0;

  /** An immediate shutdown: nothing is flushed, and the log is replayed at the next start. */
  async function restart(): Promise<void> {
    process.kill(postgres.pid, 'SIGQUIT');
    const { port } = postgres;
    const deadline = performance.now() + WITHIN_MS;
    for (let running = true; running;) {
      try {
        process.kill(postgres.pid, 0);
        if (performance.now() > deadline) throw new Error('PostgreSQL does not stop');
        await new Promise((resolve) => setTimeout(resolve, 20));
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
        running = false;
      }
    }
    postgres = await startEmbeddedPostgres({ directory: data, root: packageRoot(), port });
    expect(postgres.port).toBe(port);
    restarts += 1;
  }

  beforeAll(async () => {
    ({ postgres, folder: data } = await open(join(directory, 'postgres')));
    server = await toolServer({
      before: async (call) => {
        if (fatal.delete(call.number)) await restart();
        return true;
      },
    });
    keepTestKeyring(directory);
    world = await runWorld({ toolServer: server.url, timeLimitSeconds: TIME_LIMIT_SECONDS, postgres });
    worker = await startWorkerProcess({
      DATABASE_URL: world.db.url,
      COUNTERSIGN_DATA: directory,
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(server.url).host,
      COUNTERSIGN_LEASE_MARGIN_MS: '100',
      COUNTERSIGN_LOOK_MS: '200',
    });
  }, 180_000);

  afterAll(async () => {
    await worker.kill();
    await server.close();
    await world.close();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** The run; null while the database is not there. */
  const read = (runId: RunId): Promise<Run | null> => world.run(runId).catch(() => null);

  async function resolveUnknown(run: Run): Promise<void> {
    for (const step of await world.tx((tx) => world.runs.steps(tx, run.id))) {
      if (step.state !== 'unknown') continue;
      const note = 'as the tool server’s own ledger says';
      expect(server.ledger.filter((call) => call.key === step.id && call.done)).toHaveLength(1);
      valueOf(await world.resolve.execute(world.person, run.id, step.id, { effect: 'happened', note }));
    }
    valueOf(await world.resume.execute(world.person, run.id, 'resolved'));
  }

  it('loses nothing that was acknowledged and doubles nothing', async () => {
    const { id } = await world.queued(PLAN);
    const deadline = performance.now() + WITHIN_MS;
    let acknowledged = 0;
    for (;;) {
      const run = await read(id);
      if (run !== null) {
        // Events that were once read as committed are there after every restart.
        expect(run.eventCount).toBeGreaterThanOrEqual(acknowledged);
        acknowledged = run.eventCount;
        if (run.finishedAt !== null) break;
        if (run.state === 'paused') await resolveUnknown(run);
      }
      if (performance.now() > deadline) throw new Error(`it stands still: ${JSON.stringify(run)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(restarts).toBe(2);
    expect((await world.run(id)).state).toBe('completed');
    const steps = await world.tx((tx) => world.runs.steps(tx, id));
    expect(steps.map((step) => step.state)).toEqual(steps.map(() => 'succeeded'));
    for (const step of steps.filter(({ idempotent }) => !idempotent)) {
      expect(server.ledger.filter((call) => call.key === step.id)).toHaveLength(1);
    }
    const events = await world.tx((tx) => world.runs.events(tx, id, 0, 10_000));
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
  }, 180_000);
}
