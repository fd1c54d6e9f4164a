import { err, ok, type Failure, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
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

/** The events of a simulation after it was asked for. */
export type SimulationEvent = Exclude<(typeof SIMULATION_TRANSITIONS)[number]['event'], 'ask'>;

/** The state after `event`, or `simulation.illegal_transition`. */
export function nextSimulationState(state: SimulationState, event: SimulationEvent): Result<SimulationState> {
  const row = SIMULATION_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  return row === undefined ? err(illegalTransition(state, event)) : ok(row.to);
}

const illegalTransition = (state: SimulationState, event: SimulationEvent): Failure => ({
  kind: 'conflict',
  code: 'simulation.illegal_transition',
  message: `A simulation that is ${stateInWords(state)} cannot ${event}.`,
  action: 'Read the simulation again and decide from the state it is in now.',
  details: { state, event },
});
