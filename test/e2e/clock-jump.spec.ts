import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanDocument } from '#lib/formats';
import type { Run } from '#lib/run';
import { faketimeLibrary, startClockedPostgres, type ClockedPostgres } from '../support/clocked-postgres.js';
import { phase, valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { runWorld, type RunWorld } from '../support/run-world.js';
import { keepTestKeyring } from '../support/seals.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const TEN_MINUTES = 600;
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

describe('T27: the clock of the database jumps ten minutes ahead, and back, in the middle of a run', () => {
  const library = faketimeLibrary;
  if (library === null) {
    it.skip('libfaketime is not installed: apt-get install libfaketime', () => undefined);
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'countersign-clock-'));
  let clocked: ClockedPostgres;
  let server: ToolServer;
  let world: RunWorld;
  let worker: WorkerProcess;
  /** The time of the clock from a call on, by the call's number. It jumps while the call is in flight. */
  const jumps = new Map([
    [1, TEN_MINUTES],
    [4, 0],
  ]);

  beforeAll(async () => {
    clocked = await startClockedPostgres(directory, library);
    server = await toolServer({
      before: (call) => {
        const to = jumps.get(call.number);
        jumps.delete(call.number);
        if (to !== undefined) clocked.moveClock(to);
        return true;
      },
    });
    keepTestKeyring(join(directory, 'keys'));
    world = await runWorld({ toolServer: server.url, timeLimitSeconds: 2, postgres: clocked.postgres });
    worker = await startWorkerProcess({
      DATABASE_URL: world.db.url,
      COUNTERSIGN_DATA: join(directory, 'keys'),
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(server.url).host,
      COUNTERSIGN_LEASE_MARGIN_MS: '100',
      COUNTERSIGN_LOOK_MS: '200',
    });
  }, 180_000);

  afterAll(async () => {
    await worker.kill();
    await server.close();
    await world.close();
    await clocked.postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function resolveUnknown(run: Run): Promise<void> {
    for (const step of await world.tx((tx) => world.runs.steps(tx, run.id))) {
      if (step.state !== 'unknown') continue;
      expect(server.ledger.filter((call) => call.key === step.id && call.done)).toHaveLength(1);
      const note = 'as the tool server’s own ledger says';
      valueOf(await world.resolve.execute(world.person, run.id, step.id, { effect: 'happened', note }));
    }
    valueOf(await world.resume.execute(world.person, run.id, 'resolved'));
  }

  it('starts no step twice that must not be, and comes to its end', async () => {
    /** Whole minutes: between two looks at two clocks some seconds may pass. */
    const clockAhead = async (): Promise<number> =>
      Math.floor(((await world.tx((tx) => tx.now())) - Date.now() + 30_000) / 60_000);
    expect(await clockAhead()).toBe(0);
    const { id } = await world.queued(PLAN);
    const deadline = performance.now() + WITHIN_MS;
    const seen = new Set<number>();
    for (;;) {
      seen.add(await clockAhead());
      const run = await world.run(id);
      if (run.finishedAt !== null) break;
      if (run.state === 'paused') await resolveUnknown(run);
      // Set back, the clock leaves the run with an appointment ten minutes away. It is kept, not lost: time catches up.
      const now = await world.tx((tx) => tx.now());
      if (jumps.size === 0 && run.nextAt !== null && run.nextAt > now + 60_000) clocked.moveClock(TEN_MINUTES);
      if (performance.now() > deadline) throw new Error(`it stands still: ${JSON.stringify(run)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([...seen]).toEqual(expect.arrayContaining([10, 0]));
    expect((await world.run(id)).state).toBe('completed');
    const steps = await world.tx((tx) => world.runs.steps(tx, id));
    expect(steps.map((step) => step.state)).toEqual(steps.map(() => 'succeeded'));
    for (const step of steps.filter(({ idempotent }) => !idempotent)) {
      expect(server.ledger.filter((call) => call.key === step.id)).toHaveLength(1);
    }
  }, 180_000);
});
