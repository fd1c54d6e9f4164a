import { shareSeat, WAYS_TO_A_VOTE, type Standing } from '#lib/identity';
import { err, ok, type Failure, type PersonId, type Result } from '#lib/kernel';
import type { IssuerStanding } from './issuer-standing.js';

/**
 * Whether a person may confirm an issuer: one that a hand set up alone, and that hand is not theirs. They must be known by
 * something else: while it is in question the issuer makes no person known.
 *
 * @param standings of the person, and of the author of the issuer's settings.
 */
export function decideConfirmIssuer(
  standing: { readonly how: IssuerStanding; readonly personId: PersonId } | null,
  by: PersonId,
  standings: ReadonlyMap<PersonId, Pick<Standing, 'personId' | 'sharedWith' | 'known'>>,
): Result<{ readonly setUpBy: PersonId }> {
  if (standing?.how !== 'alone') return err(confirmedAlready);
  if (standing.personId === by) return err(ownIssuer);
  const [mine, theirs] = [standings.get(by), standings.get(standing.personId)];
  if (mine === undefined || theirs === undefined || shareSeat(mine, theirs)) return err(sameHand);
  return mine.known ? ok({ setUpBy: standing.personId }) : err(confirmerUnknown);
}

const confirmedAlready: Failure = {
  kind: 'conflict',
  code: 'issuer.confirmed_already',
  message: 'Two people stand for this issuer already.',
  action: 'Nothing is to be done.',
};

const ownIssuer: Failure = {
  kind: 'forbidden',
  code: 'issuer.same_hand',
  message: 'You set this issuer up alone: somebody of another hand confirms it.',
  action: 'Ask a PlatformAdmin whom neither you nor somebody of your hand let in.',
};

const sameHand: Failure = {
  kind: 'forbidden',
  code: 'issuer.same_hand',
  message:
    'You and the person who set this issuer up alone have one vote together: somebody of another hand confirms it.',
  action: WAYS_TO_A_VOTE,
};

const confirmerUnknown: Failure = {
  kind: 'forbidden',
  code: 'issuer.confirmer_unknown',
  message: 'Nothing but this issuer, or a token of somebody else, shows that you are somebody of your own.',
  action: 'Ask the operator to run `countersign bootstrap --person` on the server, or have an admin vouch for you.',
};
