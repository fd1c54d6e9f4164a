import { canonicalJson, type Json } from '#lib/canonical';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import {
  factsOf,
  type Allowed,
  type CallFault,
  type Dispatched,
  type Executing,
  type Finished,
  type ToolCall,
  type ToolCallFacts,
} from './tool-call.js';

/** A call that may be taken up. */
export type AllowedCall = ToolCallFacts & Allowed & { readonly state: 'allowed' };
/** A call that left, and has no answer yet. */
export type ExecutingCall = ToolCallFacts & Executing;
/** A call with an outcome, or one that is lost. */
export type FinishedCall = ToolCallFacts & Finished;

/** The outcome of a call, masked. */
export type CallOutcome =
  | { readonly kind: 'succeeded'; readonly result: Json }
  | { readonly kind: 'failed'; readonly error: CallFault }
  | { readonly kind: 'unknown'; readonly error: CallFault };

/** An idempotent call is sent so often, if its workers die each time. */
export const MAX_ATTEMPTS = 3;

/** The error of a call without an answer of its worker or agent. */
export const NO_ANSWER: CallFault = {
  code: 'tool_call.no_answer',
  message: 'No answer was written before its time was over. It may have been made.',
};

const allowedOf = ({ requestId, decidedAs, decidedAt, allowedUntil }: Allowed): Allowed => ({
  requestId,
  decidedAs,
  decidedAt,
  allowedUntil,
});

const dispatchedOf = (call: Dispatched): Dispatched => ({
  ...allowedOf(call),
  attempt: call.attempt,
  dispatchedAt: call.dispatchedAt,
});

/** The call as it leaves, the first time or again. */
export const dispatched = (
  call: AllowedCall | ExecutingCall,
  { now, leaseUntil }: { readonly now: number; readonly leaseUntil: number },
): ExecutingCall => ({
  ...factsOf(call),
  ...allowedOf(call),
  state: 'executing',
  attempt: call.state === 'allowed' ? 1 : call.attempt + 1,
  dispatchedAt: now,
  leaseUntil,
});

/** The call with a longer wait for its answer. @param until epoch milliseconds. */
export const awaitedUntil = (call: ExecutingCall, until: number): ExecutingCall => ({ ...call, leaseUntil: until });

/** The call with its outcome. */
export function answered(call: ExecutingCall, outcome: CallOutcome, now: number): FinishedCall {
  const base = { ...factsOf(call), ...dispatchedOf(call), finishedAt: now };
  switch (outcome.kind) {
    case 'succeeded':
      return { ...base, state: 'succeeded', result: outcome.result };
    case 'failed':
      return { ...base, state: 'failed', result: null, error: outcome.error };
    case 'unknown':
      return { ...base, state: 'unknown', error: outcome.error };
  }
}

/** Whether the call ended with this very answer. */
export function hasAnswer(call: ToolCall, outcome: CallOutcome): boolean {
  if (call.state === 'succeeded' && outcome.kind === 'succeeded') return isSame(call.result, outcome.result);
  const error = call.state === 'failed' || call.state === 'unknown' ? call.error : null;
  return call.state === outcome.kind && outcome.kind !== 'succeeded' && isSame({ ...error }, { ...outcome.error });
}

const isSame = (one: Json, other: Json): boolean => canonicalJson(one) === canonicalJson(other);

/** The allowed call after its time to be taken up. */
export const lapsed = (call: AllowedCall, now: number): ToolCall => ({
  ...factsOf(call),
  ...allowedOf(call),
  state: 'expired',
  finishedAt: now,
});

/**
 * The call as it stands at a moment. One without an executor has no worker that lets it lapse. Its time is over all the
 * same, and it ends without a write.
 */
export const standing = (call: ToolCall, now: number): ToolCall =>
  call.state === 'allowed' && call.executor === null && now >= call.allowedUntil
    ? lapsed(call, call.allowedUntil)
    : call;

/** Whether the call may still be taken up at a moment. */
export const isAllowed = (call: ToolCall, now: number): call is ToolCall & AllowedCall =>
  standing(call, now).state === 'allowed';

/** The allowed call that may not be made any more. */
export const cancelled = (call: AllowedCall, denial: CallFault, now: number): ToolCall => ({
  ...factsOf(call),
  state: 'denied',
  requestId: call.requestId,
  decidedAs: 'cancelled',
  decidedAt: now,
  denial,
});

/** A person's finding about an unknown call. @returns `tool_call.not_unknown` for any other. */
export function resolved(call: ToolCall, outcome: 'succeeded' | 'failed', now: number): Result<FinishedCall> {
  if (call.state !== 'unknown') return err(notUnknown(call));
  const base = { ...factsOf(call), ...dispatchedOf(call), finishedAt: now };
  return ok(
    outcome === 'succeeded'
      ? { ...base, state: 'succeeded', result: null }
      : { ...base, state: 'failed', result: null, error: call.error },
  );
}

const notUnknown = ({ state }: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.not_unknown',
  message: `Only an unknown call is resolved, and this one is ${stateInWords(state)}.`,
  action: state === 'executing' ? 'Wait for its answer.' : 'Nothing is to be done.',
  details: { state },
});
