import { newId, type AuditEntryId, type Tx } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import { hashOf, tenantOf, type AuditStore } from './audit-store.contract.js';
import type { PendingEntry } from './audit.ports.js';

const idsOf = (pending: readonly PendingEntry[]): AuditEntryId[] => pending.map(({ entry }) => entry.id);

/** The contract of {@link AuditTreeStore}. */
export function describeAuditTree(name: string, store: () => AuditStore): void {
  describe(`${name}: the trees of a tenant`, () => {
    it('begin with the first epoch; the head is the size of its last checkpoint', async () => {
      const tenant = tenantOf(store());
      const head = () => tenant.inTx((tx) => store().tree.head(tx));
      expect(await head()).toBeNull();
      await tenant.epoch(1);
      expect(await head()).toEqual({ epoch: 1, size: 0 });
      await tenant.key('k1');
      await tenant.checkpoint(1, 3, 'k1');
      await tenant.checkpoint(1, 8, 'k1');
      expect(await head()).toEqual({ epoch: 1, size: 8 });
      await tenant.epoch(2);
      expect(await head()).toEqual({ epoch: 2, size: 0 });
      expect(await tenantOf(store()).inTx((tx) => store().tree.head(tx))).toBeNull();
    });

    it('have each epoch once (23505)', async () => {
      const tenant = tenantOf(store());
      await tenant.epoch(1);
      await expect(tenant.epoch(1)).rejects.toMatchObject({ code: '23505' });
    });

    it('are sequenced by one transaction at a time', async () => {
      const home = sampleTenant();
      const { uow, blocked } = store();
      const world = { uow, blocked, home, other: home, close: () => Promise.resolve() };
      const lock = async (tx: Tx): Promise<void> => {
        await store().tree.lock(tx);
        await tx.now();
      };
      expect(await waitsBehind(world, lock)).toBe(true);
    });
  });

  describe(`${name}: entries without a leaf`, () => {
    it('are found in the order in which they were written, as many as asked for', async () => {
      const tenant = tenantOf(store());
      const ids = await tenant.recorded(4);
      await tenantOf(store()).recorded(1);
      expect(idsOf(await tenant.pending())).toEqual(ids);
      expect(idsOf(await tenant.pending(2))).toEqual(ids.slice(0, 2));
      const [first] = await tenant.pending(1);
      expect(first?.entry).toMatchObject({ tenantId: tenant.tenantId, action: 'thing.done', within: [] });
    });

    it('are those that a look found, if it is named', async () => {
      const tenant = tenantOf(store());
      const [one, , three] = (await tenant.recorded(3)) as [AuditEntryId, AuditEntryId, AuditEntryId];
      expect(idsOf(await tenant.pending(10, [three, one, newId<AuditEntryId>()]))).toEqual([one, three]);
      expect(await tenant.pending(10, [])).toEqual([]);
    });

    it('are no more, once they have one', async () => {
      const tenant = tenantOf(store());
      const [one, two] = (await tenant.recorded(2)) as [AuditEntryId, AuditEntryId];
      await tenant.appended(1, 0, await tenant.pending(1));
      expect(idsOf(await tenant.pending())).toEqual([two]);
      expect(idsOf(await tenant.pending(10, [one, two]))).toEqual([two]);
      const leaves = await tenant.inTx((tx) => store().tree.leavesOf(tx, [one, two]));
      expect([...leaves]).toEqual([[one, { epoch: 1, index: 0 }]]);
    });

    it('are still found if they were set aside, beside those of a look', async () => {
      const tenant = tenantOf(store());
      const aside = await tenant.recorded(3);
      await tenant.inTx((tx) => store().tree.setAside(tx));
      await tenant.inTx((tx) => store().tree.setAside(tx));
      const later = await tenant.recordedOne();
      expect(idsOf(await tenant.pending(10, []))).toEqual(aside);
      expect(idsOf(await tenant.pending(2, [later]))).toEqual(aside.slice(0, 2));
      expect(idsOf(await tenant.pending(10, [later]))).toEqual([...aside, later]);
      expect(idsOf(await tenant.pending(10, [...aside, later]))).toEqual([...aside, later]);
      await tenant.appended(1, 0, await tenant.pending(2, []));
      expect(idsOf(await tenant.pending(10, []))).toEqual(aside.slice(2));
    });
  });

  describe(`${name}: leaves and nodes`, () => {
    it('are given back in the order asked for', async () => {
      const tenant = tenantOf(store());
      await tenant.recorded(3);
      const pending = await tenant.pending();
      await tenant.appended(1, 0, pending);
      const node = { level: 1, index: 0, hash: hashOf('node') };
      await tenant.inTx((tx) => store().tree.append(tx, 1, [], [node], []));
      const at = [
        { level: 0, index: 2 },
        { level: 1, index: 0 },
        { level: 0, index: 0 },
      ];
      const found = await tenant.inTx((tx) => store().tree.nodes(tx, 1, at));
      expect(found.map(({ level, index, hash }) => [level, index, Buffer.from(hash)])).toEqual([
        [0, 2, hashOf(pending[2]?.entry.id ?? '')],
        [1, 0, hashOf('node')],
        [0, 0, hashOf(pending[0]?.entry.id ?? '')],
      ]);
      expect(await tenant.inTx((tx) => store().tree.nodes(tx, 1, []))).toEqual([]);
    });

    it('are missed if one is not there, or of another epoch or tenant', async () => {
      const tenant = tenantOf(store());
      await tenant.recorded(1);
      await tenant.appended(1, 0, await tenant.pending());
      const first = [{ level: 0, index: 0 }];
      const lost = 'has lost nodes';
      await expect(tenant.inTx((tx) => store().tree.nodes(tx, 1, [{ level: 0, index: 1 }]))).rejects.toThrow(lost);
      await expect(tenant.inTx((tx) => store().tree.nodes(tx, 2, first))).rejects.toThrow(lost);
      await expect(tenantOf(store()).inTx((tx) => store().tree.nodes(tx, 1, first))).rejects.toThrow(lost);
    });

    it('stand once at their place, and an entry has one leaf (23505)', async () => {
      const tenant = tenantOf(store());
      await tenant.recorded(2);
      const [one, two] = (await tenant.pending()) as [PendingEntry, PendingEntry];
      await tenant.appended(1, 0, [one]);
      await expect(tenant.appended(1, 0, [two])).rejects.toMatchObject({ code: '23505' });
      await expect(tenant.appended(1, 1, [one])).rejects.toMatchObject({ code: '23505' });
      expect(idsOf(await tenant.pending())).toEqual([two.entry.id]);
    });
  });
}
