import {
  err,
  notFound,
  ok,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { decideFresh } from '../domain/fresh-sign-in.js';
import type { ExternalIdentityRepository, SignInSettingsRepository } from './sign-in.ports.js';

/**
 * Before a review or an administrative action, whatever it comes by: refuses `session.sign_in_again` where the person's last
 * sign-in at their issuer is older than the tenant allows.
 */
export class RequireFreshSignIn {
  readonly #uow: UnitOfWork;
  readonly #settings: SignInSettingsRepository;
  readonly #identities: ExternalIdentityRepository;

  constructor(uow: UnitOfWork, settings: SignInSettingsRepository, identities: ExternalIdentityRepository) {
    this.#uow = uow;
    this.#settings = settings;
    this.#identities = identities;
  }

  execute(by: PersonPrincipal): Promise<Result<void>> {
    // Read with the credential, a moment ago. Most tenants without an issuer are done here.
    if (by.signedInAt === null) return Promise.resolve(ok(undefined));
    return this.#uow.run(by.tenantId, (tx) => this.within(tx, by.personId));
  }

  /** In a transaction that is open, for somebody who acts without a credential of ours: by a click in Slack. */
  async within(tx: Tx, personId: PersonId): Promise<Result<void>> {
    const signedInAt = await this.#identities.signedInAt(tx, personId);
    if (signedInAt === undefined) return err(notFound('person'));
    const { reauthenticateAfterMinutes } = await this.#settings.read(tx);
    return decideFresh(signedInAt, reauthenticateAfterMinutes, await tx.now());
  }
}
