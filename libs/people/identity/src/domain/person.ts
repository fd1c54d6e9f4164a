import { PLATFORM_ADMIN } from '#lib/formats';
import { err, ok, type Failure, type HeldRole, type PersonId, type Result } from '#lib/kernel';

/** A person's role: its beginning, and the person who assigned it (null for the first admin, and for an issuer's). */
export interface RoleAssignment extends HeldRole {
  readonly assignedBy: PersonId | null;
  /** The issuer that gives it by its claims; null if a person assigned it. */
  readonly assignedByIssuer: string | null;
}

/** Somebody of the tenant who can decide. Times are epoch milliseconds. */
export interface Person {
  readonly id: PersonId;
  readonly email: string;
  readonly displayName: string;
  readonly createdAt: number;
  /** Since when they may do nothing; null while they may. */
  readonly disabledAt: number | null;
  /** When they last exchanged an enrolment token for a credential; null before the first. */
  readonly enrolledAt: number | null;
  /** When they last signed in, by any way; null before the first. */
  readonly cameInAt: number | null;
  /** Held now, by name. */
  readonly roles: readonly RoleAssignment[];
  /** The other people with the name, or one like it, and whether it was given within a week. Null if nothing is to be known. */
  readonly nameNote: string | null;
}

/**
 * A person's name as somebody who decides reads it: marked if it could be taken for another (T48). `countersign_shown_name`
 * in the database says the same, with the address.
 *
 * @param toAgent without the address, which agents are not shown.
 */
export const shownName = (
  { displayName, nameNote, email }: Pick<Person, 'displayName' | 'nameNote' | 'email'>,
  toAgent = false,
): string => (nameNote === null ? displayName : `${displayName} (${toAgent ? nameNote : `${nameNote}; ${email}`})`);

/** The same with the address behind it, as a change names the person it is about. */
export const addressed = (person: Pick<Person, 'displayName' | 'nameNote' | 'email'>): string =>
  `${shownName(person, true)} <${person.email}>`;

/**
 * The roles as they count in a decision. A new enrolment makes them count from that moment only. So an admin who issued
 * the enrolment, and might have used it, gains no vote on an open request (T03).
 */
export const countingRoles = (roles: readonly HeldRole[], enrolledAt: number | null): HeldRole[] =>
  roles.map(({ role, assignedAt }) => ({ role, assignedAt: Math.max(assignedAt, enrolledAt ?? 0) }));

const roleName = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** Whether a role may be given by `author` to `person`. */
export function decideAssignment(author: PersonId, person: Person, role: string): Result<void> {
  if (!roleName.test(role) || role.toLowerCase() === 'any') return err(badRole);
  if (author === person.id) return err(selfAssignment);
  if (person.disabledAt !== null) return err(disabled);
  if (person.roles.some((held) => held.role === role)) return err(alreadyHeld);
  return ok(undefined);
}

/**
 * Whether taking the role from the person, or the person out of service, leaves somebody who can administer.
 *
 * @param admins everybody who holds PlatformAdmin and can come in now, locked.
 */
export function requireAdminLeft(admins: readonly PersonId[], leaving: PersonId): Result<void> {
  if (!admins.includes(leaving) || admins.length > 1) return ok(undefined);
  return err({
    kind: 'conflict',
    code: 'identity.last_admin',
    message: `This is the last person who holds ${PLATFORM_ADMIN} and can come in.`,
    action: 'Assign the role to somebody else first, and have them come in: with their invitation, or at your issuer.',
  });
}

const badRole: Failure = {
  kind: 'unprocessable',
  code: 'identity.role_name',
  message: 'This is not a name for a role.',
  action: 'Use 1 to 63 letters, digits, "_" and "-", beginning with a letter; "any" is taken.',
  errors: [{ pointer: '/role', code: 'identity.role_name', message: 'is not a name for a role' }],
};

const selfAssignment: Failure = {
  kind: 'forbidden',
  code: 'identity.self_assignment',
  message: 'Nobody assigns themselves a role.',
  action: 'Ask another PlatformAdmin.',
};

const disabled: Failure = {
  kind: 'conflict',
  code: 'identity.person_disabled',
  message: 'This person is disabled.',
  action: 'Enable them first.',
};

const alreadyHeld: Failure = {
  kind: 'conflict',
  code: 'identity.role_held',
  message: 'The person holds this role already.',
  action: 'Nothing is to be done.',
};

/** For use cases that find the person disabled. */
export const personDisabled = disabled;

export const personNameTaken: Failure = {
  kind: 'conflict',
  code: 'person.name_taken',
  message: 'Another person or agent has this name, or one that reads like it.',
  action: 'Choose a name that nobody takes for theirs, with a surname or a team for example.',
  errors: [{ pointer: '/display_name', code: 'person.name_taken', message: 'is the name of somebody else' }],
};
