import type { PersonId } from '#lib/kernel';

/** How a secret that lets somebody in was handed out; `migrations/0150_hands.sql` holds the same. */
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
  /** The issuer, in the words that people read; null for every other basis. */
  readonly issuer: string | null;
  /** When it happened: what comes later may undo it. */
  readonly at: number;
  /** Since when it counts; later than `at` for an issuer that was confirmed afterwards. */
  readonly since: number;
  readonly counts: boolean;
}

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
export function handsOf(knownBy: readonly KnownBy[], before = Number.POSITIVE_INFINITY): readonly PersonId[] {
  const known = lastKnownAt(knownBy, before);
  return [
    ...new Set(
      knownBy.flatMap((one) => {
        if (showsBefore(one, before) || one.hand === null) return [];
        return one.at < known && !letsInAlone(one) ? [] : [one.hand];
      }),
    ),
  ].sort();
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
 * somebody who is known. Hands that let each other in share one seat, too.
 *
 * @param knownBy of everybody who is reached; somebody missing there has no hand.
 */
export function sharedSeats(
  ids: readonly PersonId[],
  knownBy: ReadonlyMap<PersonId, readonly KnownBy[]>,
  before?: number,
): ReadonlyMap<PersonId, readonly PersonId[]> {
  return new Map(ids.map((id) => [id, reachedFrom(id, (other) => handsOf(knownBy.get(other) ?? [], before))]));
}

function reachedFrom(start: PersonId, handsOfOne: (id: PersonId) => readonly PersonId[]): readonly PersonId[] {
  const reached = new Set<PersonId>();
  const left = [...handsOfOne(start)];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (id === start || reached.has(id)) continue;
    reached.add(id);
    left.push(...handsOfOne(id));
  }
  return [...reached].sort();
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
export const seatDocument = ({ sharedWith, knownBy }: Pick<Standing, 'sharedWith' | 'knownBy'>) => ({
  shared_with: [...sharedWith],
  known_by: knownBy.map(({ basis, by, hand, issuer, at, since, counts }) => ({
    basis,
    by,
    hand,
    issuer,
    at,
    since,
    counts,
  })),
});

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
