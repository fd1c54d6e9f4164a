import { measurementOf, type Measurement } from './measurement.js';
import { runInstallation } from './run-installation.js';
import { timeAStep } from './run-step.js';

const ROUNDS = 5;
const FEW = 20;
const MANY = 500;

/**
 * `plan-growth`: the time of a step in a run of 500 steps over that in a run of 20. A round takes the mean of five runs of 20.
 */
export async function planGrowth(): Promise<readonly Measurement[]> {
  const { plan, stop } = await runInstallation(1);
  try {
    for (let run = 0; run < 3; run += 1) await (await plan(0, FEW))();
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const few: number[] = [];
      for (let run = 0; run < 5; run += 1) few.push(timeAStep(await (await plan(0, FEW))()));
      const many = timeAStep(await (await plan(0, MANY))());
      ratios.push(many / (few.reduce((sum, time) => sum + time) / few.length));
    }
    return [measurementOf('plan-growth', ratios)];
  } finally {
    await stop();
  }
}
