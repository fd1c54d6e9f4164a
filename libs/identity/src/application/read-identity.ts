import {
  err,
  notFound,
  ok,
  type AgentId,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { Agent } from '../domain/agent.js';
import type { Credential } from '../domain/credential.js';
import type { Person } from '../domain/person.js';
import { seenBy } from './credentials-seen.js';
import type { AgentRepository, CredentialRepository, ListAfter, PersonRepository } from './identity.ports.js';

/** Who there is in a tenant, and which credentials the caller may know of. */
export class ReadIdentity {
  readonly #uow: UnitOfWork;
  readonly #people: PersonRepository;
  readonly #agents: AgentRepository;
  readonly #credentials: CredentialRepository;

  constructor(uow: UnitOfWork, people: PersonRepository, agents: AgentRepository, credentials: CredentialRepository) {
    this.#uow = uow;
    this.#people = people;
    this.#agents = agents;
    this.#credentials = credentials;
  }

  people(tenantId: TenantId, page: ListAfter): Promise<Person[]> {
    return this.#uow.run(tenantId, (tx) => this.#people.list(tx, page));
  }

  async person(tenantId: TenantId, id: PersonId): Promise<Result<Person>> {
    const person = await this.#uow.run(tenantId, (tx) => this.#people.find(tx, id));
    return person === null ? err(notFound('person')) : ok(person);
  }

  agents(tenantId: TenantId, page: ListAfter): Promise<Agent[]> {
    return this.#uow.run(tenantId, (tx) => this.#agents.list(tx, page));
  }

  async agent(tenantId: TenantId, id: AgentId): Promise<Result<Agent>> {
    const agent = await this.#uow.run(tenantId, (tx) => this.#agents.find(tx, id));
    return agent === null ? err(notFound('agent')) : ok(agent);
  }

  credentials(by: PersonPrincipal, page: ListAfter): Promise<Credential[]> {
    return this.#uow.run(by.tenantId, (tx) => this.#credentials.list(tx, seenBy(by), page));
  }
}
