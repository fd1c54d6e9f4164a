import type { Decision, ExpandedInvocation } from '#lib/formats';
import type { RunReason } from './run.js';
import type { RunStep } from './run-step.js';
import { stepFacts } from './step-reasons.js';

/** The digest of the approval does not fit the arguments of the step. */
export const altered = (step: RunStep): RunReason => ({
  code: 'run.arguments_altered',
  message: `What step "${step.stepId}" would call is not what its digest says: nothing was sent.`,
  details: stepFacts(step),
});

/** The command line is read otherwise than when it was approved. */
export const otherLine = (step: RunStep): RunReason => ({
  code: 'run.line_differs',
  message: `The command line of step "${step.stepId}" is read otherwise than when it was approved: nothing was sent. Cancel the run, and submit the plan again.`,
  details: stepFacts(step),
});

/** The paths are judged worse than when they were approved. */
export const otherPaths = (step: RunStep): RunReason => ({
  code: 'run.paths_differ',
  message: `The paths of step "${step.stepId}" are judged worse than when they were approved: nothing was sent. Cancel the run, and submit the plan again.`,
  details: stepFacts(step),
});

/** A reviewer of the approval has been disabled since. */
export const reviewerDisabled = (step: RunStep): RunReason => ({
  code: 'run.reviewer_disabled',
  message: 'Somebody whose approval the run rests on has been disabled since.',
  details: stepFacts(step),
});

/** Policy refuses the call. */
export const notAllowed = (step: RunStep, reasons: Decision['reasons']): RunReason => ({
  code: 'run.not_allowed',
  message: `Policy does not let step "${step.stepId}" go on: ${reasons.map((reason) => reason.message).join('; ')}`,
  reasons,
  details: stepFacts(step),
});

/** A freeze holds the call until a time (epoch milliseconds). */
export const frozen = (step: RunStep, reasons: Decision['reasons'], until: number): RunReason => ({
  code: 'freeze.active',
  message: `It stops before the next phase: ${reasons.map(({ message }) => message).join('; ')}. Then it goes on by itself.`,
  reasons,
  details: { ...stepFacts(step), until: new Date(until).toISOString() },
});

/** Neither an executor nor an agent can be called. */
export const unreachable = (step: RunStep, invocation: ExpandedInvocation): RunReason => ({
  code: 'run.executor_unavailable',
  message: `There is no executor "${invocation.executor.name}" for step "${step.stepId}" that can be called. Nor is there an agent that submitted the plan and could carry it out.`,
  details: stepFacts(step),
});
