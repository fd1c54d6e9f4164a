import { checkpointOf, tenantOf, type AuditStore } from './audit-store.contract.js';
import type { SignedCheckpoint } from './audit.ports.js';

/** The contract of {@link CheckpointStore}. */
export function describeCheckpoints(name: string, store: () => AuditStore): void {
  describe(`${name}: checkpoints`, () => {
    const kept = async () => {
      const tenant = tenantOf(store());
      await tenant.key('k1');
      for (const epoch of [1, 2]) await tenant.epoch(epoch);
      for (const treeSize of [8, 3]) await tenant.checkpoint(1, treeSize, 'k1');
      const { inTx } = tenant;
      return {
        ...tenant,
        latest: (epoch?: number) => inTx((tx) => store().checkpoints.latest(tx, epoch)),
        published: (epoch: number) => inTx((tx) => store().checkpoints.latestPublished(tx, epoch)),
        publish: (treeSize: number, elsewhere: boolean, at: number) =>
          inTx((tx) => store().checkpoints.markPublished(tx, { epoch: 1, treeSize, elsewhere }, at)),
      };
    };
    const shown = (found: SignedCheckpoint | null) => found && { ...found, rootHash: Buffer.from(found.rootHash) };

    it('are found whole: the largest of an epoch, and that of a size', async () => {
      const { latest, inTx } = await kept();
      const unpublished = { publishedAt: null, publishedElsewhere: false };
      expect(shown(await latest(1))).toEqual({ ...checkpointOf(1, 8, 'k1'), ...unpublished });
      const ofSize = (epoch: number, size: number) => inTx((tx) => store().checkpoints.ofSize(tx, epoch, size));
      expect(shown(await ofSize(1, 3))).toEqual({ ...checkpointOf(1, 3, 'k1'), ...unpublished });
      expect([await ofSize(1, 4), await ofSize(2, 3), await latest(2), await latest(3)]).toEqual([
        null,
        null,
        null,
        null,
      ]);
    });

    it('are those of the current epoch if none is named', async () => {
      const { latest, checkpoint } = await kept();
      expect(await latest()).toBeNull();
      await checkpoint(2, 1, 'k1');
      expect(await latest()).toMatchObject({ epoch: 2, treeSize: 1 });
    });

    it('tell when and where they were published first', async () => {
      const { latest, publish, published } = await kept();
      expect(await published(1)).toBeNull();
      await publish(3, false, 9_000);
      expect(await published(1)).toMatchObject({ treeSize: 3, publishedAt: 9_000, publishedElsewhere: false });
      await publish(8, true, 10_000);
      await publish(8, false, 11_000);
      const largest = { treeSize: 8, publishedAt: 10_000, publishedElsewhere: true };
      expect(await published(1)).toMatchObject(largest);
      expect(await latest(1)).toMatchObject(largest);
      expect(await published(2)).toBeNull();
    });

    it('are of a tree that began, signed with a known key, and published only if they are there (23503)', async () => {
      const { checkpoint, publish } = await kept();
      await expect(checkpoint(3, 1, 'k1')).rejects.toMatchObject({ code: '23503' });
      await expect(checkpoint(2, 1, 'k2')).rejects.toMatchObject({ code: '23503' });
      await expect(publish(4, true, 9_000)).rejects.toMatchObject({ code: '23503' });
    });

    it('are one of a size (23505)', async () => {
      const { checkpoint } = await kept();
      await expect(checkpoint(1, 3, 'k1')).rejects.toMatchObject({ code: '23505' });
    });

    it('T19: are shown to their own tenant alone', async () => {
      await kept();
      const { inTx } = tenantOf(store());
      expect(await inTx((tx) => store().checkpoints.latest(tx, 1))).toBeNull();
      expect(await inTx((tx) => store().checkpoints.ofSize(tx, 1, 8))).toBeNull();
    });
  });
}
