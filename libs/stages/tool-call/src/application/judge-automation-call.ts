import { activeFreezes, relevantDocument } from '#lib/autonomy';
import type { JsonObject } from '#lib/canonical';
import { kindNamed, type ExecutorKinds } from '#lib/dispatch';
import { digestOf, type AgentId, type Digest, type SubjectRef, type ToolCallId, type Tx } from '#lib/kernel';
import { judgeLine } from '#lib/plan';
import { noDecision, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import type { AutomationInput, Decision } from '#lib/policy-inputs';
import type { PathVerdict } from '#lib/shell-safety';
import { toolFacts, validateArguments } from '#lib/tool';
import { callLine, notExecutable, type CallLine } from '../domain/call-line.js';
import { callPaths } from '../domain/call-paths.js';
import type { CallFault } from '../domain/tool-call.js';
import type { MissingFact } from '../domain/unjudged-call.js';
import type { CallFacts, CallFactsReader } from './call-facts.port.js';

/** A call that an automation would make. */
export interface AutomationCall {
  readonly tool: string;
  readonly environment: string;
  readonly arguments: JsonObject;
  /** Null before the automation has an agent. */
  readonly agentId: AgentId | null;
  /** The version of the tool that the tenant's list accepts; null if the list lacks the tool. */
  readonly accepted: AutomationInput['accepted'];
}

/** The decision with the known facts of the call. */
export interface AutomationJudgement {
  readonly decision: Decision;
  /** Null if a fact was missing to put to the policies. */
  readonly decided: RecordedDecision | null;
  /** That fact. */
  readonly missing: MissingFact | null;
  readonly facts: CallFacts;
  readonly argumentsDigest: Digest | null;
  readonly shell: CallLine | null;
  readonly paths: PathVerdict | null;
}

interface Question {
  readonly input: AutomationInput;
  readonly argumentsDigest: Digest;
  readonly shell: CallLine | null;
  readonly paths: PathVerdict | null;
}

interface Denied {
  readonly missing: MissingFact;
  readonly decision: Decision;
}

/** Puts a call of an automation to the policies' `automation`, which never asks a person. A missing fact is a deny with a code. */
export class JudgeAutomationCall {
  constructor(
    private readonly policy: Pick<PolicyDecisionPoint, 'decide' | 'evaluate'>,
    private readonly facts: CallFactsReader,
    private readonly executorKinds: ExecutorKinds,
  ) {}

  /** Why the call would be blocked now, or null. It is not recorded, and nothing follows from it. */
  async preview(tx: Tx, call: AutomationCall): Promise<CallFault | null> {
    const facts = await this.facts.read(tx, call);
    const asked = questionOf(tx, call, facts);
    const decision = 'missing' in asked ? asked.decision : this.policy.evaluate('automation', asked.input);
    return decision.outcome === 'deny' ? faultOf(decision) : this.executorFault(call, facts);
  }

  /** A tool without an executor is called by its agent, and an automation has none. */
  executorFault(
    { tool, environment }: Pick<AutomationCall, 'tool' | 'environment'>,
    { executor }: { readonly executor: { readonly kind: string } | null },
  ): CallFault | null {
    const kind = executor === null ? undefined : kindNamed(this.executorKinds, executor.kind);
    if (executor !== null && (kind?.answeredBy ?? 'executor') === 'executor') return null;
    const message = `Tool ${tool} has no executor in ${environment} that Countersign calls by itself`;
    return { code: 'automation.no_executor', message };
  }

  /** The facts that decide about a call. */
  read(tx: Tx, call: AutomationCall): Promise<CallFacts> {
    return this.facts.read(tx, call);
  }

  /** Decides and records. @param within the run of the automation. */
  async execute(
    tx: Tx,
    call: AutomationCall & { readonly id: ToolCallId },
    facts: CallFacts,
    within: readonly SubjectRef[],
  ): Promise<AutomationJudgement> {
    const asked = questionOf(tx, call, facts);
    if ('missing' in asked) return { ...asked, decided: null, facts, argumentsDigest: null, shell: null, paths: null };
    const { input, ...known } = asked;
    const about = { subject: { type: 'tool_call', id: call.id }, within } as const;
    const decided = await this.policy.decide(tx, 'automation', input, about);
    return { decision: decided.decision, decided, missing: null, facts, ...known };
  }
}

function questionOf(
  tx: Tx,
  { arguments: given, accepted }: AutomationCall,
  { now, tool, executor, environment, autonomy, halts }: CallFacts,
): Question | Denied {
  if (tool === null) return without('policy.unknown_tool');
  if (environment === null) return without('policy.unknown_environment');
  const args = validateArguments(tool, given);
  if (!args.ok) return without('policy.invalid_arguments', (args.error.errors ?? []).map(told).join('; '));
  const line = judgeLine(tool, args.value, environment.production);
  const shell = line === null ? null : callLine(line);
  const paths = callPaths(tool, args.value);
  const input: AutomationInput = {
    now,
    tenant_id: tx.tenantId,
    autonomy: relevantDocument(autonomy, environment.name, tool.name),
    tool: toolFacts(tool),
    digest: tool.digest,
    accepted,
    environment,
    // Only a grant needs the tree.
    shell: shell && {
      tier: shell.tier,
      class: shell.class,
      not_executable: executor === null ? null : notExecutable(line),
    },
    paths: paths && { tier: paths.tier, class: paths.class },
    freeze: { active: activeFreezes(autonomy, now), starter_roles: [] },
    halts: [...halts],
  };
  return { input, argumentsDigest: digestOf('arguments', args.value), shell, paths };
}

const without = (missing: MissingFact, detail?: string): Denied => ({ missing, decision: noDecision(missing, detail) });

/** The first reason has the code; the message has all of them. */
export const faultOf = ({ reasons }: Decision): CallFault => ({
  code: reasons[0]?.code ?? 'policy.no_decision',
  message: reasons.map(({ message }) => message).join('; '),
});

const told = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string =>
  `${pointer} ${message}`;
