import type { JsonObject } from '#lib/canonical';
import { relevantDocument } from '#lib/autonomy';
import type { ToolCallInput } from '#lib/policy-inputs';
import {
  actorOf,
  digestOf,
  err,
  MASK,
  maskSecrets,
  newId,
  ok,
  type AuditSink,
  type EnvironmentId,
  type Failure,
  type Principal,
  type Result,
  type SessionId,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { actorFacts, noDecision, type DecisionLog, type PolicyDecisionPoint } from '#lib/policy';
import { classifyCommand } from '#lib/shell-safety';
import type { Session, SessionAccess } from '#lib/session';
import { environmentDigest, submitterOf, type EnvironmentRecord, type Submitter } from '#lib/task';
import { commandLineOf, targetsOf, toolFacts, validateArguments } from '#lib/tool';
import { ALLOWED_FOR_MS, isSameCall, type ToolCallFacts, type ToolCallProgress } from '../domain/tool-call.js';
import type { CallFacts, CallFactsReader } from './call-facts.port.js';
import { keptAnswer, type ToolCallAnswer } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** The call that somebody wants to make. */
export interface ToolCallQuestion {
  readonly tool: string;
  /** A session has an environment of its own. */
  readonly place: { readonly environment: string } | { readonly sessionId: SessionId };
  readonly arguments: JsonObject;
  /** The caller's own name of the call, or null. */
  readonly clientCallId: string | null;
  readonly turnId: string | null;
  /** In the agent's own words. */
  readonly reason: string | null;
}

/** The decision with the known facts of the call. */
type Judgement = Pick<
  ToolCallAnswer,
  'decision' | 'decisionId' | 'toolVersion' | 'argumentsDigest' | 'shell' | 'errors'
>;

/** A question with the place of the call known. */
interface PlacedQuestion extends ToolCallQuestion {
  readonly environment: string;
  readonly session: Session | null;
}

export interface SubmitToolCallDeps {
  readonly uow: UnitOfWork;
  readonly sessions: Pick<SessionAccess, 'toUse'>;
  readonly facts: CallFactsReader;
  readonly calls: ToolCallRepository;
  readonly policy: PolicyDecisionPoint;
  readonly decisions: DecisionLog;
  readonly audit: AuditSink;
}

/**
 * Decides one tool call, without a plan. Policies allow it, or it is denied: a call that needs an approval is denied with the way out,
 * which is a plan. A tool or environment that is not there and arguments that do not fit are denies with a code, on record like
 * every other; only a call that was put to the policies is kept as a row.
 *
 * A call in a session is bounded by its preset, too, and fails as `SessionAccess.toUse` does.
 *
 * A caller that names the call gets the same answer for the same name, since agent frameworks replay. Fails with
 * `tool_call.client_call_id_reused` if the name stands for another call.
 *
 * One transaction; without a name three statements: the facts, then the decision and the row, then the audit entry. An allow that
 * can't be recorded is thrown back with its transaction (T28).
 */
export class SubmitToolCall {
  constructor(private readonly deps: SubmitToolCallDeps) {}

  execute(principal: Principal, asked: ToolCallQuestion): Promise<Result<ToolCallAnswer>> {
    const { uow, facts: reader, policy } = this.deps;
    const submitter = submitterOf(principal);
    if (!submitter.ok) return Promise.resolve(submitter);
    const worded = { ...asked, reason: asked.reason === null ? null : masked(asked.reason) };
    return uow.run(principal.tenantId, async (tx) => {
      const placed = await this.placed(tx, principal, worded);
      if (!placed.ok) return placed;
      const question = placed.value;
      const replayed = await this.replayed(tx, submitter.value, question);
      if (replayed !== null) return replayed;
      const { tool, environment } = question;
      const agentId = principal.kind === 'agent' ? principal.agentId : null;
      const facts = await reader.read(tx, { tool, environment, agentId });
      const id = newId<ToolCallId>();
      const judgement = await this.judge(tx, principal, { ...question, id }, facts);
      const allowed = judgement.decision.outcome === 'allow';
      const answer: ToolCallAnswer = {
        ...judgement,
        id,
        state: allowed ? 'allowed' : 'denied',
        decidedAs: allowed ? 'auto_approved' : 'denied',
        bundleRevision: policy.bundleRevision,
        decidedAt: facts.now,
        allowedUntil: allowed ? facts.now + ALLOWED_FOR_MS : null,
      };
      await this.keep(tx, submitter.value, question, facts, answer);
      await this.record(tx, principal, question, answer);
      return ok(answer);
    });
  }

  private async placed(tx: Tx, principal: Principal, asked: ToolCallQuestion): Promise<Result<PlacedQuestion>> {
    const { place } = asked;
    if ('environment' in place) return ok({ ...asked, environment: place.environment, session: null });
    const session = await this.deps.sessions.toUse(tx, principal, place.sessionId);
    if (!session.ok) return session;
    return ok({ ...asked, environment: session.value.environment.name, session: session.value });
  }

  /** The answer that the caller's own name of the call already has; null if it has none. */
  private async replayed(
    tx: Tx,
    { credentialId }: Submitter,
    { tool, environment, session, arguments: args, clientCallId }: PlacedQuestion,
  ): Promise<Result<ToolCallAnswer> | null> {
    if (clientCallId === null) return null;
    const kept = await this.deps.calls.lockNamed(tx, { sessionId: session?.id ?? null, credentialId }, clientCallId);
    if (kept === undefined) return null;
    if (!isSameCall(kept, { tool, environment, argumentsDigest: digestOf('arguments', args) }))
      return err(nameReused(clientCallId, kept.id));
    return ok(await keptAnswer(tx, this.deps.decisions, kept));
  }

  private async judge(
    tx: Tx,
    principal: Principal,
    question: PlacedQuestion & { readonly id: ToolCallId },
    { now, tool, environment, autonomy, halts }: CallFacts,
  ): Promise<Judgement> {
    const unasked = {
      decisionId: null,
      toolVersion: tool?.version ?? null,
      argumentsDigest: null,
      shell: null,
      errors: [],
    };
    if (tool === null) return { ...unasked, decision: noDecision('policy.unknown_tool') };
    if (environment === null) return { ...unasked, decision: noDecision('policy.unknown_environment') };
    const args = validateArguments(tool, question.arguments);
    if (!args.ok) {
      const decision = noDecision('policy.invalid_arguments');
      return { ...unasked, decision, errors: args.error.errors ?? [] };
    }
    const line = commandLineOf(tool, args.value);
    const shell = line === null ? null : classifyCommand(line.text, line.dialect);
    const input: ToolCallInput = {
      now,
      tenant_id: tx.tenantId,
      autonomy: relevantDocument(autonomy, environment.name, tool.name),
      actor: actorFacts(principal),
      tool: toolFacts(tool),
      environment,
      session: question.session && { ...question.session.autonomy, trusted: false },
      shell: shell === null ? null : { tier: shell.tier, class: shell.class },
      halts: [...halts],
    };
    const { id, decision } = await this.deps.policy.decide(tx, 'tool_call', input, {
      subject: { type: 'tool_call', id: question.id },
      within: within(question),
    });
    const argumentsDigest = digestOf('arguments', args.value);
    return { ...unasked, decision, decisionId: id, argumentsDigest, shell };
  }

  private async keep(
    tx: Tx,
    submitter: Submitter,
    question: PlacedQuestion,
    { now, tool, executor, environment }: CallFacts,
    answer: ToolCallAnswer,
  ): Promise<void> {
    const { id, decisionId, argumentsDigest, shell, allowedUntil } = answer;
    if (decisionId === null || argumentsDigest === null || tool === null || environment === null) return;
    const { clientCallId, turnId, reason, session, arguments: args } = question;
    const facts: ToolCallFacts = {
      ...{ id, sessionId: session?.id ?? null, submitter, clientCallId, turnId, reason },
      tool: { name: tool.name, version: tool.version },
      executor: executor && { name: executor.name, version: executor.version },
      environment: {
        id: environment.id as EnvironmentId,
        name: environment.name,
        digest: environmentDigest(environment as EnvironmentRecord),
      },
      ...{ arguments: args, argumentsDigest, shell, decisionId, askedAt: now },
      targets: targetsOf(tool, args, environment.name),
    };
    const progress: ToolCallProgress =
      allowedUntil === null
        ? { state: 'denied', requestId: null, decidedAs: 'denied', decidedAt: now }
        : { state: 'allowed', requestId: null, decidedAs: 'auto_approved', decidedAt: now, allowedUntil };
    await this.deps.calls.insert(tx, { ...facts, ...progress });
  }

  private record(tx: Tx, principal: Principal, question: PlacedQuestion, answer: ToolCallAnswer): Promise<void> {
    const { decision, decisionId, shell } = answer;
    return this.deps.audit.record(tx, {
      action: 'tool_call.decided',
      actor: actorOf(principal),
      level: decision.obligations.audit_level,
      subject: { type: 'tool_call', id: answer.id },
      within: within(question),
      ...(decisionId === null ? {} : { decisionId }),
      payload: {
        tool: question.tool,
        tool_version: answer.toolVersion,
        environment: question.environment,
        outcome: decision.outcome,
        decided_as: answer.decidedAs,
        reasons: decision.reasons,
        // Arguments that did not fit are not kept: their secrets are unknown.
        ...(answer.argumentsDigest === null
          ? {}
          : { arguments: question.arguments, arguments_digest: answer.argumentsDigest }),
        ...(shell === null ? {} : { shell: { tier: shell.tier, class: shell.class } }),
        ...(question.clientCallId === null ? {} : { client_call_id: question.clientCallId }),
        ...(question.turnId === null ? {} : { turn_id: question.turnId }),
        ...(question.reason === null ? {} : { reason: question.reason }),
        errors: answer.errors.map(({ pointer, code }) => ({ pointer, code })),
      },
    });
  }
}

const within = ({ session }: PlacedQuestion) => (session === null ? [] : [{ type: 'session', id: session.id }]);

function masked(words: string): string {
  const text = maskSecrets(words);
  return typeof text === 'string' ? text : MASK;
}

const nameReused = (clientCallId: string, id: ToolCallId): Failure => ({
  kind: 'conflict',
  code: 'tool_call.client_call_id_reused',
  message: `The client_call_id ${clientCallId} stands for another call of this credential.`,
  action: 'Name each call anew. Only a call with the same tool, environment and arguments is answered again.',
  details: { tool_call_id: id },
});
