import type { PersonId } from '#lib/kernel';

/** How a secret that lets somebody in was handed out; `migrations/0020_identity.sql` holds the same. */
export type EnrolmentChannel = 'shown' | 'mailed' | 'operator' | 'bootstrap';

/** The ways in which a person can be known. */
export type KnownBasis = 'founder' | 'issuer' | 'mailed_invitation' | 'vouched' | 'operator' | 'token';

/**
 * One thing by which a person is known, or was let in. Times are epoch milliseconds.
 *
 * It counts if it shows that the person is somebody of their own. A token that a person was shown never does: its maker
 * might have used it. Nor does an issuer that one hand put in force alone, until somebody of another hand confirmed it.
 */
export interface KnownBy {
  readonly basis: KnownBasis;
  /** The person who made the token, sent the invitation, vouched, or put the issuer in force. Null if no one person did. */
  readonly by: PersonId | null;
  /** The hand that let them in, as long as the basis does not count. Null for a basis that no single person could make up. */
  readonly hand: PersonId | null;
  /** When that hand acted: made the link, or put the issuer in force. The hand's own hands of that moment count, too. */
  readonly handAt: number;
  /** The issuer, in the words that people read; null for every other basis. */
  readonly issuer: string | null;
  /** When it happened: a later fact may undo it. */
  readonly at: number;
  /** Since when it counts; later than `at` for an issuer that was confirmed afterwards. */
  readonly since: number;
  readonly counts: boolean;
}

/** As a record keeps it. The people who share the vote stand beside it, so the hand's time is not needed. */
export type RecordedKnownBy = Omit<KnownBy, 'handAt'>;

/** How a person is known, and the people who share their vote. */
export interface Standing {
  readonly personId: PersonId;
  /** Oldest first; empty for somebody who never came in. */
  readonly knownBy: readonly KnownBy[];
  /** Whether that shows that they are somebody of their own. */
  readonly known: boolean;
  /** The hands that let them in while they are not known, the hands of those hands, and so on. They are in order of id. */
  readonly sharedWith: readonly PersonId[];
}

/**
 * The hands that let a person in since their own identity was last proved. A known person who comes in again by a hand is that
 * hand's once more.
 *
 * @param before only facts before that moment (epoch milliseconds) count. A role gained since a request opened does not
 * count there either; a loss of a vote counts at once.
 */
export const handsOf = (knownBy: readonly KnownBy[], before = Number.POSITIVE_INFINITY): readonly PersonId[] =>
  [...new Set(lettingIn(knownBy, before).map(({ hand }) => hand))].sort();

interface LetIn {
  readonly hand: PersonId;
  readonly handAt: number;
}

function lettingIn(knownBy: readonly KnownBy[], before: number): readonly LetIn[] {
  const known = lastKnownAt(knownBy, before);
  return knownBy.flatMap((one) => {
    const { hand, handAt, at } = one;
    if (showsBefore(one, before) || hand === null) return [];
    return at < known && !letsInAlone(one) ? [] : [{ hand, handAt }];
  });
}

const showsBefore = ({ counts, since }: KnownBy, before: number): boolean => counts && since < before;

const lastKnownAt = (knownBy: readonly KnownBy[], before: number): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...knownBy.filter((one) => showsBefore(one, before)).map(({ at }) => at));

/**
 * Whether one hand can sign in as this person at any time. It can by an issuer in service that it alone put in force. A
 * later proof of the person's own identity does not end that.
 */
export const letsInAlone = ({ basis, counts, by }: KnownBy): boolean => basis === 'issuer' && !counts && by !== null;

/** Whether something shows that they are somebody of their own, and no hand let them in since. */
export const isKnown = (knownBy: readonly KnownBy[], before = Number.POSITIVE_INFINITY): boolean =>
  knownBy.some((one) => showsBefore(one, before)) && handsOf(knownBy, before).length === 0;

