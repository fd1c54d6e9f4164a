import { takeRequiredProof, type MfaProofs, type Seats } from '#lib/identity';
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
import { decideConfirmIssuer } from '../domain/decide-confirm-issuer.js';
import type { SignInSettings } from '../domain/issuer.js';
import type { SignInSettingsRepository } from './sign-in.ports.js';

/**
 * A person of another hand confirms an issuer that one hand put in force alone. From then on people who sign in there
 * are known by it. The confirming person must be known by something else: the issuer's own word is in question.
 *
 * Failures: `resource.not_found`, `issuer.confirmed_already`, `issuer.same_hand`, `issuer.confirmer_unknown`,
 * `request.changed_meanwhile`, `mfa.not_enrolled`, `mfa.required`, and those of {@link MfaProofs.take}.
 */
export class ConfirmIssuer {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: SignInSettingsRepository,
    private readonly seats: Pick<Seats, 'standingOf'>,
    private readonly proofs: MfaProofs,
    private readonly audit: AuditSink,
  ) {}

  /** @param given.revision of the settings that they looked at: later settings are not confirmed unseen. */
  execute(
    by: PersonPrincipal,
    name: string,
    given: { readonly revision: number; readonly stepUpId: string | undefined },
  ): Promise<Result<SignInSettings>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const inForce = await this.settings.lock(tx);
      const issuer = inForce.issuers.find((one) => one.name === name);
      if (issuer === undefined) return err(notFound('issuer'));
      const standing = await this.settings.standing(tx, issuer.id);
      const ids = standing === null ? [by.personId] : [by.personId, standing.personId];
      const allowed = decideConfirmIssuer(standing, by.personId, await this.seats.standingOf(tx, ids));
      if (!allowed.ok) return allowed;
      if (inForce.revision !== given.revision) return err(changedMeanwhile);
      const operation = {
        kind: 'issuer_confirm',
        issuer_id: issuer.id,
        settings_revision: inForce.revision,
      } as const;
      const wanted = { personId: by.personId, stepUpId: given.stepUpId, operation };
      const proof = await takeRequiredProof(this.proofs, tx, wanted, 'Confirming an issuer');
      if (!proof.ok) return proof;
      const { evidence, ...mfa } = proof.value;
      await this.settings.keepStanding(tx, { issuerId: issuer.id, how: 'confirmed', personId: by.personId });
      await this.audit.record(tx, {
        action: 'issuer.confirmed',
        actor: actorOf(by),
        level: 'full_with_evidence',
        subject: { type: 'issuer', id: issuer.id },
        payload: {
          issuer: issuer.url,
          settings_revision: inForce.revision,
          set_up_by: allowed.value.setUpBy,
          mfa: { method: mfa.method, proved_at: mfa.provedAt },
        },
        evidence,
      });
      return ok(inForce);
    });
  }
}

const changedMeanwhile: Failure = {
  kind: 'precondition_failed',
  code: 'request.changed_meanwhile',
  message: 'Somebody has changed the sign-in settings since you looked at them.',
  action: 'Look at the issuer again, then confirm it.',
};
