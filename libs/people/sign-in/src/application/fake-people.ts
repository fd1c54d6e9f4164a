import type { Person, RoleAssignment } from '#lib/identity';
import { newId, type PersonId, type Tx } from '#lib/kernel';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakePeopleRows, FakePersonRepository } from '../../../identity/src/application/fake-people.js';

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

/** Keeps people in memory. Each admin who is not disabled can come in. */
export class FakePeople extends FakePersonRepository {
  readonly #rows: FakePeopleRows;

  constructor(database: FakeUnitOfWork) {
    const rows = new FakePeopleRows(database);
    super(rows);
    this.#rows = rows;
  }

  /** A person is there from the beginning. */
  add(tx: Pick<Tx, 'tenantId'>, members: Partial<Person> = {}): Person {
    const person = samplePersonRow(members);
    this.#rows.people.of(tx).set(person.id, person);
    return person;
  }

  /** Every person of a tenant. */
  all(tx: Pick<Tx, 'tenantId'>): readonly Person[] {
    return [...this.#rows.people.of(tx).values()];
  }

  /** The person comes in, by any way. */
  cameIn(tx: Tx, id: PersonId): Promise<void> {
    const person = this.#rows.people.of(tx).get(id);
    if (person !== undefined) this.#rows.people.of(tx).set(id, { ...person, cameInAt: this.#rows.database.now });
    return Promise.resolve();
  }

  override lockAdmins(tx: Tx): Promise<PersonId[]> {
    const admins = this.all(tx).filter(
      ({ disabledAt, roles }) => disabledAt === null && roles.some(({ role }) => role === 'PlatformAdmin'),
    );
    return Promise.resolve(admins.map(({ id }) => id));
  }
}
