import { shareSeat, WAYS_TO_A_VOTE, type Seats } from '#lib/identity';
import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { SignInSettings } from '../domain/issuer.js';
import type { SignInSettingsRepository } from './sign-in.ports.js';

/**
 * A person of another hand confirms an issuer that one hand put in force alone: from then on whoever signs in there is known
 * by it. They must be known by something else themselves: what the issuer says of them is what is in question.
 *
 * Failures: `resource.not_found`, `issuer.confirmed_already`, `issuer.same_hand`, `issuer.confirmer_unknown`.
 */
export class ConfirmIssuer {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: SignInSettingsRepository,
    private readonly seats: Pick<Seats, 'standingOf'>,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal, name: string): Promise<Result<SignInSettings>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const inForce = await this.settings.lock(tx);
      const issuer = inForce.issuers.find((one) => one.name === name);
      if (issuer === undefined) return err(notFound('issuer'));
      const standing = await this.settings.standing(tx, issuer.id);
      if (standing?.how !== 'alone') return err(confirmedAlready);
      const both = await this.seats.standingOf(tx, [by.personId, standing.personId]);
      const [mine, theirs] = [both.get(by.personId), both.get(standing.personId)];
      if (mine === undefined || theirs === undefined || shareSeat(mine, theirs)) return err(sameHand);
      // While it is in question, nobody is known by this issuer: what remains is something else.
      if (!mine.known) return err(confirmerUnknown);
      await this.settings.keepStanding(tx, { issuerId: issuer.id, how: 'confirmed', personId: by.personId });
      await this.audit.record(tx, {
        action: 'issuer.confirmed',
        actor: actorOf(by),
        level: 'full_with_evidence',
        subject: { type: 'issuer', id: issuer.id },
        payload: { issuer: issuer.url, set_up_by: standing.personId },
      });
      return ok(inForce);
    });
  }
}

const confirmedAlready: Failure = {
  kind: 'conflict',
  code: 'issuer.confirmed_already',
  message: 'Two people stand for this issuer already.',
  action: 'Nothing is to be done.',
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
  message: 'You are known by nothing but this issuer, which is in question.',
  action: 'Ask the operator to run `countersign bootstrap --person` on the server, or have an admin vouch for you.',
};
