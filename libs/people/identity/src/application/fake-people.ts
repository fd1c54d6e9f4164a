import { PLATFORM_ADMIN } from '#lib/formats';
import type { AgentId, PersonId, TenantId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Agent } from '../domain/agent.js';
import type { Credential } from '../domain/credential.js';
import type { Person } from '../domain/person.js';
import type { AgentRepository, ListAfter, PeopleFilter, PersonRepository } from './identity.ports.js';

/** A credential with the digest of its token. */
export interface KeptCredential {
  readonly credential: Credential;
  readonly digest: Uint8Array;
}

/** The rows of people, agents and credentials: a name is taken by either, and a credential lets its holder in. */
export class FakePeopleRows {
  readonly people: FakeTable<Person>;
  readonly agents: FakeTable<Agent>;
  readonly credentials: FakeTable<KeptCredential>;
  /** The people who are known to an issuer in service. */
  readonly atIssuer = new Set<PersonId>();
  /** The tenants in which issuers are the only way in. */
  readonly issuersOnly = new Set<TenantId>();

  constructor(readonly database: FakeUnitOfWork) {
    this.people = new FakeTable(database);
    this.agents = new FakeTable(database);
    this.credentials = new FakeTable(database);
  }
}

const after = <Row extends { readonly id: string }>(rows: Iterable<Row>, { afterId, limit }: ListAfter): Row[] =>
  [...rows]
    .filter(({ id }) => afterId === null || id > afterId)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);

/** Keeps people in memory. Names are alike if they differ in case alone. */
export class FakePersonRepository implements PersonRepository {
  constructor(private readonly rows: FakePeopleRows) {}

  async insert(tx: Tx, person: Pick<Person, 'id' | 'email' | 'displayName'>): Promise<boolean> {
    if ((await this.findByEmail(tx, person.email)) !== null) return false;
    const never = { disabledAt: null, enrolledAt: null, cameInAt: null, nameNote: null };
    this.rows.people.of(tx).set(person.id, { ...person, createdAt: this.rows.database.now, ...never, roles: [] });
    return true;
  }

  find(tx: Tx, id: PersonId): Promise<Person | null> {
    return Promise.resolve(this.rows.people.of(tx).get(id) ?? null);
  }

  findByEmail(tx: Tx, email: string): Promise<PersonId | null> {
    const found = this.#all(tx).find((person) => person.email.toLowerCase() === email.toLowerCase());
    return Promise.resolve(found?.id ?? null);
  }

  findMany(tx: Tx, ids: readonly PersonId[]): Promise<Person[]> {
    return Promise.resolve(
      after(this.#all(tx), { afterId: null, limit: Infinity }).filter(({ id }) => ids.includes(id)),
    );
  }

  lock(tx: Tx, id: PersonId): Promise<Person | null> {
    return this.find(tx, id);
  }

  list(tx: Tx, page: ListAfter, { withoutIssuer }: PeopleFilter): Promise<Person[]> {
    const wanted = this.#all(tx).filter(
      ({ id, disabledAt }) => !withoutIssuer || (disabledAt === null && !this.rows.atIssuer.has(id)),
    );
    return Promise.resolve(after(wanted, page));
  }

  save(tx: Tx, { id, displayName, disabledAt, enrolledAt }: Parameters<PersonRepository['save']>[1]): Promise<void> {
    return this.#change(tx, id, () => ({ displayName, disabledAt, enrolledAt }));
  }

