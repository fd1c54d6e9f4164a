import { shareSeat, WAYS_TO_A_VOTE, type Seated } from '#lib/identity';
import {
  err,
  ok,
  type Digest,
  type Failure,
  type HeldRole,
  type PersonId,
  type Result,
  stateInWords,
} from '#lib/kernel';
import type { ChangeRequest, OpenChange } from './change-request.js';

/** Somebody who wants to decide on a change. */
export interface Confirmer {
  readonly personId: PersonId;
  /** As they count: whoever was enrolled anew holds them from then on only. */
  readonly roles: readonly HeldRole[];
  /** Who had them enrolled again, and when; null where they still hold what they first enrolled with. */
  readonly reenrolled: { readonly by: PersonId | null; readonly at: number } | null;
}

/** So long somebody whom the author had enrolled again is not the second person: time for them to notice. */
const REENROLLED_MS = 72 * 3_600_000;

/** The change as somebody can still decide on it; `change.closed` or `change.expired` where nobody can. */
export function decideOpen(change: ChangeRequest, now: number): Result<OpenChange> {
  if (change.state !== 'open') return err(closed(change.state));
  return now < change.expiresAt ? ok(change) : err(expired);
}

/**
 * Whether somebody is the second person for a change: not its author, not whoever gains by it, and with the role since
 * before it was opened, so that nobody makes a second person for a change that waits. Nor does anybody become the second
 * person by taking somebody's place: whoever issues an enrolment might have used it. Nor does anybody of the same hand.
 * No policy decides it (ADR 5): it guards the changes of what policies read.
 */
export function decideSecondPerson(change: OpenChange, confirmer: Confirmer, votes: Votes): Result<void> {
  if (confirmer.personId === change.requestedBy) return err(own);
  if (confirmer.personId === change.beneficiaryId) return err(gains);
  const { reenrolled } = confirmer;
  if (reenrolled?.by === change.requestedBy && change.openedAt - reenrolled.at < REENROLLED_MS) return err(takenOver);
  const shares = (id: PersonId | null): boolean =>
    id !== null && shareSeat(seated(confirmer.personId, votes), seated(id, votes));
  if (shares(change.requestedBy)) return err(sameHand('asked for'));
  if (shares(change.beneficiaryId)) return err(sameHand('gains by'));
  const held = confirmer.roles.find(({ role }) => role === change.requiredRole);
  if (held === undefined) return err(roleRequired(change.requiredRole));
  return held.grantedAt <= change.openedAt ? ok(undefined) : err(roleTooNew(change.requiredRole));
}

/**
 * Whether somebody may confirm a change at this moment, apart from their second factor.
 *
 * @param seen the digest of what they looked at.
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

/** With whom people share their votes, as it counts for this change: what showed otherwise only since it opened does not. */
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

const own: Failure = {
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
  message: `Deciding on this change takes the role ${role}.`,
  action: 'Ask somebody who holds it.',
  details: { required_roles: [role] },
});

const roleTooNew = (role: string): Failure => ({
  kind: 'forbidden',
  code: 'change.role_too_new',
  message: `You hold ${role}, or were enrolled, only since after this change was opened; that does not count for it.`,
  action: 'Ask somebody who held the role before, or have the change asked for again.',
});

const closed = (state: string): Failure => ({
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
  message: 'The change_digest is not that of this change: it is not what you looked at.',
  action: 'Open the change again, look at what it loosens, and confirm that.',
  details: { route: 'GET /v1/change-requests/{id}' },
};
