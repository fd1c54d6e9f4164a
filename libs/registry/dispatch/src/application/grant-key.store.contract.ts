import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { GrantKeyRecord } from '../domain/grant-key.js';
import type { GrantKeyStore, SigningKey } from './grant.ports.js';

/** A key pair as GrantKeyring makes it, under a name of its own. */
function newKey(): Pick<GrantKeyRecord, 'publicJwk'> & SigningKey {
  const pair = generateKeyPairSync('ed25519');
  const { kty = '', crv = '', x = '' } = pair.publicKey.export({ format: 'jwk' });
  const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
  return { kid: randomUUID(), publicJwk: { kty, crv, x }, privateKey };
}

/** The contract of a store of grant keys. */
export function describeGrantKeyStore(
  name: string,
  open: () => Promise<{ readonly store: GrantKeyStore; close: () => Promise<void> }>,
): void {
  describe(`${name} keeps the contract of GrantKeyStore`, () => {
    let store: GrantKeyStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
    });
    afterEach(() => close());

    it('begins with no key', async () => {
      const { keys, now } = await store.list();
      expect(keys).toEqual([]);
      expect(now).toBeGreaterThan(0);
    });

    it('lists the public parts of keys, and gives a private key by name alone', async () => {
      const key = newKey();
      const { now } = await store.list();
      await store.add(key, now + 5, null);
      const { kid, publicJwk } = key;
      expect((await store.list()).keys).toEqual([{ kid, publicJwk, activeFrom: now + 5 }]);
      const found = await store.privateKey(kid);
      expect(found.kid).toBe(kid);
      expect(Buffer.from(found.privateKey).equals(Buffer.from(key.privateKey))).toBe(true);
      await expect(store.privateKey('another')).rejects.toThrow('There is no grant key another.');
    });

    it('lets the first key sign from now on', async () => {
      const before = (await store.list()).now;
      await store.add(newKey(), null, null);
      const { keys, now } = await store.list();
      expect(keys[0]?.activeFrom).toBeGreaterThanOrEqual(before);
      expect(keys[0]?.activeFrom).toBeLessThanOrEqual(now);
    });

    it('adds one successor of the newest key, however many are offered at once', async () => {
      const [first, second] = [newKey(), newKey()];
      const { now } = await store.list();
      await Promise.all([store.add(first, now, null), store.add(second, now, null)]);
      const [made] = (await store.list()).keys;
      expect((await store.list()).keys).toHaveLength(1);
      const offered = Array.from({ length: 5 }, newKey);
      // With a connection each, so that none is done before another begins.
      await Promise.all(offered.map(() => store.list()));
      await Promise.all(offered.map((key) => store.add(key, now + 10, made?.kid ?? null)));
      const { keys } = await store.list();
      expect(keys).toHaveLength(2);
      expect(offered.map(({ kid }) => kid)).toContain(keys.find(({ kid }) => kid !== made?.kid)?.kid);
    });

    it('adds nothing after a key that is not the newest', async () => {
      const { now } = await store.list();
      const first = newKey();
      const second = newKey();
      await store.add(newKey(), now, first.kid);
      expect((await store.list()).keys).toEqual([]);
      await store.add(first, now, null);
      await store.add(second, now + 10, first.kid);
      for (const after of [first.kid, null]) await store.add(newKey(), now + 20, after);
      expect((await store.list()).keys.map(({ kid }) => kid).sort()).toEqual([first.kid, second.kid].sort());
    });
  });
}
