import type { OpenCallRequest } from '#lib/approval';
import type { JsonObject } from '#lib/canonical';
import type { ExecutorKinds } from '#lib/dispatch';
import { APPROVAL_SECONDS } from '#lib/formats';
import {
  digestOf,
  err,
  MASK,
  maskSecrets,
  newId,
  ok,
  type Failure,
  type JobQueue,
  type Principal,
  type Result,
  type SessionId,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Session, SessionAccess } from '#lib/session';
import { submitterOf, type Submitter } from '#lib/task';
import {
  ALLOWED_FOR_MS,
  deniedByPolicyAs,
  isSameCall,
  isToSend,
  type ToolCall,
  type ToolCallFacts,
  type ToolCallProgress,
} from '../domain/tool-call.js';
import { callPrompt, type CallPrompt } from '../domain/call-prompt.js';
import type { CallFacts, CallFactsReader } from './call-facts.port.js';
import type { Judgement, JudgeToolCall } from './judge-tool-call.js';
import { outcomeOf, unjudgedAnswer, type ToolCallAnswer, type ToolCallAnswers } from './tool-call-answer.js';
import { keptCall } from './kept-call.js';
import type { LimitCalls } from './limit-calls.js';
import type { ToolCallJournal } from './tool-call-journal.js';
import type { ToolCallSubjects } from './tool-call-subjects.js';
import type { ToolCallRepository } from './tool-call.port.js';
import { unjudgedCall } from './unjudged-call.js';

/** The call that somebody wants to make. */
export interface ToolCallQuestion {
  readonly tool: string;
  /** A session has an environment of its own. */
  readonly context: { readonly environment: string } | { readonly sessionId: SessionId };
  readonly arguments: JsonObject;
  /** The caller's own name of the call, or null. */
  readonly clientCallId: string | null;
  readonly turnId: string | null;
  /** In the agent's own words. */
  readonly reason: string | null;
}

/** A question whose environment and session are known. */
interface LocatedQuestion extends ToolCallQuestion {
  readonly environment: string;
  readonly session: Session | null;
}

/** A question that was judged, with all that it was judged by. */
interface Judged {
  readonly id: ToolCallId;
  readonly question: LocatedQuestion;
  readonly facts: CallFacts;
  readonly judgement: Judgement;
}

export interface SubmitToolCallDeps {
  readonly uow: UnitOfWork;
  readonly jobs: JobQueue;
  readonly sessions: Pick<SessionAccess, 'toRead' | 'toUse'>;
  readonly facts: CallFactsReader;
  readonly executorKinds: ExecutorKinds;
  readonly calls: Pick<ToolCallRepository, 'insert' | 'insertUnjudged' | 'lockNamed' | 'lockTwin'>;
  readonly limits: LimitCalls;
  readonly judge: JudgeToolCall;
  readonly bundleRevision: string;
  readonly subjects: Pick<ToolCallSubjects, 'of'>;
  readonly openRequest: Pick<OpenCallRequest, 'execute'>;
  readonly answers: ToolCallAnswers;
  readonly journal: ToolCallJournal;
}

/**
 * Decides one tool call, without a plan. Policies allow it or deny it, or people are asked: then it is pending, with a request
 * about it. An absent tool or environment and unfit arguments are denies with a code, on record and counted like every
 * other. Only a call that was put to the policies is kept whole.
 *
 * A call in a session is bounded by its preset, too, and fails as `SessionAccess.toUse` does. If people are asked it
 * fails as `OpenCallRequest` does. If they are asked about the same call already, it fails with
 * `tool_call.already_pending` (T09). It is then not kept.
 *
 * Sessions, agents and people have room for the calls of their limits. The next one fails as `LimitCalls` says, and is not kept.
 *
 * A caller that names the call gets the same answer for the same name, since agent frameworks replay. Fails with
 * `tool_call.client_call_id_reused` if the name stands for another call.
 *
 * One transaction; without a name and a question to people PostgreSQL is awaited twice. The first wait is for counts
 * and facts. The second is for the decision, the row, the audit entry and the commit. An allow that can't be recorded
 * is thrown back with its transaction (T28).
 */
export class SubmitToolCall {
  constructor(private readonly deps: SubmitToolCallDeps) {}

  execute(principal: Principal, asked: ToolCallQuestion): Promise<Result<ToolCallAnswer>> {
    const { uow, facts: reader, judge, limits } = this.deps;
    const submitter = submitterOf(principal);
    if (!submitter.ok) return Promise.resolve(submitter);
    const worded = { ...asked, reason: asked.reason === null ? null : masked(asked.reason) };
    return uow.run(principal.tenantId, async (tx) => {
      const replayed = await this.#replayed(tx, principal, submitter.value, worded);
      if (replayed !== null) return replayed;
      const located = await this.#located(tx, principal, worded);
      if (!located.ok) return located;
      const question = located.value;
      const { tool, environment, session, turnId } = question;
      const next = { principal, submitter: submitter.value, session, turnId };
      const agentId = principal.kind === 'agent' ? principal.agentId : null;
      // Sent one after the other and awaited once. The facts, and their time, are read under the locks of the count.
      const [counts, facts] = await Promise.all([
        limits.count(tx, next),
        reader.read(tx, { tool, environment, agentId }),
      ]);
      const room = await limits.room(tx, next, counts, facts);
      if (!room.ok) return room;
      const id = newId<ToolCallId>();
      const judgement = await judge.execute(tx, principal, { ...question, id, submitter: submitter.value }, facts);
      return this.#answer(tx, principal, submitter.value, { id, question, facts, judgement });
    });
  }

