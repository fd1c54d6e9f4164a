import { randomBytes } from 'node:crypto';
import { newId, type PersonId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSettings } from './fake-issuer.js';
import type { PasskeyAccountRepository } from './passkey.ports.js';
import type { ExternalIdentityRepository, SignInSettingsRepository } from './sign-in.ports.js';

const MINUTE_MS = 60_000;

export interface AccountStore {
  readonly world: ContractWorld;
  readonly accounts: PasskeyAccountRepository;
  readonly identities: ExternalIdentityRepository;
  readonly settings: SignInSettingsRepository;
  /** Registers an active passkey of a person at home. */
  readonly passkey: (personId: PersonId, passkeyId: string) => Promise<void>;
}

/** The contract of a repository of accounts that passkeys open. */
export function describePasskeyAccountRepository(name: string, open: () => Promise<AccountStore>): void {
  describe(`${name} keeps the contract of PasskeyAccountRepository`, () => {
    let store: AccountStore;
    let accounts: PasskeyAccountRepository;
    beforeEach(async () => {
      store = await open();
      ({ accounts } = store);
    });
    afterEach(() => store.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, work);
    const owner = (): PersonId => store.world.home.owner.personId;
    const admin = (): PersonId => store.world.home.admin.personId;
    const read = (personId = owner()) => atHome((tx) => accounts.read(tx, personId));

    it('locates the tenant of a passkey by its person', async () => {
      await store.passkey(owner(), 'passkey-1');
      expect(await accounts.locate('passkey-1', owner())).toBe(store.world.home.tenantId);
      expect(await accounts.locate('passkey-1', admin())).toBeNull();
      expect(await accounts.locate('passkey-2', owner())).toBeNull();
    });

    it('knows when a person came in last, and nothing of a person who is not there', async () => {
      expect(await read()).toEqual({ atIssuer: false, cameInAt: null });
      for (const letInByOperator of [false, true]) {
        await atHome((tx) => accounts.markSignedIn(tx, owner(), letInByOperator));
        const { cameInAt } = await read();
        expect(Math.abs((cameInAt ?? 0) - (await atHome((tx) => tx.now())))).toBeLessThan(MINUTE_MS);
      }
      expect(await read(admin())).toEqual({ atIssuer: false, cameInAt: null });
      await expect(read(store.world.other.owner.personId)).rejects.toThrow('is not there');
    });

    it('knows whether an issuer in service knows the person', async () => {
      const { settings, identities } = store;
      await atHome(async (tx) => {
        await settings.save(tx, sampleSettings(), admin());
        const issuerId = (await settings.read(tx)).issuers[0]?.id ?? '';
        await identities.insert(tx, { id: newId(), issuerId, subject: 'ada', personId: owner() });
      });
      expect([(await read()).atIssuer, (await read(admin())).atIssuer]).toEqual([true, false]);
      await atHome((tx) => settings.save(tx, sampleSettings({ revision: 2, issuers: [] }), admin()));
      expect((await read()).atIssuer).toBe(false);
    });

    it('takes an answer to a challenge once, also at the same moment', async () => {
      const expiresAt = (await atHome((tx) => tx.now())) + 5 * MINUTE_MS;
      const challengeDigest = randomBytes(32);
      const spend = (personId = owner(), digest = challengeDigest): Promise<boolean> =>
        atHome((tx) => accounts.spend(tx, { personId, challengeDigest: digest, expiresAt }));
      expect((await Promise.all([spend(), spend()])).sort()).toEqual([false, true]);
      expect([await spend(), await spend(admin())]).toEqual([false, false]);
      expect(await spend(owner(), randomBytes(32))).toBe(true);
    });

    it('refuses an answer to a challenge that is over (23514)', async () => {
      const expiresAt = (await atHome((tx) => tx.now())) - MINUTE_MS;
      const spent = { personId: owner(), challengeDigest: randomBytes(32), expiresAt };
      await expect(atHome((tx) => accounts.spend(tx, spent))).rejects.toMatchObject({ code: '23514' });
    });
  });
}