/**
 * The people who share each one's vote. They are the hands that let them in, these hands' hands, and so on up to a
 * known person. Hands that let each other in share one seat, too. A hand counts as it stood when it acted: its own hand
 * could have acted in its name. A later proof of its own identity frees none of the people that it let in before.
 *
 * @param knownBy of everybody who is reached; somebody missing there has no hand.
 */
export function sharedSeats(
  ids: readonly PersonId[],
  knownBy: ReadonlyMap<PersonId, readonly KnownBy[]>,
  before = Number.POSITIVE_INFINITY,
): ReadonlyMap<PersonId, readonly PersonId[]> {
  return new Map(ids.map((id) => [id, reachedFrom(id, before, (other) => knownBy.get(other) ?? [])]));
}

function reachedFrom(
  start: PersonId,
  before: number,
  waysInOf: (id: PersonId) => readonly KnownBy[],
): readonly PersonId[] {
  /** The earliest moment for which each was followed: an earlier one reaches all that a later one does. */
  const followed = new Map<PersonId, number>();
  const left: { readonly id: PersonId; readonly before: number }[] = [{ id: start, before }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { id, before: moment } = next;
    const earliest = followed.get(id);
    if (earliest !== undefined && earliest <= moment) continue;
    followed.set(id, moment);
    for (const { hand, handAt } of lettingIn(waysInOf(id), moment))
      left.push({ id: hand, before: Math.min(moment, handAt) });
  }
  followed.delete(start);
  return [...followed.keys()].sort();
}

/**
 * How each of them stands.
 *
 * @param knownBy of everybody who is reached over the hands they came in by.
 */
export function standingsIn(
  ids: readonly PersonId[],
  knownBy: ReadonlyMap<PersonId, readonly KnownBy[]>,
  before?: number,
): ReadonlyMap<PersonId, Standing> {
  const shared = sharedSeats(ids, knownBy, before);
  return new Map(
    ids.map((personId) => {
      const mine = knownBy.get(personId) ?? [];
      return [
        personId,
        { personId, knownBy: mine, known: isKnown(mine, before), sharedWith: shared.get(personId) ?? [] },
      ];
    }),
  );
}

/** The people who share a vote, and how each is known, as the record keeps it. An offline check counts by it. */
export const seatDocument = ({
  sharedWith,
  knownBy,
}: Pick<Standing, 'sharedWith'> & { readonly knownBy: readonly RecordedKnownBy[] }) => ({
  shared_with: [...sharedWith],
  known_by: recordedKnownBy(knownBy),
});

export const recordedKnownBy = (knownBy: readonly RecordedKnownBy[]): RecordedKnownBy[] =>
  knownBy.map(({ basis, by, hand, issuer, at, since, counts }) => ({ basis, by, hand, issuer, at, since, counts }));

/** The remedies for a person who shares a vote and wants one of their own. */
export const WAYS_TO_A_VOTE =
  'Ask somebody of another hand. To get a vote of your own from then on, sign in at your organisation’s issuer. An invitation that Countersign mails to you also gives you one. Or have an admin of another hand vouch for you. Or ask the operator to run `countersign bootstrap --person` on the server.';

/** The same for those who read about somebody else. */
export const WAYS_TO_THEIR_VOTE =
  'People who share a vote get their own for later requests if they sign in at your organisation’s issuer. An invitation that Countersign mailed to them also gives them one. Or an admin of another hand vouches for them. Or the operator runs `countersign bootstrap --person` for them on the server.';

/** A person, and the people who share their vote. */
export interface Seated {
  readonly personId: PersonId;
  readonly sharedWith: readonly PersonId[];
}

/** Whether two people have one vote together. One is the other's hand, or both came in by a hand of one person. */
export const shareSeat = (one: Seated, other: Seated): boolean =>
  [one.personId, ...one.sharedWith].some((id) => id === other.personId || other.sharedWith.includes(id));
