import type { AgentId, CredentialId, EnvironmentId, PersonId, Principal, TaskId, TenantId } from '#lib/kernel';
import { taskSpecSchema } from '#lib/formats';
import { environmentDigest } from './environment-record.js';
import { mayChangeTask, submitterOf, type Task } from './task.js';

const tenantId = 't' as TenantId;
const credentialId = 'c' as CredentialId;
const agent = (id: string, onBehalfOf: string | null = null): Principal => ({
  kind: 'agent',
  tenantId,
  agentId: id as AgentId,
  displayName: id,
  ownerId: 'owner' as PersonId,
  onBehalfOf: onBehalfOf as PersonId | null,
  credentialId,
  scopes: ['submit'],
});
const person = (id: string, ...roles: string[]): Principal => ({
  kind: 'person',
  tenantId,
  personId: id as PersonId,
  displayName: id,
  roles: roles.map((role) => ({ role, assignedAt: 0 })),
  credentialId,
  credentialKind: 'person_token',
  scopes: ['submit'],
  signedInAt: null,
});
const system: Principal = { kind: 'system', tenantId, name: 'run-executor' };

const taskOf = (principal: Principal): Task => {
  const submitter = submitterOf(principal);
  if (!submitter.ok) throw new Error('nobody');
  const spec = taskSpecSchema.parse({ goal: 'g', task_type: 't', environment: 'production' });
  return {
    id: 'task' as TaskId,
    environmentId: 'e' as EnvironmentId,
    state: 'created',
    spec,
    specText: '{}',
    digest: 'sha256:00',
    submitter: submitter.value,
    createdAt: 0,
    updatedAt: 0,
  };
};

describe('a task of an agent that acts for somebody', () => {
  const task = taskOf(agent('a', 'principal'));
  it.each([
    ['the agent itself', agent('a', 'principal'), true],
    ['the agent without the delegation', agent('a'), true],
    ['the agent on behalf of somebody else', agent('a', 'other'), false],
    ['another agent', agent('b', 'principal'), false],
    ['the person it acts for', person('principal'), true],
    ['the accountable owner', person('owner'), true],
    ['a PlatformAdmin', person('admin', 'PlatformAdmin'), true],
    ['an SRELead', person('lead', 'SRELead'), false],
    ['the system', system, false],
  ])('is changed by %s: %p', (_who, principal, allowed) => {
    const answer = mayChangeTask(principal, task, 'owner' as PersonId);
    expect(answer.ok).toBe(allowed);
    if (!answer.ok) expect(answer.error).toMatchObject({ kind: 'forbidden', code: 'task.not_yours' });
  });
});

describe('a task of an agent on its own', () => {
  it('is not opened by a delegation that anybody may issue', () => {
    const task = taskOf(agent('a'));
    expect(mayChangeTask(agent('a', 'anybody'), task, 'owner' as PersonId).ok).toBe(false);
    expect(mayChangeTask(agent('a'), task, 'owner' as PersonId).ok).toBe(true);
  });
});

describe('a task of a person', () => {
  const task = taskOf(person('somebody'));
  it.each([
    ['that person', person('somebody'), true],
    ['another person', person('other'), false],
    ['an agent', agent('somebody'), false],
    ['a PlatformAdmin', person('admin', 'PlatformAdmin'), true],
  ])('is changed by %s: %p', (_who, principal, allowed) => {
    expect(mayChangeTask(principal, task, null).ok).toBe(allowed);
  });
});

it('the system submits nothing', () => {
  expect(submitterOf(system)).toMatchObject({ ok: false, error: { code: 'task.submitter_required' } });
});

it.each([{ name: 'prod' }, { production: false }, { version: 2 }])(
  'an environment with %j has another digest',
  (change) => {
    const environment = { id: 'e' as EnvironmentId, name: 'production', production: true, version: 1 };
    expect(environmentDigest({ ...environment, ...change })).not.toBe(environmentDigest(environment));
    expect(environmentDigest({ ...environment })).toBe(environmentDigest(environment));
  },
);
