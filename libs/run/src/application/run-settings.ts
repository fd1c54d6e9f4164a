import type { RunSettings } from './run.ports.js';

/** An answer is waited for this much longer than the tool's own limit: connecting, and writing the answer, take time. */
const LEASE_MARGIN_MS = 10_000;

/**
 * Reads `COUNTERSIGN_RUN_LEASE_MARGIN_MS`, and `COUNTERSIGN_DEMO_WAIT_SCALE`, which counts only beside `COUNTERSIGN_DEMO=1`:
 * outside a demonstration a wait is what was approved.
 *
 * @throws {Error} naming the variable that is wrong.
 */
export function runSettingsFrom(environment: Readonly<Record<string, string | undefined>>): RunSettings {
  const demo = environment['COUNTERSIGN_DEMO'] === '1';
  return {
    leaseMarginMs: numberOf(environment, 'COUNTERSIGN_RUN_LEASE_MARGIN_MS', LEASE_MARGIN_MS, 100, 600_000),
    waitScale: demo ? numberOf(environment, 'COUNTERSIGN_DEMO_WAIT_SCALE', 1, 0.000_1, 1) : 1,
  };
}

function numberOf(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  otherwise: number,
  least: number,
  most: number,
): number {
  const text = environment[name];
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= most)) {
    throw new Error(`${name} must be a number from ${String(least)} to ${String(most)}.`);
  }
  return value;
}
