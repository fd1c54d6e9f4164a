import { packageWithTemporal, startTemporal } from '../support/temporal-server.js';
import { bareTemporal, type BareTemporal } from './bare-temporal.js';
import { measurementOf, type Measurement } from './measurement.js';
import { runInstallation, type RunInstallation } from './run-installation.js';

const ROUNDS = 5;
const TENANTS = 4;
const RUNS = 12;
const STEPS = 12;

/** Milliseconds a step: of one run alone, and of many runs at once. */
interface Times {
  readonly alone: number;
  readonly together: number;
}

/**
 * `dispatcher`: the time of a step of a run over that of a bare Temporal activity, which does nothing. The step goes through
 * Temporal and through the embedded dispatcher. `/alone` is one run, and one workflow, at a time. `/together` is the machine's
 * time for a step of twelve runs at once, over twelve workflows: steps a second, turned over. All sides are on the same two
 * cores, with the same Temporal server.
 */
export async function dispatcher(): Promise<readonly Measurement[]> {
  const temporal = await startTemporal();
  try {
    const folder = packageWithTemporal(temporal);
    const installation = await runInstallation(TENANTS, { folder, workers: 0 });
    try {
      const { COUNTERSIGN_TEMPORAL_ADDRESS: address, COUNTERSIGN_TEMPORAL_NAMESPACE: namespace } = temporal.settings;
      const bare = await bareTemporal(folder, address ?? '', namespace ?? '');
      try {
        return await rounds(installation, bare, temporal.settings);
      } finally {
        await bare.close();
      }
    } finally {
      await installation.stop();
    }
  } finally {
    await temporal.stop();
  }
}

async function rounds(
  installation: RunInstallation,
  bare: BareTemporal,
  settings: Readonly<Record<string, string>>,
): Promise<readonly Measurement[]> {
  const ways = { temporal: settings, embedded: {} };
  const ratios = new Map<string, number[]>();
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [way, chosen] of Object.entries(ways)) {
      const worker = await installation.startWorker(chosen);
      const ours = await timesOf(installation);
      await worker.stop();
      const theirs = {
        alone: (await bare.run(1, STEPS)) / STEPS,
        together: (await bare.run(RUNS, STEPS)) / (RUNS * STEPS),
      };
      // The first round warms every side up.
      if (round < 0) continue;
      for (const kind of ['alone', 'together'] as const) {
        const name = `dispatcher/${way}/${kind}`;
        ratios.set(name, [...(ratios.get(name) ?? []), ours[kind] / theirs[kind]]);
      }
    }
  }
  return [...ratios].map(([name, values]) => measurementOf(name, values));
}

async function timesOf({ plan, tenants }: RunInstallation): Promise<Times> {
  // A worker has just started: its first run loads and compiles.
  await (
    await plan(0, STEPS)
  )();
  const one = await (await plan(0, STEPS))();
  const starts = await Promise.all(Array.from({ length: RUNS }, (_, run) => plan(run % tenants, STEPS)));
  const many = await Promise.all(starts.map((start) => start()));
  const arrivals = many.flatMap((run) => run.arrivals);
  return { alone: between(one.arrivals), together: between(arrivals) };
}

/** Milliseconds a call, from the first to the last. */
const between = (arrivals: readonly number[]): number =>
  (Math.max(...arrivals) - Math.min(...arrivals)) / (arrivals.length - 1);
