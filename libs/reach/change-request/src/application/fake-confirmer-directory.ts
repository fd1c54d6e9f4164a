import { countingRoles } from '#lib/identity';
import type { HeldRole, PersonId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { PossibleConfirmer } from '../domain/count-confirmers.js';
import type { ConfirmerDirectory, NamedConfirmer } from './change-request.ports.js';

/** A person of a directory, as identity and sign-in keep them. Times are epoch milliseconds. */
export interface KeptPerson {
  readonly personId: PersonId;
  readonly displayName: string;
  readonly disabledAt: number | null;
  /** Whether an issuer knows them. */
  readonly atIssuer: boolean;
  readonly assignments: readonly (HeldRole & { readonly revokedAt: number | null })[];
  /** The enrolments that they used, oldest first, each with the person who issued it. */
  readonly enrolments: readonly { readonly by: PersonId | null; readonly at: number }[];
}

/** A person who enrolled once with their own address, and holds the role since then. */
export const samplePossible = (
  personId: PersonId,
  role: string,
  at: number,
  members: Partial<KeptPerson> = {},
): KeptPerson => ({
  personId,
  displayName: `Person ${personId}`,
  disabledAt: null,
  atIssuer: false,
  assignments: [{ role, assignedAt: at, revokedAt: null }],
  enrolments: [{ by: null, at }],
  ...members,
});

/** Keeps people in memory, as possible second persons. */
export class FakeConfirmerDirectory implements ConfirmerDirectory {
  readonly #people: FakeTable<KeptPerson>;

  constructor(database: FakeUnitOfWork) {
    this.#people = new FakeTable(database);
  }

  /** Keeps a person as they stand now. */
  keep(tx: Pick<Tx, 'tenantId'>, person: KeptPerson): void {
    this.#people.of(tx).set(person.personId, person);
  }

  lockPossible(tx: Tx, role: string, since: number): Promise<readonly Omit<PossibleConfirmer, 'sharedWith'>[]> {
    const standing = this.#able(tx).flatMap(({ personId, disabledAt, assignments }) => {
      const left = assignments
        .filter((one) => one.role === role)
        .map(({ revokedAt }) => Math.min(revokedAt ?? Infinity, disabledAt ?? Infinity));
      return left.length === 0 ? [] : [{ personId, leftAt: Math.max(...left) }];
    });
    const possible = standing.filter(({ leftAt }) => leftAt > since);
    return Promise.resolve(
      possible.map(({ personId, leftAt }) => ({ personId, leftAt: leftAt === Infinity ? null : leftAt })),
    );
  }

  lockConfirmer(tx: Tx, personId: PersonId): Promise<NamedConfirmer | null> {
    const person = this.#people.of(tx).get(personId);
    return Promise.resolve(person?.disabledAt === null ? confirmer(person) : null);
  }

  holders(tx: Tx, role: string): Promise<readonly NamedConfirmer[]> {
    const held = this.#able(tx)
      .filter(({ disabledAt }) => disabledAt === null)
      .map(confirmer);
    return Promise.resolve(held.filter(({ roles }) => roles.some((one) => one.role === role)));
  }

  /** The people who can sign in, by id. */
  #able(tx: Tx): readonly KeptPerson[] {
    return [...this.#people.of(tx).values()]
      .filter(({ atIssuer, enrolments }) => atIssuer || enrolments.length > 0)
      .sort((one, other) => (one.personId < other.personId ? -1 : 1));
  }
}

function confirmer({ personId, displayName, assignments, enrolments }: KeptPerson): NamedConfirmer {
  const last = enrolments.at(-1);
  const held = assignments.filter(({ revokedAt }) => revokedAt === null);
  return {
    personId,
    displayName,
    roles: countingRoles(held, last?.at ?? null),
    reenrolled: last !== undefined && enrolments.length > 1 ? last : null,
  };
}
