import type { JsonObject } from '#lib/canonical';
import { relevantDocument } from '#lib/autonomy';
import type { Decision, ToolCallInput } from '#lib/policy-inputs';
import {
  actorOf,
  digestOf,
  newId,
  type AuditSink,
  type DecisionId,
  type Digest,
  type FieldError,
  type Principal,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { actorFacts, noDecision, type PolicyDecisionPoint } from '#lib/policy';
import { classifyCommand, type ShellVerdict } from '#lib/shell-safety';
import { commandLineOf, toolFacts, validateArguments } from '#lib/tool';
import type { CallFacts, CallFactsReader } from './call-facts.port.js';

/** The call that is asked about. */
export interface ToolCallQuestion {
  readonly tool: string;
  readonly environment: string;
  readonly arguments: JsonObject;
}

/** The answer; its outcome is the decision's. */
export interface ToolCallAnswer {
  readonly id: ToolCallId;
  readonly decision: Decision;
  /** Null if there were no facts to put to the policies: then nothing but the audit entry records the deny. */
  readonly decisionId: DecisionId | null;
  readonly bundleRevision: string;
  readonly toolVersion: number | null;
  readonly argumentsDigest: Digest | null;
  /** The verdict on the command line that the call would execute; null for a tool that takes none, or without arguments that fit. */
  readonly shell: ShellVerdict | null;
  /** The errors of the arguments; pointers are relative to the arguments. */
  readonly errors: readonly FieldError[];
  /** Epoch milliseconds. */
  readonly decidedAt: number;
}

/** The decision with the known facts of the call. */
type Judgement = Omit<ToolCallAnswer, 'id' | 'bundleRevision' | 'decidedAt'>;

/**
 * Answers whether one tool call may be made now, without a plan. Always an answer, never a refusal to answer: a tool or
 * environment that is not there and arguments that do not fit are denies with a code, on record like every other.
 *
 * One transaction of three statements: the facts, the decision, the audit entry. An allow that can't be recorded is
 * thrown back with its transaction (T28).
 */
export class AuthorizeToolCall {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly facts: CallFactsReader,
    private readonly policy: PolicyDecisionPoint,
    private readonly audit: AuditSink,
  ) {}

  execute(principal: Principal, question: ToolCallQuestion): Promise<ToolCallAnswer> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const { tool, environment } = question;
      const agentId = principal.kind === 'agent' ? principal.agentId : null;
      const facts = await this.facts.read(tx, { tool, environment, agentId });
      const id = newId<ToolCallId>();
      const judgement = await this.judge(tx, principal, { ...question, id }, facts);
      const answer: ToolCallAnswer = {
        ...judgement,
        id,
        bundleRevision: this.policy.bundleRevision,
        decidedAt: facts.now,
      };
      await this.record(tx, principal, question, answer);
      return answer;
    });
  }

  private async judge(
    tx: Tx,
    principal: Principal,
    question: ToolCallQuestion & { readonly id: ToolCallId },
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
      session: null,
      shell: shell === null ? null : { tier: shell.tier, class: shell.class },
      halts: [...halts],
    };
    const { id, decision } = await this.policy.decide(tx, 'tool_call', input, {
      subject: { type: 'tool_call', id: question.id },
      within: [],
    });
    const argumentsDigest = digestOf('arguments', args.value);
    return { ...unasked, decision, decisionId: id, argumentsDigest, shell };
  }

  private record(tx: Tx, principal: Principal, question: ToolCallQuestion, answer: ToolCallAnswer): Promise<void> {
    const { decision, decisionId, shell } = answer;
    return this.audit.record(tx, {
      action: 'tool_call.decided',
      actor: actorOf(principal),
      level: decision.obligations.audit_level,
      subject: { type: 'tool_call', id: answer.id },
      ...(decisionId === null ? {} : { decisionId }),
      payload: {
        tool: question.tool,
        tool_version: answer.toolVersion,
        environment: question.environment,
        outcome: decision.outcome,
        reasons: decision.reasons,
        // Arguments that did not fit are not kept: their secrets are unknown.
        ...(answer.argumentsDigest === null
          ? {}
          : { arguments: question.arguments, arguments_digest: answer.argumentsDigest }),
        ...(shell === null ? {} : { shell: { tier: shell.tier, class: shell.class } }),
        errors: answer.errors.map(({ pointer, code }) => ({ pointer, code })),
      },
    });
  }
}
