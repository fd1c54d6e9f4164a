import { err, type Failure, ok, type Result } from '#lib/kernel';
import { nextRunState } from './run-transitions.js';
import type { Run } from './run.js';
import type { RunRequest } from './run-view.js';

const STRENGTH: Readonly<Record<RunRequest, number>> = { pause: 0, cancel: 1, roll_back: 2 };

/**
 * Decides whether a run accepts this request now. The same request again, or one for the present state, is `unchanged`; a weaker
 * request does not replace a stronger one.
 */
export function decideRequest(
  run: Pick<Run, 'state' | 'requested' | 'rollbackReason'>,
  request: RunRequest,
): Result<'ask' | 'unchanged'> {
  if (run.requested === request) return ok('unchanged');
  if (request === 'pause' && run.state === 'paused') return ok('unchanged');
  if (request === 'roll_back' && run.state === 'rolling_back') return ok('unchanged');
  const legal = nextRunState(run.state, request);
  if (!legal.ok) return legal;
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
  return ok('ask');
}

/** The refusal of a request that an earlier request excludes. */
export const alreadyRequested = (requested: RunRequest): Failure => ({
  kind: 'conflict',
  code: 'run.already_requested',
  message: `Somebody has asked the run to ${requested.replace('_', ' ')} already.`,
  action: 'Wait until that is done.',
  details: { requested },
});
