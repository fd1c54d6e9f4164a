import type { Json } from '#lib/canonical';
import type { AgentId, DecisionId, RunId } from '#lib/kernel';
import type { AttemptId, RunStepId } from './ids.js';
import type { StepError } from './run-step.js';

/** The facts of an attempt in every state. */
export interface AttemptFacts {
  readonly id: AttemptId;
  readonly runId: RunId;
  readonly stepId: RunStepId;
  readonly purpose: 'call' | 'compensation';
  readonly number: number;
  readonly fence: number;
  readonly decisionId: DecisionId;
  readonly executorName: string;
  /** The version of the executor's record that was approved. */
  readonly executorVersion: number;
  /** The agent that carries it out and reports, unverified; null if an executor is called. */
  readonly agentId: AgentId | null;
  readonly argumentsDigest: string;
  readonly targets: readonly string[];
  readonly dispatchedAt: number;
  readonly leaseUntil: number;
}

/** An answer that came after its attempt was given up: evidence, which decides nothing. */
export type LateAnswer =
  | { readonly lateResult: null; readonly lateAt: null }
  | { readonly lateResult: Json; readonly lateAt: number };

/** The answer to an attempt, or the reason why it was given up. */
export type AttemptResult = { readonly finishedAt: number } & (
  | { readonly outcome: 'succeeded'; readonly effect: null; readonly result: Json; readonly error: null }
  | {
      readonly outcome: 'failed';
      readonly effect: 'not_started' | 'done';
      readonly result: null;
      readonly error: StepError;
    }
  | { readonly outcome: 'unknown'; readonly effect: null; readonly result: null; readonly error: StepError }
);

/** An attempt has no result until its call is answered. */
export interface NoResult {
  readonly finishedAt: null;
  readonly outcome: null;
  readonly effect: null;
  readonly result: null;
  readonly error: null;
}

export type InFlightAttempt = AttemptFacts & LateAnswer & NoResult;
export type FinishedAttempt = AttemptFacts & LateAnswer & AttemptResult;

/** One dispatch of a step or of the call that undoes it. */
export type StepAttempt = InFlightAttempt | FinishedAttempt;

export const isFinishedAttempt = (attempt: StepAttempt): attempt is FinishedAttempt => attempt.finishedAt !== null;

/** The result of an attempt that was given up. */
export const givenUpAttempt = (error: StepError, now: number): AttemptResult => ({
  finishedAt: now,
  outcome: 'unknown',
  effect: null,
  result: null,
  error,
});
