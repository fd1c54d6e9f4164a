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
import { knownByWords } from '../domain/known-by-words.js';
import { shownName, type Person } from '../domain/person.js';
import type { KnownBy } from '../domain/seats.js';
import { seenBy } from './credentials-seen.js';
import type {
  AgentRepository,
  CredentialRepository,
  ListAfter,
  PeopleFilter,
  PersonRepository,
  Seats,
} from './identity.ports.js';

/** How somebody stands, as people read it. */
export interface NamedStanding {
  readonly known: boolean;
  readonly knownBy: readonly (KnownBy & { readonly words: string })[];
  readonly sharedWith: readonly { readonly id: PersonId; readonly displayName: string }[];
}

/** The people and agents of a tenant, and the credentials that the caller may know of. */
export class ReadIdentity {
  readonly #uow: UnitOfWork;
  readonly #people: PersonRepository;
  readonly #agents: AgentRepository;
  readonly #credentials: CredentialRepository;

  readonly #seats: Pick<Seats, 'standingOf'>;

  constructor(
    uow: UnitOfWork,
    people: PersonRepository,
    agents: AgentRepository,
    credentials: CredentialRepository,
    seats: Pick<Seats, 'standingOf'>,
  ) {
    this.#uow = uow;
    this.#people = people;
    this.#agents = agents;
    this.#credentials = credentials;
    this.#seats = seats;
  }

  people(tenantId: TenantId, page: ListAfter, filter: PeopleFilter): Promise<Person[]> {
    return this.#uow.run(tenantId, (tx) => this.#people.list(tx, page, filter));
  }

  async person(tenantId: TenantId, id: PersonId): Promise<Result<Person>> {
    const person = await this.#uow.run(tenantId, (tx) => this.#people.find(tx, id));
    return person === null ? err(notFound('person')) : ok(person);
  }

  /** How these people are known, and the people who share each one's vote, with names. */
  standings(tenantId: TenantId, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, NamedStanding>> {
    return this.#uow.run(tenantId, async (tx) => {
      const standing = await this.#seats.standingOf(tx, ids);
      const named = [...standing.values()].flatMap(({ sharedWith, knownBy }) => [
        ...sharedWith,
        ...knownBy.flatMap(({ by, hand }) => [by, hand].filter((id) => id !== null)),
      ]);
      const names = new Map(
        (await this.#people.findMany(tx, [...new Set(named)])).map((one) => [one.id, shownName(one, true)]),
      );
      const nameOf = (id: PersonId): string => names.get(id) ?? 'somebody';
      return new Map(
        [...standing].map(([id, { known, knownBy, sharedWith }]) => [
          id,
          {
            known,
            knownBy: knownBy.map((one) => ({ ...one, words: knownByWords(one, nameOf) })),
            sharedWith: sharedWith.map((other) => ({ id: other, displayName: nameOf(other) })),
          },
        ]),
      );
    });
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
