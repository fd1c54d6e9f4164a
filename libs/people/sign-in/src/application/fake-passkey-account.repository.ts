import type { PersonId, TenantId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { FakeExternalIdentityRepository } from './fake-external-identity.repository.js';
import type { FakePeople } from './fake-people.js';
import type { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';
import type { PasskeyAccount, PasskeyAccountRepository } from './passkey.ports.js';

/** Keeps accounts that passkeys open in memory. */
export class FakePasskeyAccountRepository implements PasskeyAccountRepository {
  readonly #spent: FakeTable<true>;
  readonly #byOperator: FakeTable<boolean>;
  readonly #passkeys = new Map<string, { readonly tenantId: TenantId; readonly personId: PersonId }>();

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly others: {
      readonly people: FakePeople;
      readonly identities: FakeExternalIdentityRepository;
      readonly settings: FakeSignInSettingsRepository;
    },
  ) {
    this.#spent = new FakeTable(database);
    this.#byOperator = new FakeTable(database);
  }

  /** A person registers a passkey. */
  register(passkeyId: string, holder: { readonly tenantId: TenantId; readonly personId: PersonId }): void {
    this.#passkeys.set(passkeyId, holder);
  }

  /** Whether the operator let the person in at their last sign-in; undefined before the first. */
  letInByOperator(tenant: Pick<Tx, 'tenantId'>, personId: PersonId): boolean | undefined {
    return this.#byOperator.of(tenant).get(personId);
  }

  locate(passkeyId: string, personId: PersonId): Promise<TenantId | null> {
    const holder = this.#passkeys.get(passkeyId);
    return Promise.resolve(holder?.personId === personId ? holder.tenantId : null);
  }

  async read(tx: Tx, personId: PersonId): Promise<PasskeyAccount> {
    const { people, identities, settings } = this.others;
    const person = await people.find(tx, personId);
    if (person === null) throw new Error(`person ${personId} is not there`);
    const urls = settings.inService(tx).map(({ url }) => url);
    const times = [person.enrolledAt, person.cameInAt].filter((at) => at !== null);
    return {
      atIssuer: (await identities.signedInAtOneOf(tx, personId, urls)) !== null,
      cameInAt: times.length === 0 ? null : Math.max(...times),
    };
  }

  spend(
    tx: Tx,
    { challengeDigest, expiresAt }: { readonly challengeDigest: Uint8Array; readonly expiresAt: number },
  ): Promise<boolean> {
    if (expiresAt <= this.database.now)
      return Promise.reject(new FakeRefusal('23514', 'passkey_sign_in_expires_at_check'));
    const [spent, key] = [this.#spent.of(tx), Buffer.from(challengeDigest).toString('hex')];
    if (spent.has(key)) return Promise.resolve(false);
    spent.set(key, true);
    return Promise.resolve(true);
  }

  markSignedIn(tx: Tx, personId: PersonId, letInByOperator: boolean): Promise<void> {
    this.#byOperator.of(tx).set(personId, letInByOperator);
    return this.others.people.cameIn(tx, personId);
  }
}
