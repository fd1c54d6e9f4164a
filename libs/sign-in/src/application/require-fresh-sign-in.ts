import {
  err,
  notFound,
  ok,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Scope,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { decideCameIn } from '../domain/passkey-way.js';
import { decideFresh } from '../domain/fresh-sign-in.js';
import type { PasskeyAccountRepository } from './passkey.ports.js';
import type { SignInSettings } from '../domain/issuer.js';
import type { ExternalIdentityRepository, SignInSettingsRepository } from './sign-in.ports.js';

/**
 * Before a review or an administrative action, whatever it comes by: refuses `session.sign_in_again` if the person's last
 * sign-in is older than the tenant allows, and a review with `sign_in.dormant` if nobody came in by the account for long.
 */
export class RequireFreshSignIn {
  readonly #uow: UnitOfWork;
  readonly #settings: SignInSettingsRepository;
  readonly #identities: ExternalIdentityRepository;
  readonly #accounts: PasskeyAccountRepository;

  constructor(
    uow: UnitOfWork,
    settings: SignInSettingsRepository,
    identities: ExternalIdentityRepository,
    accounts: PasskeyAccountRepository,
  ) {
    this.#uow = uow;
    this.#accounts = accounts;
    this.#settings = settings;
    this.#identities = identities;
  }

  execute(by: PersonPrincipal, scope: Scope = 'review'): Promise<Result<void>> {
    // Read with the credential, a moment ago: whoever has only tokens never signed in.
    if (by.signedInAt === null && scope !== 'review') return Promise.resolve(ok(undefined));
    return this.#uow.run(by.tenantId, async (tx) => {
      if (scope === 'review') return this.within(tx, by.personId);
      return this.#fresh(tx, by.personId, await this.#settings.read(tx), await tx.now());
    });
  }

  /** Before a review, in a transaction that is open: for somebody who acts without a credential of ours: by a click in Slack. */
  async within(tx: Tx, personId: PersonId): Promise<Result<void>> {
    const [settings, now] = [await this.#settings.read(tx), await tx.now()];
    const fresh = await this.#fresh(tx, personId, settings, now);
    return fresh.ok ? decideCameIn(await this.#accounts.read(tx, personId), settings, now) : fresh;
  }

  async #fresh(tx: Tx, personId: PersonId, settings: SignInSettings, now: number): Promise<Result<void>> {
    const signedInAt = await this.#identities.signedInAt(tx, personId);
    if (signedInAt === undefined) return err(notFound('person'));
    return decideFresh(signedInAt, settings.reauthenticateAfterMinutes, now);
  }
}
