/**
 * Runs execute approved plans step by step. They are the last stage of the main job.
 *
 * Invariants: nothing is executed but the expanded plan with the approved digest, and policy is asked again before every
 * step; a step that is not idempotent never starts twice; an effect that cannot be known is `unknown` and waits for a person; two
 * runs never hold the same target of an environment; every turn is decided from locked rows, so that any worker may die
 * at any moment.
 *
 * Never decides whether a plan may run: approval and policy do. Never speaks to a tool server itself: dispatch does.
 * Imports no audit, and records through the kernel's port.
 */
export { AgentWork, type WorkItem } from './application/agent-work.js';
export { CreateRun } from './application/create-run.js';
export { ControlRun } from './application/control-run.js';
export { PauseForRestore } from './application/pause-for-restore.js';
export { createRunPauses, createRuns, createRunStore, type RunDeps, type Runs } from './create-runs.js';
export { ReadRuns, type ExplainedRun } from './application/read-runs.js';
export { ReportAttempt } from './application/report-attempt.js';
export { ResolveStep } from './application/resolve-step.js';
export { ResumeRun } from './application/resume-run.js';
export type { Again, RunMoved, RunMovedListener, RunSettings } from './application/run.ports.js';
export type { RunFilter } from './application/run.repository.js';
export { StartRun } from './application/start-run.js';
export { BreakGlassAuthority } from './domain/break-glass-authority.js';
export {
  healthResultEntity,
  runEntity,
  runEventEntity,
  runStepEntity,
  stepAttemptEntity,
  targetLockEntity,
} from './adapters/run.entity.js';
export type { AttemptId, RunStepId } from './domain/ids.js';
export { inRun } from './domain/in-run.js';
export { FINISHED_RUN_STATES } from './domain/run-transitions.js';
export { incidentOf, requestOf, type Run, type RunEvent, type RunReason } from './domain/run.js';
export { OFFER_TRIES } from './domain/retry-policy.js';
export type { RunStep } from './domain/run-step.js';
export type { StepAttempt } from './domain/step-attempt.js';
export type { RunRequest } from './domain/run-view.js';
