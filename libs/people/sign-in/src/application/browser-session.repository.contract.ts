import { randomBytes } from 'node:crypto';
import type { CredentialRepository } from '#lib/identity';
import { newId, type CredentialId, type FactorId, type PersonId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleBrowserSession } from './fake-browser-session.repository.js';
import { sampleCredential } from './fake-credentials.js';
import { sampleIssuer, sampleSettings } from './fake-issuer.js';
import type {
  BrowserSessionRepository,
  ExternalIdentityRepository,
  SignInSettingsRepository,
} from './sign-in.ports.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface BrowserSessionStore {
  readonly world: ContractWorld;
  readonly browserSessions: BrowserSessionRepository;
  readonly credentials: CredentialRepository;
  readonly identities: ExternalIdentityRepository;
  readonly settings: SignInSettingsRepository;
  /** A passkey of a person at home. */
  readonly passkey: (personId: PersonId, name: string) => Promise<FactorId>;
  /** A request comes with the browser session. @param at epoch milliseconds. */
  readonly used: (id: CredentialId, at: number) => Promise<void>;
}

/** The contract of a repository of browser sessions. */
export function describeBrowserSessionRepository(name: string, open: () => Promise<BrowserSessionStore>): void {
  describe(`${name} keeps the contract of BrowserSessionRepository`, () => {
    let store: BrowserSessionStore;
    let issuerId: string;
    let identityId: string;
    let factorId: FactorId;
    beforeEach(async () => {
      store = await open();
      const { world, settings, identities } = store;
      issuerId = await atHome(async (tx) => {
        await settings.save(tx, sampleSettings({ browserSessionIdleMinutes: 60 }), world.home.admin.personId);
        return (await settings.read(tx)).issuers[0]?.id ?? '';
      });
      identityId = newId();
      const identity = { id: identityId, issuerId, subject: 'ada', personId: owner() };
      await atHome((tx) => identities.insert(tx, identity));
      factorId = await store.passkey(owner(), 'Laptop');
    });
    afterEach(() => store.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.other.tenantId, work);
    const owner = (): PersonId => store.world.home.owner.personId;
    const now = (): Promise<number> => atHome((tx) => tx.now());
    /** A browser session of the owner, opened so many milliseconds ago, at the issuer if nothing else is said. */
    const opened = async (
      ago = 0,
      members: Partial<ReturnType<typeof sampleBrowserSession>> = {},
      lastsMs = 12 * HOUR_MS,
    ) => {
      const createdAt = (await now()) - ago;
      const id = newId<CredentialId>();
      const browserSession = sampleBrowserSession({ id, identityId, authenticatedAt: createdAt, ...members });
      const holder = { kind: 'browser_session', personId: owner() } as const;
      await atHome(async (tx) => {
        const credential = sampleCredential(id, holder, createdAt, createdAt + lastsMs);
        await store.credentials.insert(tx, credential, randomBytes(32));
        await store.browserSessions.insert(tx, browserSession);
      });
      return { ...browserSession, createdAt, expiresAt: createdAt + lastsMs };
    };
    const find = (id: CredentialId, personId = owner()) => atHome((tx) => store.browserSessions.find(tx, personId, id));
    const listed = async (personId = owner()): Promise<readonly CredentialId[]> =>
      (await atHome((tx) => store.browserSessions.list(tx, personId))).map(({ id }) => id);

    it('finds a browser session of an issuer, whole', async () => {
      const { id, browser, authenticatedAt, expiresAt } = await opened();
      const found = await find(id);
      expect(found).toEqual({
        id,
        issuerName: sampleIssuer().displayName,
        passkeyName: null,
        ...browser,
        authenticatedAt,
        createdAt: expect.any(Number) as number,
        lastUsedAt: null,
        expiresAt,
      });
      expect(Math.abs((found?.createdAt ?? 0) - (await now()))).toBeLessThan(MINUTE_MS);
    });

    it('finds a browser session of a passkey, and when it was last used', async () => {
      const { id } = await opened(0, { identityId: null, factorId });
      const at = await now();
      await store.used(id, at);
      expect(await find(id)).toMatchObject({ issuerName: null, passkeyName: 'Laptop', lastUsedAt: at });
    });

    it('keeps 500 characters of the name that a browser gives itself', async () => {
      const { id } = await opened(0, { browser: { userAgent: 'x'.repeat(600), address: '203.0.113.7' } });
      expect((await find(id))?.userAgent).toBe('x'.repeat(500));
    });

    it('has nothing for another person, another tenant, or another id', async () => {
      const { id } = await opened();
      expect(await find(id, store.world.home.admin.personId)).toBeNull();
      expect(await find(newId<CredentialId>())).toBeNull();
      expect(await elsewhere((tx) => store.browserSessions.find(tx, owner(), id))).toBeNull();
      expect(await elsewhere((tx) => store.browserSessions.list(tx, owner()))).toEqual([]);
      expect(await elsewhere((tx) => store.browserSessions.csrfToken(tx, id))).toBeNull();
      expect(await elsewhere((tx) => store.browserSessions.signOutOf(tx, id))).toBeNull();
      expect(await listed(store.world.home.admin.personId)).toEqual([]);
    });

    it('lists the browser sessions that are not over, the latest first', async () => {
      const early = await opened(50 * MINUTE_MS);
      const [revoked, late] = [await opened(), await opened()];
      await opened(13 * HOUR_MS);
      await atHome(async (tx) => store.credentials.revoke(tx, revoked.id, await tx.now()));
      expect(await listed()).toEqual([late.id, early.id]);
      expect(await find(revoked.id)).toBeNull();
    });

    it('counts a browser session as over once it rested for the time that the tenant sets, or an hour', async () => {
      const unused = await opened(55 * MINUTE_MS);
      const used = await opened(3 * HOUR_MS);
      await store.used(used.id, (await now()) - 25 * MINUTE_MS);
      const rested = await opened(3 * HOUR_MS);
      await store.used(rested.id, (await now()) - 65 * MINUTE_MS);
      expect(await listed()).toEqual([used.id, unused.id]);
      const sooner = sampleSettings({ revision: 2, browserSessionIdleMinutes: 30 });
      await atHome((tx) => store.settings.save(tx, sooner, store.world.home.admin.personId));
      expect(await listed()).toEqual([used.id]);
      expect(await find(unused.id)).toBeNull();
    });

    it('knows the CSRF token of a browser session, and none of another credential', async () => {
      const { id, csrfToken } = await opened();
      expect(await atHome((tx) => store.browserSessions.csrfToken(tx, id))).toBe(csrfToken);
      expect(await atHome((tx) => store.browserSessions.csrfToken(tx, newId<CredentialId>()))).toBeNull();
    });

    it('rotates a browser session that is not revoked, and nothing else', async () => {
      const [live, revoked] = [await opened(), await opened()];
      await atHome(async (tx) => store.credentials.revoke(tx, revoked.id, await tx.now()));
      const rotate = (id: CredentialId) => atHome((tx) => store.browserSessions.rotate(tx, id));
      expect(await rotate(live.id)).toBe(true);
      expect(await rotate(revoked.id)).toBe(false);
      expect(await rotate(store.world.home.owner.credentialId)).toBe(false);
      expect(await elsewhere((tx) => store.browserSessions.rotate(tx, live.id))).toBe(false);
    });

    it('keeps the issuer and the ID token for signing out there', async () => {
      const idToken = { keyId: 'k1', nonce: Buffer.alloc(12, 1), ciphertext: Buffer.alloc(20, 2) };
      const atIssuer = await opened(0, { idToken });
      const byPasskey = await opened(0, { identityId: null, factorId });
      const signOutOf = (id: CredentialId) => atHome((tx) => store.browserSessions.signOutOf(tx, id));
      expect(await signOutOf(atIssuer.id)).toEqual({ issuerId, idToken });
      expect(await signOutOf(byPasskey.id)).toEqual({ issuerId: null, idToken: null });
      expect(await signOutOf(newId<CredentialId>())).toBeNull();
    });

    it('refuses a browser session of no way in, or of two, and a CSRF token that is guessed (23514)', async () => {
      const refused = { code: '23514' };
      await expect(opened(0, { identityId: null })).rejects.toMatchObject(refused);
      await expect(opened(0, { factorId })).rejects.toMatchObject(refused);
      await expect(opened(0, { csrfToken: 'short' })).rejects.toMatchObject(refused);
      expect(await listed()).toEqual([]);
    });
  });
}
