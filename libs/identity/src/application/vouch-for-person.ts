import {
  actorOf,
  err,
  notFound,
  ok,
  takeRequiredProof,
  type AuditSink,
  type Failure,
  type MfaProofs,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { personDisabled } from '../domain/person.js';
import { seatDocument, shareSeat, WAYS_TO_A_VOTE } from '../domain/seats.js';
import type { PersonRepository, Seats } from './identity.ports.js';

/**
 * An admin says that a person is somebody of their own: from then on that person has their own vote, on what is opened
 * afterwards. Only an admin of another hand can say it: one person could be both. It takes a second factor: a token that was
 * stolen vouches for nobody.
 *
 * Failures: `resource.not_found`, `identity.person_disabled`, `vouch.own`, `vouch.nobody_came_in`, `vouch.known_already`,
 * `vouch.same_hand`, `mfa.not_enrolled`, `mfa.required`, and those of {@link MfaProofs.take}.
 */
export class VouchForPerson {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: PersonRepository,
    private readonly seats: Seats,
    private readonly proofs: MfaProofs,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal, personId: PersonId, stepUpId: string | undefined): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const person = await this.people.lock(tx, personId);
      if (person === null) return err(notFound('person'));
      if (person.disabledAt !== null) return err(personDisabled);
      if (personId === by.personId) return err(own);
      const both = await this.seats.standingOf(tx, [personId, by.personId]);
      const [theirs, mine] = [both.get(personId), both.get(by.personId)];
      if (theirs === undefined || mine === undefined) throw new Error('standing was asked of both, and is not there');
      if (theirs.knownBy.length === 0) return err(nobodyCameIn);
      if (theirs.known) return err(knownAlready);
      if (shareSeat(theirs, mine)) return err(sameHand);
      const operation = { kind: 'vouch', person_id: personId } as const;
      const wanted = { personId: by.personId, stepUpId, operation };
      const proof = await takeRequiredProof(this.proofs, tx, wanted, 'Vouching for somebody');
      if (!proof.ok) return proof;
      const { evidence, ...mfa } = proof.value;
      await this.seats.keepVouch(tx, { personId, vouchedBy: by.personId });
      await this.audit.record(tx, {
        action: 'person.vouched_for',
        actor: actorOf(by),
        level: 'full_with_evidence',
        subject: { type: 'person', id: personId },
        payload: {
          seat_before: seatDocument(theirs),
          seat_of_voucher: seatDocument(mine),
          mfa: { method: mfa.method, proved_at: mfa.provedAt },
        },
        evidence,
      });
      return ok(undefined);
    });
  }
}

const own: Failure = {
  kind: 'forbidden',
  code: 'vouch.own',
  message: 'Nobody vouches for themselves.',
  action: WAYS_TO_A_VOTE,
};

const nobodyCameIn: Failure = {
  kind: 'conflict',
  code: 'vouch.nobody_came_in',
  message: 'This person has not come in yet: there is nobody to vouch for.',
  action: 'Wait until they have enrolled, talk to them, then vouch for them.',
};

const knownAlready: Failure = {
  kind: 'conflict',
  code: 'vouch.known_already',
  message: 'This person is known already, and has a vote of their own.',
  action: 'Nothing is to be done.',
};

const sameHand: Failure = {
  kind: 'forbidden',
  code: 'vouch.same_hand',
  message: 'You and this person came in by one hand: your word does not show that you are two.',
  action:
    'Ask an admin of another hand to vouch for them, have them sign in at your organisation’s issuer, or ask the operator to run `countersign bootstrap --person` on the server.',
};
