import type { Keyring } from './tenancy.ports.js';

/** The contract of a keyring. @param open it with one key. */
export function describeKeyring(
  name: string,
  open: () => Promise<{
    readonly keyring: Keyring;
    readonly addKey: () => Promise<string>;
    readonly removeKey: (id: string) => void;
    readonly close: () => void;
  }>,
): void {
  describe(`${name} keeps the contract of Keyring`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => {
      opened.close();
    });

    it('has one current key of 256 bits', async () => {
      const { keyring } = opened;
      const { id, key } = await keyring.current();
      expect(key).toHaveLength(32);
      expect(await keyring.byId(id)).toEqual(key);
      expect(await keyring.ring()).toEqual({ current: id, keys: new Map([[id, key]]) });
    });

    it('has no key under another id', async () => {
      expect(await opened.keyring.byId('never')).toBeNull();
    });

    it('keeps the old keys when a new one becomes current', async () => {
      const { keyring, addKey } = opened;
      const old = await keyring.current();
      const id = await addKey();
      const { id: current, key } = await keyring.current();
      expect(current).toBe(id);
      expect(key).not.toEqual(old.key);
      expect(await keyring.byId(old.id)).toEqual(old.key);
      expect(await keyring.ring()).toEqual({
        current: id,
        keys: new Map([
          [old.id, old.key],
          [id, key],
        ]),
      });
    });

    it('has no longer a key that the operator took away', async () => {
      const { keyring, addKey, removeKey } = opened;
      const { id: old } = await keyring.current();
      const id = await addKey();
      removeKey(old);
      expect(await keyring.byId(old)).toBeNull();
      expect([...(await keyring.ring()).keys.keys()]).toEqual([id]);
    });
  });
}
