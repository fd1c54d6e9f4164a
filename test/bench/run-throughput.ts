import { bareStep, type BareStep } from './bare-step.js';
import { measurementOf, type Measurement } from './measurement.js';
import { runInstallation, type RunInstallation } from './run-installation.js';

const ROUNDS = 5;
const TENANTS = 4;
const RUNS = 20;
const STEPS = 30;
/** Steps a second of twenty workflows of a bare Temporal server, on the same two cores. */
const TO_BEAT = 200;

/**
 * `run-throughput`: steps a second over twenty runs of four tenants side by side. The other side is as many clients that each do
 * the bare work; and over 200 a second. The runs of `run-throughput/approved` are each approved by one person.
 */
export async function runThroughput(): Promise<readonly Measurement[]> {
  const installation = await runInstallation(TENANTS);
  try {
    const bare = await bareStep(installation, await oneRun(installation), RUNS);
    try {
      const { plan, approvedPlan } = installation;
      await ours(installation, plan);
      await ours(installation, approvedPlan);
      await theirs(bare);
      const [ratios, absolute, approved]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        const steps = await ours(installation, plan);
        ratios.push(steps / (await theirs(bare)));
        absolute.push(steps / TO_BEAT);
        approved.push((await ours(installation, approvedPlan)) / (await theirs(bare)));
      }
      return [
        measurementOf('run-throughput', ratios),
        measurementOf('run-throughput/over-200-a-second', absolute),
        measurementOf('run-throughput/approved', approved),
      ];
    } finally {
      await bare.close();
    }
  } finally {
    await installation.stop();
  }
}

const oneRun = async ({ plan }: RunInstallation): Promise<string> => (await (await plan(0, STEPS))()).id;

/** Steps a second, from the first call of any run to the last of all. */
async function ours({ tenants }: RunInstallation, plan: RunInstallation['plan']): Promise<number> {
  const starts: (() => ReturnType<Awaited<ReturnType<typeof plan>>>)[] = [];
  for (let run = 0; run < RUNS; run += 1) starts.push(await plan(run % tenants, STEPS));
  const runs = await Promise.all(starts.map((start) => start()));
  const arrivals = runs.flatMap((run) => run.arrivals);
  return (arrivals.length * 1_000) / (Math.max(...arrivals) - Math.min(...arrivals));
}

async function theirs(bare: BareStep): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: RUNS }, async (_, client) => {
      for (let step = 0; step < STEPS; step += 1) await bare.step(client);
    }),
  );
  return (RUNS * STEPS * 1_000) / (performance.now() - started);
}
