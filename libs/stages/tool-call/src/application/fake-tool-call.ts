import { digestOf, newId, type DecisionId, type ToolCallId } from '#lib/kernel';
import { classifyCommand } from '#lib/shell-safety';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ALLOWED_FOR_MS, type ToolCall } from '../domain/tool-call.js';

/** An allowed command line of the tenant's agent, in production. */
export function sampleToolCall(
  { agent, production }: SampleTenant,
  members: Partial<ToolCall> & { readonly decisionId: DecisionId },
): ToolCall {
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
    environment: { id: production.id, name: production.name },
    arguments: args,
    argumentsDigest: digestOf('arguments', args),
    shell: classifyCommand(args.line, 'bash'),
    state: 'allowed',
    decidedAs: 'auto_approved',
    decidedAt: 5_000,
    allowedUntil: 5_000 + ALLOWED_FOR_MS,
    ...members,
  };
}
