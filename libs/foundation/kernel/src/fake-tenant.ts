import { FakeUnitOfWork } from './fake-unit-of-work.js';
import { newId, type AgentId, type CredentialId, type EnvironmentId, type PersonId, type TenantId } from './ids.js';
import type { AgentPrincipal, PersonPrincipal } from './principal.js';
import type { UnitOfWork } from './unit-of-work.js';

/** An environment as every stage reads it. */
export interface SampleEnvironment {
  readonly id: EnvironmentId;
  readonly name: string;
  readonly production: boolean;
  readonly version: number;
}

/** A tenant with two environments, two people, and an agent that the first of them owns. */
export interface SampleTenant {
  readonly tenantId: TenantId;
  readonly production: SampleEnvironment;
  readonly staging: SampleEnvironment;
  readonly owner: PersonPrincipal;
  /** A PlatformAdmin. */
  readonly admin: PersonPrincipal;
  readonly agent: AgentPrincipal;
}

/** The setting of a contract suite: transactions, and two tenants with separate rows. */
export interface ContractWorld {
  readonly uow: UnitOfWork;
  readonly home: SampleTenant;
  readonly other: SampleTenant;
  /** Resolves once a transaction waits for a lock of another; at once in memory, where all wait for the one before. */
  blocked(): Promise<void>;
  close(): Promise<void>;
}

export const samplePerson = (tenantId: TenantId, roles: readonly string[] = []): PersonPrincipal => ({
  kind: 'person',
  tenantId,
  personId: newId<PersonId>(),
  displayName: 'A person',
  roles: roles.map((role) => ({ role, assignedAt: 0 })),
  credentialId: newId<CredentialId>(),
  credentialKind: 'person_token',
  scopes: ['read', 'submit'],
  signedInAt: null,
});

export const sampleAgent = (owner: PersonPrincipal): AgentPrincipal => ({
  kind: 'agent',
  tenantId: owner.tenantId,
  agentId: newId<AgentId>(),
  displayName: 'An agent',
  ownerId: owner.personId,
  onBehalfOf: null,
  credentialId: newId<CredentialId>(),
  scopes: ['read', 'submit'],
});

const sampleEnvironment = (name: string, production: boolean): SampleEnvironment => ({
  id: newId<EnvironmentId>(),
  name,
  production,
  version: 1,
});

export function sampleTenant(): SampleTenant {
  const tenantId = newId<TenantId>();
  const owner = samplePerson(tenantId);
  return {
    tenantId,
    production: sampleEnvironment('production', true),
    staging: sampleEnvironment('staging', false),
    owner,
    admin: samplePerson(tenantId, ['PlatformAdmin']),
    agent: sampleAgent(owner),
  };
}

/** A world in memory: nothing but the tenants' names is there. */
export const fakeWorld = (): ContractWorld & { readonly uow: FakeUnitOfWork } => ({
  uow: new FakeUnitOfWork(),
  home: sampleTenant(),
  other: sampleTenant(),
  blocked: () => Promise.resolve(),
  close: () => Promise.resolve(),
});
