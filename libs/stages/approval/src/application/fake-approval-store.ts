import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import {
  newId,
  type AgentId,
  type CredentialId,
  type DecisionId,
  type EnvironmentId,
  type PersonId,
  type PlanId,
  type TaskId,
  type TenantId,
  type ToolCallId,
} from '#lib/kernel';
import type { ApprovalStore, Holder } from './approval-store.contract.js';
import { FakeAbsenceRepository } from './fake-absence-repository.js';
import { FakeApprovalRepository } from './fake-approval-repository.js';
import { FakeClaimRepository } from './fake-claim-repository.js';
import { FakeFloodRepository } from './fake-flood-repository.js';
import { FakePeople, type FakePerson } from './fake-people.js';
import { FakeReminderRepository } from './fake-reminder-repository.js';

/** A store of fakes. */
export interface FakeStore extends ApprovalStore {
  readonly uow: FakeUnitOfWork;
}

/** Opens stores of fakes; those of one opener share their tables, as tenants of one database do. */
export function fakeStores(): () => Promise<FakeStore> {
  const uow = new FakeUnitOfWork();
  const requests = new FakeApprovalRepository(uow);
  const reminders = new FakeReminderRepository(uow);
  const absences = new FakeAbsenceRepository(uow);
  const people = new FakePeople(uow, absences);
  const ports = {
    uow,
    requests,
    reminders,
    absences,
    people,
    claims: new FakeClaimRepository(uow),
    floods: new FakeFloodRepository(uow, requests),
  };
  const holder = <Id extends AgentId | PersonId>(): Holder<Id> => ({
    id: newId<Id>(),
    credentialId: newId<CredentialId>(),
  });
  return () => {
    const tenantId = newId<TenantId>();
    const tx = { tenantId };
    const environments = { production: newId<EnvironmentId>(), staging: newId<EnvironmentId>() };
    for (const [name, id] of Object.entries(environments)) requests.environments.of(tx).set(id, name);
    const change = (id: PersonId, more: (person: FakePerson) => Partial<FakePerson>): Promise<void> => {
      const person = people.rows.of(tx).get(id);
      if (person !== undefined) people.rows.of(tx).set(id, { ...person, ...more(person) });
      return Promise.resolve();
    };
    return Promise.resolve({
      ...ports,
      tenantId,
      agent: (owner) => {
        const agent = holder<AgentId>();
        requests.owners.of(tx).set(agent.id, owner ?? newId<PersonId>());
        return Promise.resolve(agent);
      },
      person: (...roles) => {
        const person = holder<PersonId>();
        people.rows.of(tx).set(person.id, {
          personId: person.id,
          displayName: person.id,
          nameForAgents: person.id,
          disabled: false,
          joinedAt: uow.now,
          roles: roles.map((role) => ({ role, assignedAt: uow.now })),
          waysIn: [],
        });
        return Promise.resolve(person);
      },
      revoke: (id, role) => change(id, ({ roles }) => ({ roles: roles.filter((held) => held.role !== role) })),
      disable: (id) => change(id, () => ({ disabled: true })),
      endCredential: (id) => {
        people.endedCredentials.add(id);
        return Promise.resolve();
      },
      plan: ({
        taskId = newId<TaskId>(),
        revision = 1,
        goal = 'a goal',
        environment = 'production',
        targets = [],
      } = {}) => {
        const planId = newId<PlanId>();
        const production = environment === 'production';
        const environmentId = environments[environment];
        requests.plans.of(tx).set(planId, {
          taskId,
          revision,
          about: { type: 'plan', goal, environment: { id: environmentId, name: environment, production } },
          targets,
        });
        return Promise.resolve({ taskId, planId, environmentId, decisionId: newId<DecisionId>() });
      },
      call: (environment = 'staging') =>
        Promise.resolve({
          callId: newId<ToolCallId>(),
          environmentId: environments[environment],
          decisionId: newId<DecisionId>(),
        }),
    });
  };
}