  /**
   * The answer that the caller's own name of the call already has, also after the end of the session. Null if it has none. A session
   * that the caller may not read answers as for a new call.
   */
  async #replayed(
    tx: Tx,
    principal: Principal,
    submitter: Submitter,
    { tool, context, arguments: args, clientCallId }: ToolCallQuestion,
  ): Promise<Result<ToolCallAnswer> | null> {
    if (clientCallId === null) return null;
    const session = 'sessionId' in context ? await this.deps.sessions.toRead(tx, principal, context.sessionId) : null;
    if (session?.ok === false) return session;
    const space = { sessionId: session?.value.id ?? null, submitter };
    const kept = await this.deps.calls.lockNamed(tx, space, clientCallId);
    if (kept === null) return null;
    const environment = 'environment' in context ? context.environment : kept.environment.name;
    if (!isSameCall(kept, { tool, environment, argumentsDigest: digestOf('arguments', args) }))
      return err(nameReused(clientCallId, kept.id));
    return ok('state' in kept ? await this.deps.answers.of(tx, kept) : unjudgedAnswer(kept));
  }

  async #located(tx: Tx, principal: Principal, asked: ToolCallQuestion): Promise<Result<LocatedQuestion>> {
    const { context } = asked;
    if ('environment' in context) return ok({ ...asked, environment: context.environment, session: null });
    const session = await this.deps.sessions.toUse(tx, principal, context.sessionId);
    if (!session.ok) return session;
    return ok({ ...asked, environment: session.value.environment.name, session: session.value });
  }

  /** Keeps the call as it was judged, with its entry. */
  async #answer(tx: Tx, principal: Principal, submitter: Submitter, judged: Judged): Promise<Result<ToolCallAnswer>> {
    const { id, question, judgement } = judged;
    const facts = keptCall(submitter, { id, question, facts: judged.facts, ...judgement }, this.deps.executorKinds);
    const progress = await this.#progress(tx, principal, facts, judged);
    if (!progress.ok) return progress;
    const { decision, decided, toolVersion, argumentsDigest, shell, paths, errors } = judgement;
    const { bundleRevision } = this.deps;
    const { expiresAt, prompt, ...left } = progress.value;
    const sessionId = question.session?.id ?? null;
    const known = { id, sessionId, toolVersion, argumentsDigest, shell, paths };
    const answer = { ...known, decision, decisionId: decided?.id ?? null, bundleRevision, errors, expiresAt };
    if (facts !== null) await this.#keep(tx, { ...facts, ...left });
    else
      await this.deps.calls.insertUnjudged(
        tx,
        unjudgedCall(submitter, { ...judged, ...judgement, question: { ...question, sessionId } }, bundleRevision),
      );
    const told = outcomeOf({ ...left, executor: facts?.executor ?? null });
    await this.deps.journal.record(
      tx,
      principal,
      { ...question, ...known, submitter },
      {
        level: decision.obligations.audit_level,
        decisionId: answer.decisionId,
        outcome: decision.outcome,
        decidedAs: told.decidedAs,
        reasons: decision.reasons,
        requestId: told.requestId,
        trustId: judgement.trust?.id ?? null,
        prompt,
        errors,
      },
    );
    return ok({ ...answer, ...told });
  }

  async #keep(tx: Tx, call: ToolCall): Promise<void> {
    await this.deps.calls.insert(tx, call);
    if (isToSend(call)) await this.deps.jobs.enqueue(tx, 'tool_call.execute', call.id);
  }

  async #progress(
    tx: Tx,
    principal: Principal,
    call: ToolCallFacts | null,
    { question, facts: { now, autonomy }, judgement: { decision, decided, shell, trust } }: Judged,
  ): Promise<Result<ToolCallProgress & { readonly expiresAt: number | null; readonly prompt: CallPrompt | null }>> {
    const none = { requestId: null, expiresAt: null, prompt: null };
    if (call === null || decided === null || decision.outcome === 'deny')
      return ok({ state: 'denied', ...none, decidedAs: deniedByPolicyAs(shell), decidedAt: now });
    if (decision.outcome === 'allow') {
      const decidedAs = trust === null ? 'auto_approved' : 'trusted';
      const allowed = { decidedAs, decidedAt: now, allowedUntil: now + ALLOWED_FOR_MS } as const;
      return ok({ state: 'allowed', ...none, ...allowed });
    }
    const twin = await this.deps.calls.lockTwin(tx, call);
    if (twin !== null) return err(alreadyPending(twin));
    const { session } = question;
    const subject = await this.deps.subjects.of(tx, call, session);
    const approvalSeconds = session?.approvalSeconds ?? autonomy?.autonomy.approval_seconds ?? APPROVAL_SECONDS;
    const opened = await this.deps.openRequest.execute(tx, principal, { subject, decided, approvalSeconds, now });
    if (!opened.ok) return opened;
    const { request } = opened.value;
    const prompt = callPrompt(request, subject);
    return ok({ state: 'pending', requestId: request.id, expiresAt: request.expiresAt, prompt });
  }
}

function masked(words: string): string {
  const text = maskSecrets(words);
  return typeof text === 'string' ? text : MASK;
}

const alreadyPending = ({ id, requestId }: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.already_pending',
  message: `You asked for exactly this call before, and people have not answered yet: ${id}.`,
  action: 'Wait for the answer to that call. Then ask again if it is to be made twice.',
  details: { tool_call_id: id, request_id: requestId },
});

const nameReused = (clientCallId: string, id: ToolCallId): Failure => ({
  kind: 'conflict',
  code: 'tool_call.client_call_id_reused',
  message: `The client_call_id ${clientCallId} stands for another call of yours.`,
  action: 'Name each call anew. Only a call with the same tool, environment and arguments is answered again.',
  details: { tool_call_id: id },
});
