import { bareStep, type BareStep } from './bare-step.js';
import { measurementOf, type Measurement } from './measurement.js';
import { type FinishedRun, runInstallation, type RunInstallation } from './run-installation.js';

const ROUNDS = 7;
const STEPS = 30;

/**
 * `run-step`: one dispatched step of a run, from one call's arrival at the tool server to the next one's. It is put against two
 * bare transactions that write the same rows and the bare call. `run-step/approved` is the same of a run that one person approved.
 */
export async function runStep(): Promise<readonly Measurement[]> {
  const installation = await runInstallation(1);
  try {
    const bare = await bareStep(installation, await warm(installation), 1);
    try {
      await bareSteps(bare);
      const [ratios, approved]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        const ours = timeAStep(await (await installation.plan(0, STEPS))());
        ratios.push(ours / (await bareSteps(bare)));
        const underApproval = timeAStep(await (await installation.approvedPlan(0, STEPS))());
        approved.push(underApproval / (await bareSteps(bare)));
      }
      return [measurementOf('run-step', ratios), measurementOf('run-step/approved', approved)];
    } finally {
      await bare.close();
    }
  } finally {
    await installation.stop();
  }
}

/** Runs until code and statements are warm. @returns the last run. */
async function warm({ plan, approvedPlan }: RunInstallation): Promise<string> {
  for (let run = 0; run < 2; run += 1) {
    await (
      await plan(0, STEPS)
    )();
    await (
      await approvedPlan(0, STEPS)
    )();
  }
  return (await (await plan(0, STEPS))()).id;
}

/** Milliseconds from one call to the next. */
export const timeAStep = ({ arrivals }: FinishedRun): number =>
  ((arrivals.at(-1) ?? Number.NaN) - (arrivals[0] ?? Number.NaN)) / (arrivals.length - 1);

async function bareSteps(bare: BareStep): Promise<number> {
  const started = performance.now();
  for (let step = 0; step < STEPS; step += 1) await bare.step(0);
  return (performance.now() - started) / STEPS;
}
