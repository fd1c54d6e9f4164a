import type { AuditEntryId } from '#lib/kernel';
import { KEEP_FOR_EVER, type RetentionRule } from '../domain/retention-rule.js';
import { tenantOf, type AuditStore } from './audit-store.contract.js';

/** The contract of {@link PayloadRetention}. A payload that something live needs is kept by the database alone. */
export function describePayloadRetention(name: string, store: () => AuditStore): void {
  describe(`${name}: the retention of payloads`, () => {
    const retaining = () => {
      const tenant = tenantOf(store());
      const { inTx, tenantId } = tenant;
      return {
        ...tenant,
        set: (rule: Partial<RetentionRule>) =>
          inTx((tx) => store().retention.setRule(tx, { ...KEEP_FOR_EVER, ...rule }, 1_000)),
        rule: () => inTx((tx) => store().retention.rule(tx)),
        erase: (limit = 10) => inTx((tx) => store().retention.erase(tx, limit)),
        /** An entry of this level and age. */
        old: async (days: number, level: 'basic' | 'full' = 'basic'): Promise<AuditEntryId> => {
          const id = await tenant.recordedOne({ event: { level } });
          await store().age(tenantId, id, days);
          return id;
        },
        withPayload: async (ids: readonly AuditEntryId[]) => [
          ...(await inTx((tx) => store().entries.payloads(tx, ids))).keys(),
        ],
      };
    };

    it('is for ever, until a rule is set; the last rule counts', async () => {
      const { rule, set } = retaining();
      expect(await rule()).toEqual(KEEP_FOR_EVER);
      await set({ basic: 30, full: 365 });
      expect(await rule()).toEqual({ ...KEEP_FOR_EVER, basic: 30, full: 365 });
      await set({ full: 400 });
      expect(await rule()).toEqual({ ...KEEP_FOR_EVER, full: 400 });
      await set({});
      expect(await rule()).toEqual(KEEP_FOR_EVER);
    });

    it('has a least time for each level (23514)', async () => {
      const { set } = retaining();
      await expect(set({ basic: 29 })).rejects.toMatchObject({ code: '23514' });
      await expect(set({ full: 89 })).rejects.toMatchObject({ code: '23514' });
    });

    it('erases payloads that are older than their level says, and keeps their entries', async () => {
      const { set, old, erase, withPayload, inTx } = retaining();
      const [expired, young, unruled] = [await old(31), await old(29), await old(400, 'full')];
      expect(await erase()).toEqual([]);
      await set({ basic: 30 });
      expect(await erase()).toEqual([expired]);
      expect(new Set(await withPayload([expired, young, unruled]))).toEqual(new Set([young, unruled]));
      expect(await inTx((tx) => store().entries.find(tx, expired))).toMatchObject({ id: expired, level: 'basic' });
      expect(await erase()).toEqual([]);
    });

    it('erases the oldest first, as many as asked for', async () => {
      const { set, old, erase } = retaining();
      await set({ basic: 30 });
      const [second, first, third] = [await old(40), await old(50), await old(35)];
      expect(new Set(await erase(2))).toEqual(new Set([first, second]));
      expect(await erase(2)).toEqual([third]);
    });

    it('T19: erases for its own tenant alone', async () => {
      const [mine, theirs] = [retaining(), retaining()];
      const id = await mine.old(31);
      await theirs.set({ basic: 30 });
      expect(await theirs.erase()).toEqual([]);
      expect(await mine.withPayload([id])).toEqual([id]);
      expect(await mine.rule()).toEqual(KEEP_FOR_EVER);
    });
  });
}
