import type { CallReviewers } from '#lib/approval';
import { canonicalJson, type JsonObject } from '#lib/canonical';
import type { Decision } from '#lib/formats';
import type { EnvironmentFacts, PolicyInput } from '#lib/policy-inputs';
import type { Digest, FieldError, Principal, SessionId, ToolCallId, Tx } from '#lib/kernel';
import { callerFacts, noDecision, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import type { Session, SessionTrust, TrustedCall } from '#lib/session';
import type { PathVerdict } from '#lib/shell-safety';
import type { Submitter } from '#lib/task';
import type { ToolVersion } from '#lib/tool';
import type { CallLine } from '../domain/call-line.js';
import { callShape } from '../domain/call-shape.js';
import { callQuestion } from '../domain/call-question.js';
import type { MissingFact } from '../domain/unjudged-call.js';
import { peopleBehind, type AgentPeople } from './agent-people.port.js';
import type { CallFacts } from './call-facts.port.js';
import { knownCall } from './known-call.js';

/** The call to judge. */
export interface JudgedCall {
  readonly id: ToolCallId;
  readonly arguments: JsonObject;
  readonly session: Session | null;
  readonly submitter: Submitter;
}

/** The decision with the known facts of the call. */
export interface Judgement {
  readonly decision: Decision;
  /** Null if a fact was missing to put to the policies. */
  readonly decided: RecordedDecision | null;
  /** That fact. */
  readonly missing: MissingFact | null;
  readonly toolVersion: number | null;
  readonly argumentsDigest: Digest | null;
  readonly shell: CallLine | null;
  readonly paths: PathVerdict | null;
  /** The "always" by which the session does not ask; null if it would not ask anyway. */
  readonly trust: SessionTrust | null;
  readonly errors: readonly FieldError[];
}

/** Finds the trusts in force that cover a call, oldest first. */
export interface TrustReader {
  covering(tx: Tx, sessionId: SessionId, call: TrustedCall): Promise<readonly SessionTrust[]>;
}

/** Puts one call to the policies, and records their decision. A missing fact is a deny with a code. */
export class JudgeToolCall {
  constructor(
    private readonly policy: Pick<PolicyDecisionPoint, 'decide' | 'evaluate'>,
    private readonly trusts: TrustReader,
    private readonly agents: AgentPeople,
    private readonly reviewers: Pick<CallReviewers, 'wouldApprove'>,
  ) {}

  async execute(tx: Tx, principal: Principal, call: JudgedCall, facts: CallFacts): Promise<Judgement> {
    const { id, arguments: given, session } = call;
    const unasked = {
      decided: null,
      missing: null,
      toolVersion: facts.tool?.version ?? null,
      argumentsDigest: null,
      shell: null,
      paths: null,
      trust: null,
      errors: [],
    };
    const known = knownCall(given, facts);
    if ('missing' in known) return { ...unasked, ...known, decision: noDecision(known.missing) };
    const { tool, environment, argumentsDigest, shell, paths } = known;
    const { now, executor, autonomy, halts } = facts;
    const question = {
      ...{ tenantId: tx.tenantId, now, autonomy, actor: callerFacts(principal), tool, environment },
      ...{ session, shell, paths, halts, notExecutable: known.notExecutable },
    };
    const asked = callQuestion({ ...question, trusted: false });
    const trust = await this.#covering(tx, call, callShape(tool, known.arguments), {
      now,
      tool,
      executor,
      environment,
      asked,
    });
    const decided = await this.policy.decide(
      tx,
      'tool_call',
      trust === null ? asked : callQuestion({ ...question, trusted: true }),
      {
        subject: { type: 'tool_call', id },
        within: session === null ? [] : [{ type: 'session', id: session.id }],
      },
    );
    // The preset might have let the call through by itself.
    const used = decided.decision.reasons.some(({ code }) => code === 'session.trusted') ? trust : null;
    return { ...unasked, decision: decided.decision, decided, argumentsDigest, shell, paths, trust: used };
  }

  /** The first "always" that covers the call. Its maker may still approve the call by the records of this moment (T03, T06). */
  async #covering(
    tx: Tx,
    { session, submitter }: JudgedCall,
    shape: JsonObject | null,
    { now, tool, executor, environment, asked }: AskedAbout,
  ): Promise<SessionTrust | null> {
    if (session === null || shape === null) return null;
    const means = { tool: tool.name, toolDigest: tool.digest, executorDigest: executor?.digest ?? null };
    const trusts = await this.trusts.covering(tx, session.id, { ...means, shape: canonicalJson(shape) });
    if (trusts.length === 0) return null;
    const decision = this.policy.evaluate('tool_call', asked);
    const behind = await peopleBehind(this.agents, tx, submitter, now);
    const later = { call: { submitter, sessionId: session.id }, environment, ...behind, decision, now };
    for (const trust of trusts) if (await this.reviewers.wouldApprove(tx, later, trust)) return trust;
    return null;
  }
}

interface AskedAbout extends Pick<CallFacts, 'now' | 'executor'> {
  readonly tool: ToolVersion;
  readonly environment: EnvironmentFacts;
  /** The question to policy as it is without any "always". */
  readonly asked: PolicyInput<'tool_call'>;
}