  assignRole(
    tx: Tx,
    { personId, role, assignedBy, assignedByIssuer, at }: Parameters<PersonRepository['assignRole']>[1],
  ): Promise<void> {
    return this.#change(tx, personId, ({ roles }) => {
      if (roles.some((held) => held.role === role)) throw new FakeRefusal('23505', 'role_assignment_held_key');
      const held = { role, assignedAt: at, assignedBy, assignedByIssuer: assignedByIssuer ?? null };
      return { roles: [...roles, held].sort((a, b) => (a.role < b.role ? -1 : 1)) };
    });
  }

  async revokeRole(tx: Tx, { personId, role }: Parameters<PersonRepository['revokeRole']>[1]): Promise<boolean> {
    const held = (await this.find(tx, personId))?.roles.some((one) => one.role === role) ?? false;
    await this.#change(tx, personId, ({ roles }) => ({ roles: roles.filter((one) => one.role !== role) }));
    return held;
  }

  nameTaken(tx: Tx, name: string, id: PersonId | AgentId): Promise<boolean> {
    const named = [
      ...this.#all(tx).map((person) => ({ id: person.id, name: person.displayName })),
      ...this.rows.agents.of(tx).values(),
    ];
    return Promise.resolve(named.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase()));
  }

  signsInAtIssuer(tx: Tx, id: PersonId): Promise<boolean> {
    return Promise.resolve(this.rows.people.of(tx).has(id) && this.rows.atIssuer.has(id));
  }

  issuersOnly({ tenantId }: Tx): Promise<boolean> {
    return Promise.resolve(this.rows.issuersOnly.has(tenantId));
  }

  /** An admin can come in at an issuer, or with a live token that may administer. */
  lockAdmins(tx: Tx): Promise<PersonId[]> {
    const { atIssuer, issuersOnly } = this.rows;
    const tokensCount = !issuersOnly.has(tx.tenantId);
    const admins = this.#all(tx).filter(
      ({ id, disabledAt, roles }) =>
        disabledAt === null &&
        roles.some(({ role }) => role === PLATFORM_ADMIN) &&
        (atIssuer.has(id) || (tokensCount && this.#hasAdminToken(tx, id))),
    );
    return Promise.resolve(admins.map(({ id }) => id).sort());
  }

  #hasAdminToken(tx: Tx, personId: PersonId): boolean {
    return [...this.rows.credentials.of(tx).values()].some(
      ({ credential: { holder, scopes, revokedAt, expiresAt } }) =>
        holder.kind === 'person_token' &&
        holder.personId === personId &&
        scopes.includes('admin') &&
        revokedAt === null &&
        expiresAt > this.rows.database.now,
    );
  }

  #all(tx: Tx): readonly Person[] {
    return [...this.rows.people.of(tx).values()];
  }

  async #change(tx: Tx, id: PersonId, change: (person: Person) => Partial<Person>): Promise<void> {
    const person = await this.find(tx, id);
    if (person !== null) this.rows.people.of(tx).set(id, { ...person, ...change(person) });
  }
}

/** Keeps agents in memory. */
export class FakeAgentRepository implements AgentRepository {
  constructor(private readonly rows: FakePeopleRows) {}

  insert(tx: Tx, agent: Pick<Agent, 'id' | 'name' | 'description' | 'ownerId'>): Promise<boolean> {
    if (this.#named(tx, agent)) return Promise.resolve(false);
    const more = { createdAt: this.rows.database.now, disabledAt: null, nameNote: null };
    this.rows.agents.of(tx).set(agent.id, { ...agent, ...more });
    return Promise.resolve(true);
  }

  find(tx: Tx, id: AgentId): Promise<Agent | null> {
    return Promise.resolve(this.rows.agents.of(tx).get(id) ?? null);
  }

  lock(tx: Tx, id: AgentId): Promise<Agent | null> {
    return this.find(tx, id);
  }

  list(tx: Tx, page: ListAfter): Promise<Agent[]> {
    return Promise.resolve(after(this.rows.agents.of(tx).values(), page));
  }

  async save(tx: Tx, change: Pick<Agent, 'id' | 'name' | 'description' | 'ownerId' | 'disabledAt'>): Promise<boolean> {
    const agent = await this.find(tx, change.id);
    if (agent === null || this.#named(tx, change)) return false;
    this.rows.agents.of(tx).set(agent.id, { ...agent, ...change });
    return true;
  }

  #named(tx: Tx, { id, name }: Pick<Agent, 'id' | 'name'>): boolean {
    return [...this.rows.agents.of(tx).values()].some((other) => other.name === name && other.id !== id);
  }
}
