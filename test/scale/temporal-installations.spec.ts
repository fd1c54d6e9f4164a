import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RunId } from '#lib/kernel';
import { packageWithTemporal, startTemporal, type TemporalServer } from '../support/temporal-server.js';
import { oneByOne, temporalWorld, type TemporalWorld } from '../support/temporal-world.js';
import { BUILT_WITHIN_MS } from '../support/through-temporal.js';
import type { WorkerProcess } from '../support/worker-process.js';

const RUNS = 6;

let temporal: TemporalServer;
let one: TemporalWorld;
let other: TemporalWorld;

beforeAll(async () => {
  temporal = await startTemporal();
  [one, other] = [await temporalWorld(temporal), await temporalWorld(temporal)];
}, BUILT_WITHIN_MS);
afterAll(async () => {
  await temporal.stop();
  await Promise.all([one, other].map((world) => world.close()));
});

async function queued({ world }: TemporalWorld): Promise<readonly RunId[]> {
  const ids: RunId[] = [];
  for (let run = 0; run < RUNS; run += 1) ids.push((await world.queued(oneByOne(2))).id);
  return ids;
}

describe('two installations on one Temporal server', () => {
  it.each([
    ['by default has its own', {}],
    ['goes on though they share one', { COUNTERSIGN_TEMPORAL_TASK_QUEUE: 'shared', COUNTERSIGN_LOOK_MS: '200' }],
  ] as const)(
    'have queues: each %s',
    async (_words, settings) => {
      const workers: WorkerProcess[] = [];
      for (const each of [one, other]) workers.push(await each.work('temporal', settings));
      const ids = await Promise.all([queued(one), queued(other)]);
      for (const [nth, each] of [one, other].entries()) {
        for (const id of ids[nth] ?? []) {
          await each.inState(id, 'completed');
          await each.expectEachOnce(id);
          expect((await temporal.workflow(each.workflowOf(id)))?.queue).toBe(
            'COUNTERSIGN_TEMPORAL_TASK_QUEUE' in settings ? 'shared' : `countersign-runs-${each.installation}`,
          );
        }
      }
      await Promise.all(workers.map((worker) => worker.kill()));
    },
    180_000,
  );
});

describe('countersign start --worker-only', () => {
  it('advances runs through Temporal, and ends by itself when asked to', async () => {
    const { id } = await one.world.queued(oneByOne(2));
    const folder = packageWithTemporal(temporal);
    const command = spawn(process.execPath, [join(folder, 'dist/programs/cli/main.js'), 'start', '--worker-only'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...one.settings(), ...temporal.settings, COUNTERSIGN_WORKER_PORT: '0' },
      stdio: 'ignore',
    });
    const exited = once(command, 'exit');
    await one.inState(id, 'completed');
    await one.expectEachOnce(id);
    expect((await temporal.workflow(one.workflowOf(id)))?.queue).toBe(`countersign-runs-${one.installation}`);
    command.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  }, 120_000);
});
