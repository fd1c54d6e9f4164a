import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { personDisabled, type Person } from '../domain/person.js';
import { letsInAlone, seatDocument, shareSeat, WAYS_TO_A_VOTE } from '../domain/seats.js';
import { endedDocument, type EndedOfHand, type EndFormerHand } from './end-former-hand.js';
import type { PersonRepository, Seats } from './identity.ports.js';
import { takeRequiredProof, type MfaProofs } from './mfa-proofs.js';
import type { PasskeyKeeper } from './passkey-keeper.js';

interface VouchForPersonDeps {
  readonly uow: UnitOfWork;
  readonly people: PersonRepository;
  readonly seats: Seats;
  readonly proofs: MfaProofs;
  readonly audit: AuditSink;
  readonly passkeys: PasskeyKeeper;
  readonly formerHand: EndFormerHand;
}

/** A person with a vote of their own, and the number of things that ended. */
export interface VouchedPerson {
  readonly person: Person;
  readonly ended: EndedOfHand;
}

/**
 * An admin vouches for a person's own identity. That person then has their own vote, on requests opened afterwards.
 * Only an admin of another hand can vouch, since one person could be both. It takes a second factor: a stolen token
 * alone vouches for no person.
 *
 * The hand that let the person in may hold anything that was made in the person's name. So one passkey stays, which the
 * person and the admin compared by voice. Every other way to be the person ends (T69).
 *
 * Failures: `resource.not_found`, `identity.person_disabled`, `vouch.own`, `vouch.nobody_came_in`, `vouch.known_already`,
 * `vouch.same_hand`, `vouch.unconfirmed_issuer`, `vouch.passkey_unknown`, `mfa.not_enrolled`, `mfa.required`, and those of
 * {@link MfaProofs.take}.
 */
export class VouchForPerson {
  constructor(private readonly deps: VouchForPersonDeps) {}

  execute(
    by: PersonPrincipal,
    personId: PersonId,
    { fingerprint, stepUpId }: { readonly fingerprint: string; readonly stepUpId: string | undefined },
  ): Promise<Result<VouchedPerson>> {
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const person = await this.deps.people.lock(tx, personId);
      if (person === null) return err(notFound('person'));
      if (person.disabledAt !== null) return err(personDisabled);
      if (personId === by.personId) return err(own);
      const both = await this.deps.seats.standingOf(tx, [personId, by.personId]);
      const [theirs, mine] = [both.get(personId), both.get(by.personId)];
      if (theirs === undefined || mine === undefined) throw new Error('standing was asked of both, and is not there');
      if (theirs.knownBy.length === 0) return err(nobodyCameIn);
      if (theirs.known) return err(knownAlready);
      if (shareSeat(theirs, mine)) return err(sameHand);
      if (theirs.knownBy.some(letsInAlone)) return err(unconfirmedIssuer);
      const passkey = await this.deps.passkeys.find(tx, personId, fingerprint);
      if (passkey === null) return err(passkeyUnknown);
      const operation = { kind: 'vouch', person_id: personId, fingerprint } as const;
      const wanted = { personId: by.personId, stepUpId, operation };
      const proof = await takeRequiredProof(this.deps.proofs, tx, wanted, 'Vouching for somebody');
      if (!proof.ok) return proof;
      const { evidence, ...mfa } = proof.value;
      const actor = actorOf(by);
      const ending = { actor, endedBy: by.personId, kept: passkey, why: 'vouched for' };
      const ended = await this.deps.formerHand.execute(tx, personId, ending);
      await this.deps.seats.keepVouch(tx, { personId, vouchedBy: by.personId });
      await this.deps.audit.record(tx, {
        action: 'person.vouched_for',
        actor,
        level: 'full_with_evidence',
        subject: { type: 'person', id: personId },
        payload: {
          seat_before: seatDocument(theirs),
          seat_of_voucher: seatDocument(mine),
          passkey: { id: passkey, fingerprint },
          ended: endedDocument(ended),
          mfa: { method: mfa.method, proved_at: mfa.provedAt },
        },
        evidence,
      });
      return ok({ person, ended });
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

const unconfirmedIssuer: Failure = {
  kind: 'conflict',
  code: 'vouch.unconfirmed_issuer',
  message: 'This person signs in at an issuer that one admin set up alone. That admin could sign in as this person.',
  action: 'Have an admin of another hand confirm the issuer first, or take the issuer out of service.',
};

const passkeyUnknown: Failure = {
  kind: 'conflict',
  code: 'vouch.passkey_unknown',
  message: 'This person has no passkey with this fingerprint.',
  action:
    'Ask them to register a passkey and to sign in with it. Then have them read you its fingerprint from their settings, and try again.',
};

const sameHand: Failure = {
  kind: 'forbidden',
  code: 'vouch.same_hand',
  message: 'You and this person came in by one hand: your word does not show that you are two.',
  action:
    'Ask an admin of another hand to vouch for them, or have them sign in at your organisation’s issuer. Or ask the operator to run `countersign bootstrap --person` on the server.',
};
