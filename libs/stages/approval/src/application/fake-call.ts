import type { AutonomyDocument, ToolDocument } from '#lib/formats';
import type { ToolCallInput } from '#lib/policy-inputs';
import { digestOf, newId, type SessionId, type ToolCallId, type Tx } from '#lib/kernel';
import { actorFacts } from '#lib/policy';
import { environmentDigest } from '#lib/task';
import { toolFacts } from '#lib/tool';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { CallSubject } from '../domain/call-subject.js';
import type { CallApproved, CallApprovedListener, CallDenied, CallDeniedListener } from './approval.ports.js';
import { versionOf } from './fake-subject.js';

/** One person with any role approves each call of staging that changes something. */
export const callRules = (staging: object = {}): AutonomyDocument => ({
  autonomy: {
    mode: 'plan_only',
    environments: {
      staging: { mode: 'full_auto', allowed_approvers: ['any'], require_approval: true, ...staging },
    },
  },
});

/** The wishes of a test. */
export interface CallOptions {
  readonly environment?: 'staging' | 'production';
  readonly sessionId?: SessionId;
}

/** Restarts a service, without a plan. */
const RESTART: ToolDocument = {
  description: 'Restarts a service',
  risk: 'state_change_nonprod',
  effect: 'modify',
  idempotent: true,
  scope: 'asset',
  requires_plan: false,
  simulation: 'not_applicable',
  identity_fields: ['/targets'],
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['service', 'targets'],
    properties: {
      service: { type: 'string', minLength: 1, maxLength: 100 },
      targets: { type: 'array', minItems: 1, maxItems: 10, items: { type: 'string', minLength: 1, maxLength: 100 } },
    },
  },
};

/** A call of the tenant's agent. */
export function sampleCall(
  { agent, owner, tenantId, ...environments }: SampleTenant,
  autonomy: CallSubject['autonomy'],
  now: number,
  { environment: where = 'staging', sessionId }: CallOptions = {},
): CallSubject {
  const environment = environments[where];
  const tool = versionOf('restart_service', RESTART);
  const question: ToolCallInput = {
    now,
    tenant_id: tenantId,
    autonomy: autonomy.facts,
    actor: { ...actorFacts(agent), scopes: ['submit', 'run'], via: 'token' },
    tool: toolFacts(tool),
    environment: { ...environment },
    session: null,
    shell: null,
    paths: null,
    halts: [],
  };
  const given = { service: 'nginx', targets: ['web-01'] };
  return {
    type: 'tool_call',
    call: {
      id: newId<ToolCallId>(),
      sessionId: sessionId ?? null,
      digest: digestOf('tool-call', { id: newId() }),
      tool: { name: tool.name, version: tool.version, digest: tool.digest },
      executor: null,
      environmentDigest: environmentDigest(environment),
      arguments: given,
      argumentsDigest: digestOf('arguments', given),
      targets: given.targets,
      category: 'terminal-write',
      level: 'medium',
      impact: 'Restarts nginx on web-01.',
      reason: 'nginx does not answer',
      submitter: { kind: 'agent', id: agent.agentId, onBehalfOf: agent.onBehalfOf, credentialId: agent.credentialId },
    },
    shape: sessionId === undefined ? null : { '/targets': ['web-01'] },
    environment,
    registry: { tools: new Map([[tool.name, tool]]), executors: new Map() },
    autonomy,
    ownerId: owner.personId,
    answerable: [owner.personId],
    question,
  };
}

/** Hears of calls that people approved or that are denied, in order. */
export class FakeAnswers implements CallApprovedListener, CallDeniedListener {
  readonly #approved: FakeTable<CallApproved>;
  readonly #denied: FakeTable<CallDenied>;

  constructor(uow: FakeUnitOfWork) {
    this.#approved = new FakeTable(uow);
    this.#denied = new FakeTable(uow);
  }

  callApproved(tx: Tx, event: CallApproved): Promise<void> {
    this.#approved.of(tx).set(event.request.id, event);
    return Promise.resolve();
  }

  callDenied(tx: Tx, event: CallDenied): Promise<void> {
    this.#denied.of(tx).set(event.request.id, event);
    return Promise.resolve();
  }

  approved(tx: Pick<Tx, 'tenantId'>): readonly CallApproved[] {
    return [...this.#approved.of(tx).values()];
  }

  denied(tx: Pick<Tx, 'tenantId'>): readonly CallDenied[] {
    return [...this.#denied.of(tx).values()];
  }
}
