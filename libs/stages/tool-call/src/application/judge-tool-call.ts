import type { CallReviewers } from '#lib/approval';
import type { JsonObject } from '#lib/canonical';
import type { Decision, EnvironmentFacts, PolicyInput } from '#lib/policy-inputs';
import {
  digestOf,
  type Digest,
  type FieldError,
  type Principal,
  type SessionId,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import { judgeLine } from '#lib/plan';
import { callerFacts, noDecision, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import type { Session, SessionTrust, TrustedCall } from '#lib/session';
import type { PathVerdict } from '#lib/shell-safety';
import type { Submitter } from '#lib/task';
import { validateArguments, type ToolVersion } from '#lib/tool';
import { callPaths } from '../domain/call-paths.js';
import { callLine, notExecutable, type CallLine } from '../domain/call-line.js';
import { callShape } from '../domain/call-shape.js';
import { callQuestion } from '../domain/call-question.js';
import type { MissingFact } from '../domain/unjudged-call.js';
import { peopleBehind, type AgentPeople } from './agent-people.port.js';
import type { CallFacts } from './call-facts.port.js';

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

  async execute(
    tx: Tx,
    principal: Principal,
    call: JudgedCall,
    { now, tool, executor, environment, autonomy, halts }: CallFacts,
  ): Promise<Judgement> {
    const { id, arguments: given, session } = call;
    const unasked = {
      decided: null,
      missing: null,
      toolVersion: tool?.version ?? null,
      argumentsDigest: null,
      shell: null,
      paths: null,
      trust: null,
      errors: [],
    };
    if (tool === null) return { ...unasked, ...without('policy.unknown_tool') };
    if (environment === null) return { ...unasked, ...without('policy.unknown_environment') };
    const args = validateArguments(tool, given);
    if (!args.ok) return { ...unasked, ...without('policy.invalid_arguments'), errors: args.error.errors ?? [] };
    const argumentsDigest = digestOf('arguments', args.value);
    const line = judgeLine(tool, args.value, environment.production);
    const shell = line === null ? null : callLine(line);
    const paths = callPaths(tool, args.value);
    const facts = {
      ...{ tenantId: tx.tenantId, now, autonomy, actor: callerFacts(principal), tool, environment },
      ...{ session, shell, paths, halts },
      // Only a grant needs the tree: a call without an executor is the agent's own, and gets none.
      notExecutable: executor === null ? null : notExecutable(line),
    };
    const asked = callQuestion({ ...facts, trusted: false });
    const trust = await this.#covering(tx, call, callShape(tool, args.value), {
      now,
      tool,
      executor,
      environment,
      asked,
    });
    const decided = await this.policy.decide(
      tx,
      'tool_call',
      trust === null ? asked : callQuestion({ ...facts, trusted: true }),
      {
        subject: { type: 'tool_call', id },
        within: session === null ? [] : [{ type: 'session', id: session.id }],
      },
    );
    // The preset might have let the call through by itself.
    const used = decided.decision.reasons.some(({ code }) => code === 'session.trusted') ? trust : null;
    return { ...unasked, decision: decided.decision, decided, argumentsDigest, shell, paths, trust: used };
  }

  /** The first "always" that covers the call and whose maker may still approve it, by the records of this moment (T03, T06). */
  async #covering(
    tx: Tx,
    { session, submitter }: JudgedCall,
    shape: string | null,
    { now, tool, executor, environment, asked }: AskedAbout,
  ): Promise<SessionTrust | null> {
    if (session === null || shape === null) return null;
    const means = { tool: tool.name, toolDigest: tool.digest, executorDigest: executor?.digest ?? null };
    const trusts = await this.trusts.covering(tx, session.id, { ...means, shape });
    if (trusts.length === 0) return null;
    const decision = this.policy.evaluate('tool_call', asked);
    const behind = await peopleBehind(this.agents, tx, submitter, now);
    const later = { call: { submitter, sessionId: session.id }, environment, ...behind, decision, now };
    for (const trust of trusts) if (await this.reviewers.wouldApprove(tx, later, trust)) return trust;
    return null;
  }
}

const without = (missing: MissingFact) => ({ missing, decision: noDecision(missing) });

interface AskedAbout extends Pick<CallFacts, 'now' | 'executor'> {
  readonly tool: ToolVersion;
  readonly environment: EnvironmentFacts;
  /** The question to policy as it is without any "always". */
  readonly asked: PolicyInput<'tool_call'>;
}
