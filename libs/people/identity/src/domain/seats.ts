import type { PersonId } from '#lib/kernel';

/** How a secret that lets somebody in was handed out; `migrations/0020_identity.sql` holds the same. */
export type EnrolmentChannel = 'shown' | 'mailed' | 'operator' | 'bootstrap';

/** By what a person can be known. */
export type KnownBasis = 'founder' | 'issuer' | 'mailed_invitation' | 'vouched' | 'operator' | 'token';

/**
 * One thing by which a person is known, or was let in. Times are epoch milliseconds.
 *
 * It counts if it shows that the person is somebody of their own. A token that a person was shown never does: its maker
 * might have used it. Nor does an issuer that one hand put in force alone, until somebody of another hand confirmed it.
 */
export interface KnownBy {
  readonly basis: KnownBasis;
  /** The person who made the token, sent the invitation, vouched, or put the issuer in force; null for nobody in particular. */
  readonly by: PersonId | null;
  /** By whose hand they came in as long as it does not count; null for what nobody alone could have made up. */
  readonly hand: PersonId | null;
  /** When that hand acted: made the link, or put the issuer in force. Whose it was itself then, the person is, too. */
  readonly handAt: number;
  /** The issuer, in the words that people read; null for every other basis. */
  readonly issuer: string | null;
  /** When it happened: what comes later may undo it. */
  readonly at: number;
  /** Since when it counts; later than `at` for an issuer that was confirmed afterwards. */
  readonly since: number;
  readonly counts: boolean;
}

/** As a record keeps it: with whom a vote is shared stands beside it, so when the hand acted need not. */
export type RecordedKnownBy = Omit<KnownBy, 'handAt'>;

/** By what each person is known, and with whom they share one vote. */
export interface Standing {
  readonly personId: PersonId;
  /** Oldest first; empty for somebody who never came in. */
  readonly knownBy: readonly KnownBy[];
  /** Whether that shows that they are somebody of their own. */
  readonly known: boolean;
  /** Whose hands they came in by while they are not known, and whose hands these came in by, and so on; in order of id. */
  readonly sharedWith: readonly PersonId[];
}

/**
 * By whose hands somebody came in, of whom nobody knows yet that they are another: since the last time that something
 * showed it. Somebody who was known and comes in again by a hand is that hand's once more.
 *
 * @param before only what counted before that moment (epoch milliseconds) counts, as a role that was gained since a request
 *   opened does not count there; what takes a vote away counts at once.
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
 * Whether one hand can make somebody this person at any time: by an issuer in service that it put in force alone. What showed
 * later that they are somebody of their own does not end that.
 */
export const letsInAlone = ({ basis, counts, by }: KnownBy): boolean => basis === 'issuer' && !counts && by !== null;

/** Whether something shows that they are somebody of their own, and no hand let them in since. */
export const isKnown = (knownBy: readonly KnownBy[], before = Number.POSITIVE_INFINITY): boolean =>
  knownBy.some((one) => showsBefore(one, before)) && handsOf(knownBy, before).length === 0;

/**
 * With whom each of them shares one vote: the hands they came in by, the hands by which these came in, and so on up to
 * somebody who is known. Hands that let each other in share one seat, too. A hand counts as it stood when it acted: whoever
 * let it in could have acted in its name, and what shows later that it is somebody of its own frees nobody whom it let in before.
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

/** With whom somebody shares one vote, and by what they are known, as the record keeps it: an offline check counts by it. */
export const seatDocument = ({
  sharedWith,
  knownBy,
}: Pick<Standing, 'sharedWith'> & { readonly knownBy: readonly RecordedKnownBy[] }) => ({
  shared_with: [...sharedWith],
  known_by: recordedKnownBy(knownBy),
});

export const recordedKnownBy = (knownBy: readonly RecordedKnownBy[]): RecordedKnownBy[] =>
  knownBy.map(({ basis, by, hand, issuer, at, since, counts }) => ({ basis, by, hand, issuer, at, since, counts }));

/** What somebody does who shares a vote and wants one of their own. */
export const WAYS_TO_A_VOTE =
  'Ask somebody of another hand. To get a vote of your own from then on: sign in at your organisation’s issuer, come in by an invitation that Countersign mailed to you, have an admin of another hand vouch for you, or ask the operator to run `countersign bootstrap --person` on the server.';

/** The same for those who read about somebody else. */
export const WAYS_TO_THEIR_VOTE =
  'People who share a vote get one of their own, for what is asked from then on, in one of these ways: they sign in at your organisation’s issuer, they come in by an invitation that Countersign mailed to them, an admin of another hand vouches for them, or the operator runs `countersign bootstrap --person` for them on the server.';

/** A person, and with whom they share one vote. */
export interface Seated {
  readonly personId: PersonId;
  readonly sharedWith: readonly PersonId[];
}

/** Whether two people have one vote together: one is the other's hand, or both came in by a hand of one person. */
export const shareSeat = (one: Seated, other: Seated): boolean =>
  [one.personId, ...one.sharedWith].some((id) => id === other.personId || other.sharedWith.includes(id));
