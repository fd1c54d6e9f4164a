import { Client } from 'pg';
import { runInstallation, type FinishedRun, type RunInstallation } from '../bench/run-installation.js';
import { spreadOf } from '../bench/percentile.js';
import { packageWithTemporal, startTemporal, type TemporalServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';

const TENANTS = 50;
const LOUD = 0;
/** Runs of each quiet tenant: fewer, for a first try of the test. */
const QUIET_RUNS = Number(process.env.COUNTERSIGN_LOAD_QUIET_RUNS ?? '10');
/** With ten of each of the quiet ones, a thousand. */
const LOUD_RUNS = 51 * QUIET_RUNS;
const STEPS = 2;
const AT_ONCE = 6;
const WITHIN_MS = 3_600_000;

let temporal: TemporalServer;
let installation: RunInstallation;
let admin: Client;
beforeAll(async () => {
  temporal = await startTemporal();
  installation = await runInstallation(TENANTS, { folder: packageWithTemporal(temporal), workers: 0 });
  admin = new Client({ connectionString: installation.adminUrl });
  await admin.connect();
}, WITHIN_MS);
afterAll(async () => {
  await admin.end();
  await installation.stop();
  await temporal.stop();
});

/** Queues runs of tenants, while no worker is there. @returns each, once it has made its calls. */
async function queued(
  tenants: readonly number[],
): Promise<readonly Promise<FinishedRun & { readonly tenant: number }>[]> {
  const runs: Promise<FinishedRun & { readonly tenant: number }>[] = [];
  const left = [...tenants];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let tenant = left.pop(); tenant !== undefined; tenant = left.pop()) {
        const owner = tenant;
        const start = await installation.plan(owner, STEPS);
        runs.push(start().then((run) => ({ ...run, tenant: owner })));
      }
    }),
  );
  const all = tenants.length;
  await until(async () => (await countOf("state = 'queued'")) >= all || null);
  return runs;
}

async function countOf(condition: string): Promise<number> {
  const { rows } = await admin.query<{ count: string }>(`select count(*) from run where ${condition}`);
  return Number(rows[0]?.count);
}

const quietOnes = Array.from({ length: (TENANTS - 1) * QUIET_RUNS }, (_, run) => 1 + (run % (TENANTS - 1)));

/** Milliseconds from the start of a worker to the last call of each run. */
const tookFrom = (began: number, runs: readonly FinishedRun[]): readonly number[] =>
  runs.map(({ arrivals }) => Math.max(...arrivals) - began);

const startWorker = () => installation.startWorker(temporal.settings);

describe('a thousand runs of fifty tenants through Temporal, half of them of one', () => {
  it(
    'delay quiet tenants by less than half, and none is lost or doubled if worker and server are killed',
    async () => {
      const alone = await queued(quietOnes);
      let worker = await startWorker();
      let began = performance.now();
      const quietAlone = spreadOf([...tookFrom(began, await Promise.all(alone))]);
      await worker.stop();

      const loud = await queued(Array<number>(LOUD_RUNS).fill(LOUD));
      const quiet = await queued(quietOnes);
      worker = await startWorker();
      began = performance.now();
      const quietBeside = spreadOf([...tookFrom(began, await Promise.all(quiet))]);
      const unfinished = await countOf('finished_at is null');

      await worker.kill();
      worker = await startWorker();
      await temporal.restart();
      await worker.kill();
      await startWorker();
      await Promise.all(loud);
      await until(async () => (await countOf('finished_at is null')) === 0 || null);

      const p99 = quietBeside.p99 / quietAlone.p99;
      process.stdout.write(
        `${JSON.stringify({ name: 'temporal-load', p99, median: quietBeside.median / quietAlone.median, unfinished })}\n`,
      );
      expect(await countOf("state = 'completed'")).toBe(2 * quietOnes.length + LOUD_RUNS);
      const steps = await admin.query<{ state: string; count: string }>(
        'select state, count(*) from run_step group by state',
      );
      expect(steps.rows).toEqual([{ state: 'succeeded', count: String((2 * quietOnes.length + LOUD_RUNS) * STEPS) }]);
      const doubled = await admin.query(
        'select run_step_id from step_attempt where outcome = $1 group by 1 having count(*) > 1',
        ['succeeded'],
      );
      expect(doubled.rows).toEqual([]);
      expect(unfinished).toBeGreaterThan(0);
      expect(p99).toBeLessThanOrEqual(1.5);
    },
    WITHIN_MS,
  );
});
