import { randomBytes } from 'node:crypto';
import type { CredentialRepository } from '#lib/identity';
import { newId, type CredentialId, type PersonId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleCredential } from './fake-credentials.js';
import { sampleIssuer, sampleSettings } from './fake-issuer.js';
import type { ExternalIdentityRepository, SignInSettingsRepository } from './sign-in.ports.js';

const DAY_MS = 86_400_000;

export interface IdentityStore {
  readonly world: ContractWorld;
  readonly identities: ExternalIdentityRepository;
  readonly settings: SignInSettingsRepository;
  readonly credentials: CredentialRepository;
}

/** The contract of a repository of people that issuers know. */
export function describeExternalIdentityRepository(name: string, open: () => Promise<IdentityStore>): void {
  describe(`${name} keeps the contract of ExternalIdentityRepository`, () => {
    let store: IdentityStore;
    let identities: ExternalIdentityRepository;
    let acme: string;
    let other: string;
    beforeEach(async () => {
      store = await open();
      ({ identities } = store);
      [acme = '', other = ''] = await atHome(async (tx) => {
        const both = [sampleIssuer(), sampleIssuer({ name: 'other', url: 'https://other.example.com' })];
        await store.settings.save(tx, sampleSettings({ issuers: both }), store.world.home.admin.personId);
        return (await store.settings.read(tx)).issuers.map(({ id }) => id);
      });
    });
    afterEach(() => store.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.other.tenantId, work);
    const owner = (): PersonId => store.world.home.owner.personId;
    const insert = async (subject: string, personId = owner(), issuerId = acme) => {
      const id = newId();
      await atHome((tx) => identities.insert(tx, { id, issuerId, subject, personId }));
      return { id, personId, bearerCredentialId: null };
    };
    const locked = (subject: string, issuerId = acme) => atHome((tx) => identities.lockSubject(tx, issuerId, subject));
    const credential = async (expiresAt: number) => {
      const [id, digest] = [newId<CredentialId>(), randomBytes(32)];
      const created = sampleCredential(
        id,
        { kind: 'issuer_token', personId: owner() },
        expiresAt - 2 * DAY_MS,
        expiresAt,
      );
      await atHome((tx) => store.credentials.insert(tx, created, digest));
      return { id, digest };
    };
    const bearer = (subject = 'ada') => atHome((tx) => identities.forBearer(tx, acme, subject));
    const signedIn = (...urls: readonly string[]) =>
      atHome((tx) => identities.signedInAtOneOf(tx, owner(), urls.length > 0 ? urls : [sampleIssuer().url]));

    it('knows a person by issuer and subject, within their tenant', async () => {
      expect(await locked('ada')).toBeNull();
      const identity = await insert('ada');
      expect(await locked('ada')).toEqual(identity);
      expect(await locked('Ada')).toBeNull();
      expect(await locked('ada', other)).toBeNull();
      expect(await elsewhere((tx) => identities.lockSubject(tx, acme, 'ada'))).toBeNull();
      const has = (personId: PersonId, issuerId: string) =>
        atHome((tx) => identities.hasIdentityAt(tx, personId, issuerId));
      expect(await has(owner(), acme)).toBe(true);
      expect(await has(owner(), other)).toBe(false);
      expect(await has(store.world.home.admin.personId, acme)).toBe(false);
    });

    it('refuses a subject twice, and a person twice at one issuer (23505)', async () => {
      await insert('ada');
      await insert('ada', owner(), other);
      await expect(insert('ada', store.world.home.admin.personId)).rejects.toMatchObject({ code: '23505' });
      await expect(insert('ada-2')).rejects.toMatchObject({ code: '23505' });
      expect(await locked('ada-2')).toBeNull();
    });

    it('lets one transaction at a time lock a subject, at the first sign-in too', async () => {
      expect(await waitsBehind(store.world, (tx) => identities.lockSubject(tx, acme, 'never'))).toBe(true);
    });

    it('keeps the last sign-in at issuers in service, and never goes back in time', async () => {
      expect(await signedIn()).toBeNull();
      const identity = await insert('ada');
      const first = (await signedIn()) ?? 0;
      expect(Math.abs(first - (await atHome((tx) => tx.now())))).toBeLessThan(60_000);
      const mark = (at: number) => atHome((tx) => identities.markSignedIn(tx, identity, at));
      await mark(first - 5);
      expect(await signedIn()).toBe(first);
      await mark(first + 5);
      expect(await signedIn()).toBe(first + 5);
      expect(await signedIn('https://other.example.com')).toBeNull();
      const there = await insert('ada', owner(), other);
      await atHome((tx) => identities.markSignedIn(tx, there, first + DAY_MS));
      expect(await signedIn(sampleIssuer().url, 'https://other.example.com')).toBe(first + DAY_MS);
      await atHome((tx) => store.settings.save(tx, sampleSettings({ revision: 2 }), store.world.home.admin.personId));
      expect(await signedIn(sampleIssuer().url, 'https://other.example.com')).toBe(first + 5);
    });

    it('has no credential for access tokens before the first, and none for an unknown subject', async () => {
      const identity = await insert('ada');
      expect(await bearer('never')).toBeNull();
      expect(await bearer()).toEqual({ identity, credentialDigest: null });
      expect(await elsewhere((tx) => identities.forBearer(tx, acme, 'ada'))).toBeNull();
    });

    it('finds the credential that stands for access tokens, until it expired', async () => {
      const identity = await insert('ada');
      const now = await atHome((tx) => tx.now());
      const live = await credential(now + DAY_MS);
      await atHome((tx) => identities.setBearerCredential(tx, identity.id, live.id));
      const found = await bearer();
      expect(found?.identity).toEqual({ ...identity, bearerCredentialId: live.id });
      expect(Buffer.from(found?.credentialDigest ?? [])).toEqual(Buffer.from(live.digest));
      const expired = await credential(now - DAY_MS);
      await atHome((tx) => identities.setBearerCredential(tx, identity.id, expired.id));
      expect(await bearer()).toMatchObject({ credentialDigest: null });
    });

    it('finds a revoked credential too, until it is forgotten', async () => {
      const identity = await insert('ada');
      const now = await atHome((tx) => tx.now());
      const { id, digest } = await credential(now + DAY_MS);
      await atHome((tx) => identities.setBearerCredential(tx, identity.id, id));
      const forget = () => atHome((tx) => identities.forgetRevokedBearer(tx, identity.id));
      await forget();
      expect(await bearer()).toMatchObject({ identity: { bearerCredentialId: id } });
      await atHome((tx) => store.credentials.revoke(tx, id, now));
      const found = await bearer();
      expect(Buffer.from(found?.credentialDigest ?? [])).toEqual(Buffer.from(digest));
      await elsewhere((tx) => identities.forgetRevokedBearer(tx, identity.id));
      expect(await bearer()).toMatchObject({ identity: { bearerCredentialId: id } });
      await forget();
      expect(await bearer()).toEqual({ identity, credentialDigest: null });
    });
  });
}
