import { err, ok, type Failure, type HeldRole, type PersonId, type Result } from '#lib/kernel';

/** Somebody is away and another stands in. Epoch milliseconds. */
export interface Absence {
  /** UUIDv7. */
  readonly id: string;
  /** The person who is away. */
  readonly personId: PersonId;
  /** The person who stands in. */
  readonly delegateId: PersonId;
  readonly roles: readonly string[];
  readonly from: number;
  readonly until: number;
  readonly createdAt: number;
  /** When it was taken back early; null if it was not. */
  readonly endedAt: number | null;
  readonly endedBy: PersonId | null;
}

/** The roles that a person wants to delegate; without roles all of theirs, without a beginning at once. */
export interface ProposedAbsence {
  readonly delegateId: PersonId;
  readonly roles: readonly string[] | null;
  readonly from: number | null;
  readonly until: number;
}

const MAX_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * Only roles that one holds are handed over, to somebody else, for dates to come.
 *
 * @returns `absence.self`, `absence.role_not_held`, `absence.dates`.
 */
export function decideAbsence(
  id: string,
  person: { readonly personId: PersonId; readonly roles: readonly HeldRole[] },
  wish: ProposedAbsence,
  now: number,
): Result<Absence> {
  if (wish.delegateId === person.personId) return err(self);
  const held = person.roles.map(({ role }) => role);
  const roles = [...new Set(wish.roles ?? held)].sort();
  const missing = roles.filter((role) => !held.includes(role));
  if (roles.length === 0 || missing.length > 0) return err(notHeld(missing));
  const from = wish.from ?? now;
  if (wish.until <= Math.max(from, now) || wish.until - from > MAX_DAYS * DAY_MS) return err(dates);
  return ok({
    id,
    personId: person.personId,
    delegateId: wish.delegateId,
    roles,
    from,
    until: wish.until,
    createdAt: now,
    endedAt: null,
    endedBy: null,
  });
}

const invalid = (code: string, pointer: string, message: string, action: string): Failure => ({
  kind: 'unprocessable',
  code,
  message,
  action,
  errors: [{ pointer, code, message }],
});

const self = invalid('absence.self', '/delegate_id', 'Nobody stands in for themselves.', 'Name somebody else.');

const notHeld = (missing: readonly string[]): Failure =>
  invalid(
    'absence.role_not_held',
    '/roles',
    missing.length === 0 ? 'You hold no role to hand over.' : `You do not hold ${missing.join(', ')}.`,
    'Hand over roles that you hold.',
  );

const dates = invalid(
  'absence.dates',
  '/until',
  `It ends after it begins, in the future, and within ${String(MAX_DAYS)} days.`,
  'Give other dates.',
);
