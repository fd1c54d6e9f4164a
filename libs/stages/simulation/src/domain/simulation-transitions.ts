import type { SimulationState } from '#lib/formats';

/**
 * The lifecycle of a simulation; migrations/0120_simulation.sql holds the same rows.
 *
 *   pending ──begin──▶ running ──succeed──▶ succeeded ──outdate──▶ stale
 *                         └──fail──▶ failed
 */
export const SIMULATION_TRANSITIONS = [
  { from: '', event: 'ask', to: 'pending' },
  { from: 'pending', event: 'begin', to: 'running' },
  { from: 'running', event: 'succeed', to: 'succeeded' },
  { from: 'running', event: 'fail', to: 'failed' },
  { from: 'succeeded', event: 'outdate', to: 'stale' },
] as const satisfies readonly { from: SimulationState | ''; event: string; to: SimulationState }[];
