import { activeFreezes, relevantDocument } from '#lib/autonomy';
import type { JsonObject } from '#lib/canonical';
import { kindNamed, type ExecutorKinds } from '#lib/dispatch';
import type { AgentId, Digest, SubjectRef, ToolCallId, Tx } from '#lib/kernel';
import { noDecision, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import type { Decision } from '#lib/formats';
import type { AutomationInput } from '#lib/policy-inputs';
import type { PathVerdict } from '#lib/shell-safety';
import { toolFacts } from '#lib/tool';
import type { CallLine } from '../domain/call-line.js';
import type { CallFault } from '../domain/tool-call.js';
import type { MissingFact } from '../domain/unjudged-call.js';
import type { CallFacts, CallFactsReader } from './call-facts.port.js';
import { knownCall } from './known-call.js';

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

  /** The reason why the call would be blocked now, or null. It is not recorded, and nothing follows from it. */
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

function questionOf(tx: Tx, { arguments: given, accepted }: AutomationCall, facts: CallFacts): Question | Denied {
  const known = knownCall(given, facts);
  if ('missing' in known) {
    const { missing, errors } = known;
    const detail = missing === 'policy.invalid_arguments' ? errors.map(told).join('; ') : undefined;
    return { missing, decision: noDecision(missing, detail) };
  }
  const { tool, environment, argumentsDigest, shell, paths } = known;
  const { now, autonomy, halts } = facts;
  const input: AutomationInput = {
    now,
    tenant_id: tx.tenantId,
    autonomy: relevantDocument(autonomy, environment.name, tool.name),
    tool: toolFacts(tool),
    digest: tool.digest,
    accepted,
    environment,
    shell: shell && { tier: shell.tier, class: shell.class, not_executable: known.notExecutable },
    paths: paths && { tier: paths.tier, class: paths.class },
    freeze: { active: activeFreezes(autonomy, now), starter_roles: [] },
    halts: [...halts],
  };
  return { input, argumentsDigest, shell, paths };
}

/** The first reason has the code; the message has all of them. */
export const faultOf = ({ reasons }: Decision): CallFault => ({
  code: reasons[0]?.code ?? 'policy.no_decision',
  message: reasons.map(({ message }) => message).join('; '),
});

const told = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string =>
  `${pointer} ${message}`;
