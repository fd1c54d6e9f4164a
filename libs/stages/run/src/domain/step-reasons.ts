import type { JsonObject } from '#lib/canonical';
import type { PauseCode } from './next-action.js';
import { RUN_TIME_LIMIT_MINUTES } from './run-time-limit.js';
import type { RunReason } from './run.js';
import type { RunStep } from './run-step.js';

/** How events name a step. */
export const stepFacts = (step: RunStep): JsonObject => ({
  run_step_id: step.id,
  step_id: step.stepId,
  kind: step.kind,
  seq: step.seq,
  phase_index: step.phaseIndex,
  batch_index: step.batchIndex,
});

/** The reason for the pause of a run that went on for too long. */
export const TIME_LIMIT: RunReason = {
  code: 'run.time_limit',
  message: `It has gone on for ${String(RUN_TIME_LIMIT_MINUTES)} minutes, as long as a run may. A person resumes it, for as long again, or ends it.`,
  details: { limit_minutes: RUN_TIME_LIMIT_MINUTES },
};

/** The reason for a pause or a rollback after a failed step. */
export const stepFailed = (step: RunStep): RunReason => ({
  code: 'run.step_failed',
  message: `Step "${step.stepId}" failed${step.error === null ? '' : `: ${step.error.message}`}.`,
  details: { ...stepFacts(step), error: step.error === null ? null : { ...step.error } },
});

/** The reason for the pause of a run at a step. */
export function pauseReason(code: PauseCode, step: RunStep): RunReason {
  const details = { ...stepFacts(step), error: step.error === null ? null : { ...step.error } };
  switch (code) {
    case 'run.effect_unknown':
      return {
        code,
        message: `Nobody can say whether "${step.stepId}" happened: a person finds out and resolves it.`,
        details,
      };
    case 'run.health_check_failed':
      return { code, message: `Health check "${step.stepId}" failed: ${step.error?.message ?? 'no answer'}`, details };
    case 'run.step_not_taken':
      return {
        code,
        message: `Step "${step.stepId}" did not start: ${step.error?.message ?? 'No executor took it.'}`,
        details,
      };
    case 'run.step_failed':
      return stepFailed(step);
  }
}
