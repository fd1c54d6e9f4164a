import { tenantOf, type AuditStore } from './audit-store.contract.js';

const HOUR = 3_600_000;

/** The contract of {@link LogProgress}. */
export function describeLogProgress(name: string, store: () => AuditStore): void {
  describe(`${name}: the progress of a follower of the log`, () => {
    /** A tenant whose follower `reader` begins before the first entry. */
    const reading = async () => {
      const tenant = tenantOf(store());
      const { inTx } = tenant;
      const { followers, progress } = store();
      const id = await inTx((tx) => followers.beginExport(tx, 'reader'));
      return {
        read: (follower = 'reader') => inTx((tx) => progress.of(tx, follower)),
        retryNow: (follower: string) => inTx((tx) => progress.retryNow(tx, follower)),
        grow: (epoch: number, size: number) => inTx((tx) => followers.grown(tx, { epoch, size })),
        move: (epoch: number, index: number) => inTx((tx) => followers.move(tx, id, { epoch, index }, 100)),
        failed: (until: number) =>
          inTx(async (tx) => {
            await followers.failed(tx, id);
            await followers.postpone(tx, id, until);
          }),
        now: () => inTx((tx) => tx.now()),
      };
    };

    it('is null if there is no such follower, also if another tenant has one', async () => {
      await reading();
      const { read } = await reading();
      expect(await read('another')).toBeNull();
      const { inTx } = tenantOf(store());
      expect(await inTx((tx) => store().progress.of(tx, 'reader'))).toBeNull();
    });

    it('counts the entries before it, and says since when there are some', async () => {
      const { read, grow, move, now } = await reading();
      expect(await read()).toEqual({ entriesBehind: 0, behindSince: null, failures: 0, retryAt: null });
      const before = await now();
      await grow(1, 5);
      const after = await now();
      const { behindSince, ...counted } = (await read()) ?? {};
      expect(counted).toEqual({ entriesBehind: 5, failures: 0, retryAt: null });
      expect(behindSince).toBeGreaterThanOrEqual(before);
      expect(behindSince).toBeLessThanOrEqual(after);
      await move(1, 2);
      expect(await read()).toMatchObject({ entriesBehind: 3, behindSince });
      await grow(1, 6);
      expect(await read()).toMatchObject({ entriesBehind: 4, behindSince });
      await move(1, 6);
      expect(await read()).toMatchObject({ entriesBehind: 0, behindSince: null });
    });

    it('counts the entries of the newest tree alone', async () => {
      const { read, grow, move } = await reading();
      await grow(1, 5);
      await move(1, 2);
      await grow(2, 4);
      expect(await read()).toMatchObject({ entriesBehind: 4 });
    });

    it('says when a failed turn is tried again, until one succeeds', async () => {
      const { read, failed, move, now } = await reading();
      const later = (await now()) + HOUR;
      await failed(later);
      await failed(later);
      expect(await read()).toMatchObject({ failures: 2, retryAt: later });
      await move(1, 1);
      expect(await read()).toMatchObject({ failures: 0, retryAt: null });
    });

    it('has a failed turn tried again at once, of the named follower alone', async () => {
      const { read, failed, retryNow, now } = await reading();
      const later = (await now()) + HOUR;
      await failed(later);
      await retryNow('another');
      expect(await read()).toMatchObject({ failures: 1, retryAt: later });
      await retryNow('reader');
      const { failures, retryAt } = (await read()) ?? {};
      expect(failures).toBe(1);
      expect(retryAt).toBeLessThanOrEqual(await now());
    });
  });
}
