import { digestOf, newId, type ApprovalRequestId, type DecisionId, type ToolCallId } from '#lib/kernel';
import { classifyCommand, executableTree, treeDigest } from '#lib/shell-safety';
import { environmentDigest } from '#lib/task';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { CallLine } from '../domain/call-line.js';
import { ALLOWED_FOR_MS, type ToolCall, type ToolCallFacts, type ToolCallProgress } from '../domain/tool-call.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';

/** A line as bash reads it, with its tree if it has one. */
export function sampleLine(line: string): CallLine {
  const tree = executableTree(line, 'bash');
  return { ...classifyCommand(line, 'bash'), tree: tree.ok ? treeDigest(tree.value) : null };
}

/** A question about a command line of the tenant's agent, in production. */
export function sampleFacts(
  { agent, production }: SampleTenant,
  members: Partial<ToolCallFacts> & { readonly decisionId: DecisionId },
): ToolCallFacts {
  const args = { line: 'ls -l' };
  const { agentId: id, onBehalfOf, credentialId } = agent;
  return {
    id: newId<ToolCallId>(),
    sessionId: null,
    submitter: { kind: 'agent', id, onBehalfOf, credentialId },
    clientCallId: null,
    turnId: null,
    reason: null,
    tool: { name: 'shell', version: 1 },
    executor: null,
    environment: { id: production.id, name: production.name, digest: environmentDigest(production) },
    arguments: args,
    argumentsDigest: digestOf('arguments', args),
    targets: [],
    shell: sampleLine(args.line),
    paths: null,
    askedAt: 5_000,
    ...members,
  };
}

/** A call of the same agent that lacked a fact. */
export const sampleUnjudged = (tenant: SampleTenant, members: Partial<UnjudgedCall> = {}): UnjudgedCall => {
  const { id, submitter, argumentsDigest, askedAt } = sampleFacts(tenant, { decisionId: newId<DecisionId>() });
  return {
    ...{ id, submitter, argumentsDigest, askedAt, sessionId: null, clientCallId: null, turnId: null },
    tool: { name: 'never', version: null },
    environment: { name: tenant.production.name },
    ...{ code: 'policy.unknown_tool', errors: [], bundleRevision: 'r1' },
    ...members,
  };
};

/** The same, allowed by policies. */
export const sampleToolCall = (
  tenant: SampleTenant,
  members: Partial<ToolCallFacts> & { readonly decisionId: DecisionId },
): ToolCall => ({ ...sampleFacts(tenant, members), ...sampleProgress(null).allowed });

/** How a call stands in each state. The times follow each other. */
export function sampleProgress(requestId: ApprovalRequestId | null) {
  const allowed = {
    requestId,
    decidedAs: requestId === null ? ('auto_approved' as const) : ('approved' as const),
    decidedAt: 6_000,
    allowedUntil: 6_000 + ALLOWED_FOR_MS,
  };
  const dispatched = { ...allowed, attempt: 1, dispatchedAt: 7_000 };
  const error = { code: 'tool_call.lost', message: 'Its answer did not come.' };
  return {
    allowed: { ...allowed, state: 'allowed' },
    denied: { state: 'denied', requestId: null, decidedAs: 'denied', decidedAt: 6_000 },
    expired: { ...allowed, state: 'expired', finishedAt: 70_000 },
    executing: { ...dispatched, state: 'executing', leaseUntil: 22_000 },
    succeeded: { ...dispatched, state: 'succeeded', result: { lines: 3 }, finishedAt: 8_000 },
    failed: { ...dispatched, state: 'failed', result: null, error, finishedAt: 8_000 },
    unknown: { ...dispatched, state: 'unknown', error, finishedAt: 22_000 },
  } as const satisfies Readonly<Record<string, ToolCallProgress>>;
}
