import type { RunningSimulation, Simulation } from './simulation.js';

/** Most attempts at a simulation: each crash, and each run that touches its targets meanwhile, takes another. */
export const MAX_ATTEMPTS = 20;

/** The length of a worker's lease on a simulation. */
export const LEASE_MS = 60_000;

/** The wait after the first attempt, if it met an error. */
const FIRST_WAIT_MS = 1_000;

/** The longest wait after an error: a tenant that drains before a move waits for it as for a call. */
const MAX_WAIT_MS = 8_000;

/**
 * How long a simulation waits after an attempt that met an error, in milliseconds. The waits grow, so that all attempts together outlast a
 * fault of two minutes.
 */
export const waitAfterError = (fence: number): number => Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (fence - 1));

/** The next step of a simulation. */
export type NextStep =
  | { readonly kind: 'compute'; readonly running: RunningSimulation }
  | { readonly kind: 'give_up'; readonly running: RunningSimulation }
  | { readonly kind: 'check_age' }
  | { readonly kind: 'nothing' };

/** Begins an attempt at a simulation that waits, or after the end of its lease. Each attempt has a fence of its own. */
export function beginSimulation(simulation: Simulation, now: number): NextStep {
  const due = simulation.nextAt !== null && simulation.nextAt <= now;
  switch (simulation.state) {
    case 'pending':
    case 'running': {
      if (!due) return { kind: 'nothing' };
      const startedAt = 'startedAt' in simulation ? simulation.startedAt : now;
      const fence = simulation.fence + 1;
      const running: RunningSimulation = { ...simulation, state: 'running', startedAt, fence, nextAt: now + LEASE_MS };
      return { kind: fence > MAX_ATTEMPTS ? 'give_up' : 'compute', running };
    }
    case 'succeeded':
      return { kind: due ? 'check_age' : 'nothing' };
    case 'failed':
    case 'stale':
      return { kind: 'nothing' };
  }
}
