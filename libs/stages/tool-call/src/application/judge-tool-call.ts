import type { JsonObject } from '#lib/canonical';
import type { Decision } from '#lib/policy-inputs';
import { digestOf, type Digest, type FieldError, type Principal, type ToolCallId, type Tx } from '#lib/kernel';
import { actorFacts, noDecision, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import type { Session } from '#lib/session';
import { classifyCommand, type ShellVerdict } from '#lib/shell-safety';
import { commandLineOf, validateArguments } from '#lib/tool';
import { callQuestion } from '../domain/call-question.js';
import type { CallFacts } from './call-facts.port.js';

/** The call to judge. */
export interface JudgedCall {
  readonly id: ToolCallId;
  readonly arguments: JsonObject;
  readonly session: Session | null;
}

/** The decision with the known facts of the call. */
export interface Judgement {
  readonly decision: Decision;
  /** Null if there were no facts to put to the policies. */
  readonly decided: RecordedDecision | null;
  readonly toolVersion: number | null;
  readonly argumentsDigest: Digest | null;
  readonly shell: ShellVerdict | null;
  readonly errors: readonly FieldError[];
}

/** Puts one call to the policies, and records their decision. A missing fact is a deny with a code. */
export class JudgeToolCall {
  constructor(private readonly policy: Pick<PolicyDecisionPoint, 'decide'>) {}

  async execute(
    tx: Tx,
    principal: Principal,
    { id, arguments: given, session }: JudgedCall,
    { now, tool, environment, autonomy, halts }: CallFacts,
  ): Promise<Judgement> {
    const unasked = {
      decided: null,
      toolVersion: tool?.version ?? null,
      argumentsDigest: null,
      shell: null,
      errors: [],
    };
    if (tool === null) return { ...unasked, decision: noDecision('policy.unknown_tool') };
    if (environment === null) return { ...unasked, decision: noDecision('policy.unknown_environment') };
    const args = validateArguments(tool, given);
    if (!args.ok) {
      const decision = noDecision('policy.invalid_arguments');
      return { ...unasked, decision, errors: args.error.errors ?? [] };
    }
    const line = commandLineOf(tool, args.value);
    const shell = line === null ? null : classifyCommand(line.text, line.dialect);
    const input = callQuestion({
      ...{ tenantId: tx.tenantId, now, autonomy, actor: actorFacts(principal), tool, environment },
      ...{ session, trusted: false, shell, halts },
    });
    const decided = await this.policy.decide(tx, 'tool_call', input, {
      subject: { type: 'tool_call', id },
      within: session === null ? [] : [{ type: 'session', id: session.id }],
    });
    const argumentsDigest = digestOf('arguments', args.value);
    return { ...unasked, decision: decided.decision, decided, argumentsDigest, shell };
  }
}
