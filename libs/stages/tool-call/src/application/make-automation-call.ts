import type { ExecutorKinds } from '#lib/dispatch';
import {
  newId,
  ok,
  type AgentPrincipal,
  type DecisionId,
  type JobQueue,
  type Result,
  type SubjectRef,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import type { Submitter } from '#lib/task';
import { ALLOWED_FOR_MS, deniedByPolicyAs, type CallFault, type ToolCallProgress } from '../domain/tool-call.js';
import {
  faultOf,
  type AutomationCall,
  type AutomationJudgement,
  type JudgeAutomationCall,
} from './judge-automation-call.js';
import { keptCall } from './kept-call.js';
import type { LimitCalls } from './limit-calls.js';
import type { ToolCallJournal } from './tool-call-journal.js';
import type { ToolCallRepository } from './tool-call.port.js';
import { unjudgedCall } from './unjudged-call.js';

/** A call of an automation was allowed, and leaves; or it was blocked, with the reasons of the policies. */
export type AutomationCallMade =
  | { readonly kind: 'made'; readonly callId: ToolCallId; readonly decisionId: DecisionId }
  | { readonly kind: 'blocked'; readonly decisionId: DecisionId | null; readonly fault: CallFault };

export interface MakeAutomationCallDeps {
  readonly jobs: JobQueue;
  readonly calls: Pick<ToolCallRepository, 'insert' | 'insertUnjudged'>;
  readonly limits: LimitCalls;
  readonly judge: JudgeAutomationCall;
  readonly executorKinds: ExecutorKinds;
  readonly bundleRevision: string;
  readonly journal: ToolCallJournal;
}

/**
 * Makes one call of an automation, as its agent and in the caller's transaction. The policies' `automation` allow it or deny it, and
 * ask no person. An allowed call is a row like every other single call: halts, limits, grants and evidence hold for it.
 *
 * Failures: those of `LimitCalls.room`; the call is not decided then.
 */
export class MakeAutomationCall {
  constructor(private readonly deps: MakeAutomationCallDeps) {}

  /** @param within the automation and its run. */
  async execute(
    tx: Tx,
    agent: AgentPrincipal,
    asked: AutomationCall,
    within: readonly SubjectRef[],
  ): Promise<Result<AutomationCallMade>> {
    const { limits, judge, calls, jobs, executorKinds, bundleRevision } = this.deps;
    const submitter: Submitter = {
      ...{ kind: 'agent', id: agent.agentId, onBehalfOf: null, credentialId: agent.credentialId },
    };
    const next = { principal: agent, submitter, session: null, turnId: null };
    const counts = await limits.count(tx, next);
    const facts = await judge.read(tx, asked);
    const room = await limits.room(tx, next, counts, facts);
    if (!room.ok) return room;
    const id = newId<ToolCallId>();
    const judgement = await judge.execute(tx, { ...asked, id }, facts, within);
    const { decision, decided } = judgement;
    const question = { ...asked, ...OF_NO_TURN };
    const call = keptCall(submitter, { id, question, ...judgement }, executorKinds);
    const unsent = decision.outcome === 'allow' ? judge.executorFault(asked, judgement.facts) : null;
    const allowed = decision.outcome === 'allow' && unsent === null && call !== null && decided !== null;
    const progress = progressOf(allowed, judgement);
    if (call !== null) await calls.insert(tx, { ...call, ...progress });
    else
      await calls.insertUnjudged(
        tx,
        unjudgedCall(submitter, { id, question, errors: [], ...judgement }, bundleRevision),
      );
    if (allowed) await jobs.enqueue(tx, 'tool_call.execute', id);
    const fault = unsent ?? faultOf(decision);
    await this.#record(tx, agent, { id, submitter, asked, within, judgement, allowed, fault });
    return allowed
      ? ok({ kind: 'made', callId: id, decisionId: decided.id })
      : ok({ kind: 'blocked', decisionId: decided?.id ?? null, fault });
  }

  #record(
    tx: Tx,
    agent: AgentPrincipal,
    made: {
      readonly id: ToolCallId;
      readonly submitter: Submitter;
      readonly asked: AutomationCall;
      readonly within: readonly SubjectRef[];
      readonly judgement: AutomationJudgement;
      readonly allowed: boolean;
      readonly fault: CallFault;
    },
  ): Promise<void> {
    const { id, submitter, asked, within, judgement, allowed, fault } = made;
    const { decision, decided, argumentsDigest, shell, paths, facts } = judgement;
    const call = { ...asked, id, sessionId: null, submitter, argumentsDigest, shell, paths, within };
    const words = { clientCallId: null, turnId: null, reason: null, toolVersion: facts.tool?.version ?? null };
    return this.deps.journal.record(
      tx,
      agent,
      { ...call, ...words },
      {
        level: decision.obligations.audit_level,
        decisionId: decided?.id ?? null,
        outcome: allowed ? 'allow' : 'deny',
        decidedAs: allowed ? 'auto_approved' : deniedByPolicyAs(shell),
        reasons: allowed || decision.outcome === 'deny' ? decision.reasons : [{ ...fault }],
        requestId: null,
      },
    );
  }
}

/** No agent names a call of an automation. */
const OF_NO_TURN = { session: null, sessionId: null, clientCallId: null, turnId: null, reason: null } as const;

function progressOf(allowed: boolean, { facts: { now }, shell }: AutomationJudgement): ToolCallProgress {
  if (!allowed) return { state: 'denied', requestId: null, decidedAs: deniedByPolicyAs(shell), decidedAt: now };
  const allowedUntil = now + ALLOWED_FOR_MS;
  return { state: 'allowed', requestId: null, decidedAs: 'auto_approved', decidedAt: now, allowedUntil };
}
