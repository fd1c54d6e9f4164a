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
    return this.#uow.run(by.tenantId, (tx) =>
      scope === 'review' ? this.within(tx, by.personId) : this.#fresh(tx, by.personId),
    );
  }

  /** Before a review, in a transaction that is open: for somebody who acts without a credential of ours: by a click in Slack. */
  async within(tx: Tx, personId: PersonId): Promise<Result<void>> {
    const fresh = await this.#fresh(tx, personId);
    if (!fresh.ok) return fresh;
    const [account, settings] = [await this.#accounts.read(tx, personId), await this.#settings.read(tx)];
    return decideCameIn(account, settings, await tx.now());
  }

  async #fresh(tx: Tx, personId: PersonId): Promise<Result<void>> {
    const signedInAt = await this.#identities.signedInAt(tx, personId);
    if (signedInAt === undefined) return err(notFound('person'));
    const { reauthenticateAfterMinutes } = await this.#settings.read(tx);
    return decideFresh(signedInAt, reauthenticateAfterMinutes, await tx.now());
  }
}
