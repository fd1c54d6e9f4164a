import { err, type Failure, ok, type Result } from '#lib/kernel';
import { allows, wrongState } from './run-transitions.js';
import { isEnded, type LiveRun, type Run } from './run.js';
import type { RunRequest } from './run-view.js';

const STRENGTH: Readonly<Record<RunRequest, number>> = { pause: 0, cancel: 1, roll_back: 2 };

/**
 * Decides whether a run accepts this request now. A weaker request does not replace a stronger one.
 *
 * @returns the run that takes the request. Null for a request that changes nothing: the same again, or one for the present state.
 */
export function decideRequest(run: Run, request: RunRequest): Result<LiveRun | null> {
  if (run.requested === request) return ok(null);
  if (request === 'pause' && run.state === 'paused') return ok(null);
  if (request === 'roll_back' && run.state === 'rolling_back') return ok(null);
  if (isEnded(run) || !allows(run.state, request)) return err(wrongState(run.state, request));
  if (request === 'cancel' && run.rollbackReason !== null) {
    return err({
      kind: 'conflict',
      code: 'run.wrong_state',
      message: 'The run has begun to roll back: it finishes that first.',
      action: 'Resume it, and let it roll back.',
      details: { state: run.state },
    });
  }
  if (run.requested !== null && STRENGTH[request] < STRENGTH[run.requested]) {
    return err(alreadyRequested(run.requested));
  }
  return ok(run);
}

/** The refusal of a request that an earlier request excludes. */
export const alreadyRequested = (requested: RunRequest): Failure => ({
  kind: 'conflict',
  code: 'run.already_requested',
  message: `Somebody has asked the run to ${requested.replace('_', ' ')} already.`,
  action: 'Wait until that is done.',
  details: { requested },
});
