import type { JsonObject } from '#lib/canonical';
import type { DispatchOutcome } from '#lib/dispatch';
import { maskSecrets, type Principal, type SubjectRef, type Tx } from '#lib/kernel';
import type { SessionRepository } from '#lib/session';
import {
  answered,
  hasAnswer,
  type CallOutcome,
  type ExecutingCall,
  type FinishedCall,
} from '../domain/call-changes.js';
import type { CallFault, ToolCall } from '../domain/tool-call.js';
import type { CallJournal } from './call-journal.js';
import type { CallOutputStore } from './call-output.port.js';
import { endCallOutput } from './end-call-output.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** An answer, its actor and its time. */
interface CallAnswer {
  readonly outcome: DispatchOutcome;
  readonly by: Principal;
  readonly now: number;
  /** Of the call's entries, if it is known. */
  readonly within?: readonly SubjectRef[] | undefined;
}

const ACTIONS = {
  succeeded: 'tool_call.succeeded',
  failed: 'tool_call.failed',
  unknown: 'tool_call.unknown',
} as const;

/** Writes the answers to calls that the caller has locked. A secret in an answer is masked (T32). */
export class RecordCallAnswer {
  constructor(
    private readonly calls: ToolCallRepository,
    private readonly sessions: Pick<SessionRepository, 'touch'>,
    private readonly journal: CallJournal,
    private readonly output: Pick<CallOutputStore, 'standing' | 'append'>,
  ) {}

  async write(tx: Tx, call: ExecutingCall, { outcome, by, now, within }: CallAnswer): Promise<FinishedCall> {
    const next = answered(call, masked(outcome), now);
    await this.calls.save(tx, next);
    if (next.sessionId !== null) await this.sessions.touch(tx, next.sessionId);
    await endCallOutput(tx, this.output, call);
    await this.journal.record(tx, next, { action: ACTIONS[next.state], by, data: factsOf(call, outcome), within });
    return next;
  }

  /** Whether the call ended with this very answer. */
  has(call: ToolCall, outcome: DispatchOutcome): boolean {
    return hasAnswer(call, masked(outcome));
  }

  /**
   * An answer after its attempt was given up: kept as evidence, and nothing follows from it. The answer that the call already has is
   * no late one: another worker recorded it.
   */
  async keepLate(
    tx: Tx,
    call: ToolCall,
    { outcome, by, attempt, within }: Omit<CallAnswer, 'now'> & { readonly attempt: number },
  ): Promise<void> {
    if (this.has(call, outcome)) return;
    const data = { ...factsOf(call, outcome), answered_attempt: attempt };
    await this.journal.record(tx, call, { action: 'tool_call.late_answer', by, data, within });
  }
}

function masked(outcome: DispatchOutcome): CallOutcome {
  if (outcome.kind === 'succeeded') return { kind: 'succeeded', result: maskSecrets(outcome.result) };
  return { kind: outcome.kind, error: maskedFault(outcome.error) };
}

function maskedFault({ code, message }: CallFault): CallFault {
  const text = maskSecrets(message);
  return { code, message: typeof text === 'string' ? text : '' };
}

function factsOf({ executor }: ToolCall, outcome: DispatchOutcome): JsonObject {
  const answer = masked(outcome);
  return {
    outcome: answer.kind,
    ...(answer.kind === 'succeeded' ? { result: answer.result } : { error: { ...answer.error } }),
    ...(outcome.kind === 'failed' ? { effect: outcome.effect } : {}),
    ...(executor?.answeredBy === 'agent' ? { unverified: true } : {}),
  };
}
