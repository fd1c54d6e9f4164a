import type { AuditEntryId, TenantId } from '#lib/kernel';
import { checkpointOf, tenantOf, type AuditStore } from './audit-store.contract.js';

/** The contract of {@link AuditBacklog}. The cursor of PostgreSQL has tests of its own. */
export function describeAuditBacklog(name: string, store: () => AuditStore): void {
  describe(`${name}: the backlog`, () => {
    const waiting = async (tenantId: TenantId): Promise<readonly AuditEntryId[]> =>
      (await store().backlog.unsequenced()).find((each) => each.tenantId === tenantId)?.entries ?? [];
    const unpublished = async (tenantId: TenantId, signedBefore?: number): Promise<boolean> =>
      (await store().backlog.unpublished(signedBefore)).includes(tenantId);

    it('names the entries of each tenant that have no leaf, oldest first', async () => {
      const [one, other] = [tenantOf(store()), tenantOf(store())];
      const ids = await one.recorded(3);
      const [theirs] = await other.recorded(1);
      expect(await waiting(one.tenantId)).toEqual(ids);
      expect(await waiting(other.tenantId)).toEqual([theirs]);
      await one.appended(1, 0, await one.pending(2));
      expect(await waiting(one.tenantId)).toEqual(ids.slice(2));
      await one.appended(1, 2, await one.pending());
      expect(await waiting(one.tenantId)).toEqual([]);
    });

    it('names one of those that are set aside', async () => {
      const tenant = tenantOf(store());
      const [first] = await tenant.recorded(3);
      await tenant.inTx((tx) => store().tree.setAside(tx));
      expect(await waiting(tenant.tenantId)).toEqual([first]);
      const [later] = await tenant.recorded(1);
      expect(new Set(await waiting(tenant.tenantId))).toEqual(new Set([first, later]));
    });

    it('loses no entry by moving on', async () => {
      const tenant = tenantOf(store());
      const ids = await tenant.recorded(2);
      for (let look = 0; look < 3; look += 1) {
        await store().backlog.settle();
        expect(await waiting(tenant.tenantId)).toEqual(ids);
      }
      await tenant.appended(1, 0, await tenant.pending());
      for (let look = 0; look < 3; look += 1) {
        await store().backlog.settle();
        await store().backlog.unsequenced();
      }
      const [later] = await tenant.recorded(1);
      expect(await waiting(tenant.tenantId)).toEqual([later]);
    });

    it('names a tenant until the latest checkpoint of its current epoch is published', async () => {
      const tenant = tenantOf(store());
      const publish = (epoch: number, treeSize: number) =>
        tenant.inTx((tx) => store().checkpoints.markPublished(tx, { epoch, treeSize, elsewhere: true }, 9_000));
      await tenant.key('k1');
      await tenant.epoch(1);
      expect(await unpublished(tenant.tenantId)).toBe(false);
      for (const size of [1, 2, 3]) await tenant.checkpoint(1, size, 'k1');
      const [{ signedAt: first }, { signedAt: second }] = [checkpointOf(1, 1, 'k1'), checkpointOf(1, 2, 'k1')];
      expect(await unpublished(tenant.tenantId, first)).toBe(false);
      expect(await unpublished(tenant.tenantId, first + 1)).toBe(true);
      await publish(1, 1);
      expect(await unpublished(tenant.tenantId, second)).toBe(false);
      expect(await unpublished(tenant.tenantId)).toBe(true);
      await publish(1, 3);
      expect(await unpublished(tenant.tenantId)).toBe(false);
      expect(await unpublished(tenant.tenantId, second + 1)).toBe(false);
      await tenant.epoch(2);
      expect(await unpublished(tenant.tenantId)).toBe(false);
      await tenant.checkpoint(2, 1, 'k1');
      expect(await unpublished(tenant.tenantId)).toBe(true);
    });
  });
}
