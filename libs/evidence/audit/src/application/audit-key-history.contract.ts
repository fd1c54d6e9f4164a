import { hashOf, tenantOf, type AuditStore } from './audit-store.contract.js';

/** The contract of {@link AuditKeyHistory}. */
export function describeAuditKeyHistory(name: string, store: () => AuditStore): void {
  describe(`${name}: audit keys`, () => {
    const history = () => {
      const tenant = tenantOf(store());
      const { inTx } = tenant;
      return {
        ...tenant,
        current: async () => (await inTx((tx) => store().keys.current(tx)))?.name ?? null,
        names: async () => (await inTx((tx) => store().keys.list(tx))).map(({ name: key }) => key),
        retire: (key: string, at: number) => inTx((tx) => store().keys.retire(tx, key, at)),
      };
    };

    it('sign one at a time; those that are retired stay, oldest first', async () => {
      const { inTx, current, names, key, retire } = history();
      expect([await current(), await names()]).toEqual([null, []]);
      await key('k1', 1_000);
      await retire('k1', 2_000);
      expect(await current()).toBeNull();
      await key('k2', 2_000);
      expect([await current(), await names()]).toEqual(['k2', ['k1', 'k2']]);
      expect(await inTx((tx) => store().keys.list(tx))).toEqual([
        { name: 'k1', publicKey: Uint8Array.from(hashOf('k1')), validFrom: 1_000, validTo: 2_000 },
        { name: 'k2', publicKey: Uint8Array.from(hashOf('k2')), validFrom: 2_000, validTo: null },
      ]);
    });

    it('refuses a second key that signs, and a name that is taken (23505)', async () => {
      const { key, retire, current } = history();
      await key('k1');
      await expect(key('k2')).rejects.toMatchObject({ code: '23505' });
      await retire('k1', 2_000);
      await expect(key('k1')).rejects.toMatchObject({ code: '23505' });
      expect(await current()).toBeNull();
    });

    it('are retired once (CS001), and not before they signed (23514)', async () => {
      const { key, retire } = history();
      await key('k1', 1_000);
      await expect(retire('k1', 999)).rejects.toMatchObject({ code: '23514' });
      await retire('k1', 2_000);
      await expect(retire('k1', 3_000)).rejects.toMatchObject({ code: 'CS001' });
    });

    it('T19: are those of their own tenant', async () => {
      const mine = history();
      await mine.key('k1');
      const theirs = history();
      expect([await theirs.current(), await theirs.names()]).toEqual([null, []]);
      await theirs.retire('k1', 2_000);
      expect(await mine.current()).toBe('k1');
    });
  });
}
