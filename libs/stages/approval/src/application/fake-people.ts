import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { ANY_ROLE } from '#lib/formats';
import type { Caller, KnownBy } from '#lib/identity';
import type { CredentialId, PersonId, Tx } from '#lib/kernel';
import type { Delegation } from '../domain/delegation.js';
import { delegationsIn } from '../domain/reviewers-now.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import type { AbsenceRepository, People } from './approval.ports.js';

/** A person as a test says that they stand. */
export interface FakePerson extends PersonStanding {
  readonly waysIn: readonly KnownBy[];
}

/** Keeps people in memory; their delegations follow from the absences. */
export class FakePeople implements People {
  /** By person. */
  readonly rows: FakeTable<FakePerson>;
  readonly endedCredentials = new Set<CredentialId>();

  constructor(
    uow: FakeUnitOfWork,
    private readonly absences: AbsenceRepository,
  ) {
    this.rows = new FakeTable(uow);
  }

  standing(tx: Tx, ids: readonly PersonId[], caller?: Caller): Promise<ReadonlyMap<PersonId, PersonStanding>> {
    const gone = caller !== undefined && this.endedCredentials.has(caller.credentialId) ? caller.personId : null;
    const found = this.#found(tx, ids).filter(({ personId }) => personId !== gone);
    return Promise.resolve(new Map(found.map((person) => [person.personId, person])));
  }

  async delegations(tx: Tx, delegates: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly Delegation[]>> {
    const absences = await this.absences.handedTo(tx, delegates);
    const absent = absences.map(({ personId }) => personId);
    return delegationsIn(absences, await this.standing(tx, absent));
  }

  async reviewing(tx: Tx, roles: readonly string[], most: number): Promise<readonly PersonId[]> {
    const now = await tx.now();
    const holds = ({ roles: held }: PersonStanding): boolean =>
      held.some(({ role }) => roles.includes(role) || roles.includes(ANY_ROLE));
    const found: PersonId[] = [];
    for (const person of this.rows.of(tx).values()) {
      const handed = await this.absences.handedTo(tx, [person.personId]);
      const away = handed.filter(({ from, until }) => from <= now && now < until).map(({ personId }) => personId);
      if (!person.disabled && [person, ...this.#found(tx, away)].some(holds)) found.push(person.personId);
    }
    return found.sort().slice(0, most);
  }

  waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>> {
    const asked = new Set(ids);
    // The people who let them in, those who let these in, and so on. The set grows while it is walked.
    for (const id of asked)
      for (const { waysIn } of this.#found(tx, [id])) for (const { hand } of waysIn) if (hand !== null) asked.add(hand);
    return Promise.resolve(new Map(this.#found(tx, [...asked]).map(({ personId, waysIn }) => [personId, waysIn])));
  }

  #found(tx: Pick<Tx, 'tenantId'>, ids: readonly PersonId[]): FakePerson[] {
    return ids.flatMap((id) => this.rows.of(tx).get(id) ?? []);
  }
}
