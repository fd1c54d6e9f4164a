import type { Person, PersonRepository, RoleAssignment } from '#lib/identity';
import { newId, type PersonId, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';

/** A person as the directory reads them. */
const samplePersonRow = (members: Partial<Person> = {}): Person => ({
  id: newId<PersonId>(),
  email: 'ada@example.com',
  displayName: 'Ada',
  createdAt: 0,
  disabledAt: null,
  enrolledAt: null,
  cameInAt: null,
  roles: [],
  nameNote: null,
  ...members,
});

/** A role that a person assigned, or an issuer. */
export const sampleRole = (role: string, assignedByIssuer: string | null = null): RoleAssignment => ({
  role,
  assignedAt: 1,
  assignedBy: assignedByIssuer === null ? newId<PersonId>() : null,
  assignedByIssuer,
});

/** Keeps people in memory, as far as signing in reads and writes them. */
export class FakePeople implements Pick<
  PersonRepository,
  'find' | 'findByEmail' | 'insert' | 'lock' | 'save' | 'lockAdmins' | 'assignRole' | 'revokeRole'
> {
  readonly #people: FakeTable<Person>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#people = new FakeTable(database);
  }

  /** A person is there from the beginning. */
  add(tx: Pick<Tx, 'tenantId'>, members: Partial<Person> = {}): Person {
    const person = samplePersonRow(members);
    this.#people.of(tx).set(person.id, person);
    return person;
  }

  /** Every person of a tenant. */
  all(tx: Pick<Tx, 'tenantId'>): readonly Person[] {
    return [...this.#people.of(tx).values()];
  }

  /** The person comes in, by any way. */
  cameIn(tx: Tx, id: PersonId): Promise<void> {
    return this.#change(tx, id, () => ({ cameInAt: this.database.now }));
  }

  async insert(tx: Tx, person: Pick<Person, 'id' | 'email' | 'displayName'>): Promise<boolean> {
    if ((await this.findByEmail(tx, person.email)) !== null) return false;
    this.add(tx, { ...person, createdAt: this.database.now });
    return true;
  }

  find(tx: Tx, id: PersonId): Promise<Person | null> {
    return Promise.resolve(this.#people.of(tx).get(id) ?? null);
  }

  findByEmail(tx: Tx, email: string): Promise<PersonId | null> {
    const found = this.all(tx).find((person) => person.email.toLowerCase() === email.toLowerCase());
    return Promise.resolve(found?.id ?? null);
  }

  lock(tx: Tx, id: PersonId): Promise<Person | null> {
    return this.find(tx, id);
  }

  save(tx: Tx, { id, ...change }: Pick<Person, 'id' | 'displayName' | 'disabledAt' | 'enrolledAt'>): Promise<void> {
    const { displayName, disabledAt, enrolledAt } = change;
    return this.#change(tx, id, () => ({ displayName, disabledAt, enrolledAt }));
  }

  assignRole(
    tx: Tx,
    { personId, role, assignedBy, assignedByIssuer, at }: Parameters<PersonRepository['assignRole']>[1],
  ): Promise<void> {
    return this.#change(tx, personId, ({ roles }) => ({
      roles: [...roles, { role, assignedAt: at, assignedBy, assignedByIssuer: assignedByIssuer ?? null }],
    }));
  }

  async revokeRole(tx: Tx, { personId, role }: Parameters<PersonRepository['revokeRole']>[1]): Promise<boolean> {
    const held = (await this.find(tx, personId))?.roles.some((one) => one.role === role) ?? false;
    await this.#change(tx, personId, ({ roles }) => ({ roles: roles.filter((one) => one.role !== role) }));
    return held;
  }

  lockAdmins(tx: Tx): Promise<PersonId[]> {
    const admins = this.all(tx).filter(
      ({ disabledAt, roles }) => disabledAt === null && roles.some(({ role }) => role === 'PlatformAdmin'),
    );
    return Promise.resolve(admins.map(({ id }) => id));
  }

  async #change(tx: Tx, id: PersonId, change: (person: Person) => Partial<Person>): Promise<void> {
    const person = await this.find(tx, id);
    if (person !== null) this.#people.of(tx).set(id, { ...person, ...change(person) });
  }
}
