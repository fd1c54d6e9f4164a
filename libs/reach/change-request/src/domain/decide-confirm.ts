import { shareSeat, WAYS_TO_A_VOTE, type Seated } from '#lib/identity';
import { err, ok, type Digest, type Failure, type HeldRole, type PersonId, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { ChangeRequest, OpenChange } from './change-request.js';

/** A person who wants to decide on a change. */
export interface Confirmer {
  readonly personId: PersonId;
  /** The roles that count: a new enrolment restarts the time that a role is held. */
  readonly roles: readonly HeldRole[];
  /** The issuer and the time of their last enrolment; null if they enrolled once. */
  readonly reenrolled: { readonly by: PersonId | null; readonly at: number } | null;
}

/** A person whom the author had enrolled again may confirm only after this time, in which they can notice. */
const REENROLLED_MS = 72 * 3_600_000;

/** The change if it can still be decided on; else `change.closed` or `change.expired`. */
export function decideOpen(change: ChangeRequest, now: number): Result<OpenChange> {
  if (change.state !== 'open') return err(changeClosed(change.state));
  return now < change.expiresAt ? ok(change) : err(expired);
}

/**
 * Decides whether a person is the second person for a change. They are not its author or beneficiary, and share no seat
 * with either. They held the role before it was opened, so an author cannot appoint a confirmer for a change that
 * waits. An author cannot confirm through an account they re-enrolled: the issuer of an enrolment token may have used
 * it. No policy decides this (ADR 5): it guards the changes of the settings that policies read.
 */
export function decideSecondPerson(change: OpenChange, confirmer: Confirmer, votes: Votes): Result<void> {
  if (confirmer.personId === change.requestedBy) return err(ownChange);
  if (confirmer.personId === change.beneficiaryId) return err(gains);
  const { reenrolled } = confirmer;
  if (reenrolled?.by === change.requestedBy && change.openedAt - reenrolled.at < REENROLLED_MS) return err(takenOver);
  const shares = (id: PersonId | null): boolean =>
    id !== null && shareSeat(seated(confirmer.personId, votes), seated(id, votes));
  if (shares(change.requestedBy)) return err(sameHand('asked for'));
  if (shares(change.beneficiaryId)) return err(sameHand('gains by'));
  const held = confirmer.roles.find(({ role }) => role === change.requiredRole);
  if (held === undefined) return err(roleRequired(change.requiredRole));
  return held.assignedAt <= change.openedAt ? ok(undefined) : err(roleTooNew(change.requiredRole));
}

/** Those of these people who may confirm a change. */
export const secondPersons = <Person extends Confirmer>(
  change: OpenChange,
  people: readonly Person[],
  votes: Votes,
): readonly Person[] => people.filter((person) => decideSecondPerson(change, person, votes).ok);

/**
 * Decides whether a person may confirm a change now, apart from their second factor.
 *
 * @param seen the digest that they looked at.
 */
export function decideConfirm(
  change: ChangeRequest,
  confirmer: Confirmer,
  seen: Digest,
  now: number,
  votes: Votes,
): Result<OpenChange> {
  const open = decideOpen(change, now);
  if (!open.ok) return open;
  const second = decideSecondPerson(open.value, confirmer, votes);
  if (!second.ok) return second;
  return seen === change.changeDigest ? open : err(otherChange);
}

/** The people who share votes, for this change. A vote of their own that they got after it was opened does not count. */
export type Votes = ReadonlyMap<PersonId, Pick<Seated, 'sharedWith'>>;

const seated = (personId: PersonId, votes: Votes): Seated => ({
  personId,
  sharedWith: votes.get(personId)?.sharedWith ?? [],
});

const sameHand = (how: 'asked for' | 'gains by'): Failure => ({
  kind: 'forbidden',
  code: 'change.same_hand',
  message: `You and the person who ${how} this change came in by one hand, so you have one vote together.`,
  action: WAYS_TO_A_VOTE,
});

/** The refusal of the author. */
export const ownChange: Failure = {
  kind: 'forbidden',
  code: 'change.own',
  message: 'You asked for this change: somebody else decides on it.',
  action: 'Ask another PlatformAdmin, or withdraw it.',
};

const gains: Failure = {
  kind: 'forbidden',
  code: 'change.beneficiary',
  message: 'You gain by this change: somebody else decides on it.',
  action: 'Ask another PlatformAdmin.',
};

const takenOver: Failure = {
  kind: 'forbidden',
  code: 'change.reenrolled',
  message: 'The person who asked for this change had you enrolled again less than 72 hours before it.',
  action: 'Ask another PlatformAdmin, or have it asked for again by somebody else or later.',
};

const roleRequired = (role: string): Failure => ({
  kind: 'forbidden',
  code: 'change.role_required',
  message: `You need the role ${role} to decide on this change.`,
  action: 'Ask somebody who holds it.',
  details: { required_roles: [role] },
});

const roleTooNew = (role: string): Failure => ({
  kind: 'forbidden',
  code: 'change.role_too_new',
  message: `You got ${role}, or were enrolled, only after this change was opened, so your confirmation does not count.`,
  action: 'Ask somebody who held the role before, or have the change asked for again.',
});

/** The refusal of a person who decides on a change that ended. */
export const changeClosed = (state: string): Failure => ({
  kind: 'conflict',
  code: 'change.closed',
  message: `This change is ${stateInWords(state)}; nothing is to be decided any more.`,
  action: 'Look at it, and ask for a new one if it is still wanted.',
  details: { state },
});

const expired: Failure = {
  kind: 'conflict',
  code: 'change.expired',
  message: 'This change waited too long and has expired.',
  action: 'Ask for it again if it is still wanted.',
};

const otherChange: Failure = {
  kind: 'conflict',
  code: 'change.other_digest',
  message: 'The change_digest is not that of this change: you looked at other content.',
  action: 'Open the change again, look at what it loosens, and confirm that.',
  details: { route: 'GET /v1/change-requests/{id}' },
};
