import { newId, type AuditEntryId } from '#lib/kernel';
import type { LogFollowerId } from '../domain/ids.js';
import { tenantOf, type AuditStore } from './audit-store.contract.js';
import type { LogStretch } from './log-followers.port.js';

const idsOf = ({ events }: LogStretch): AuditEntryId[] => events.map(({ id }) => id);

/** The contract of {@link LogFollowers}. */
export function describeLogFollowers(name: string, store: () => AuditStore): void {
  describe(`${name}: followers of the log`, () => {
    /** A tenant whose tree has some leaves, and the size that the sequencer notes with more of them. */
    const grownTenant = () => {
      const tenant = tenantOf(store());
      const { followers } = store();
      let size = 0;
      return {
        ...tenant,
        grow: async (count: number, epoch = 1) => {
          const ids = await tenant.recorded(count);
          await tenant.appended(epoch, size, await tenant.pending(count));
          size += count;
          await tenant.inTx((tx) => followers.grown(tx, { epoch, size }));
          return ids;
        },
        newTree: async (epoch: number) => {
          await tenant.epoch(epoch);
          size = 0;
        },
        begin: (follower = 'webhook') => tenant.inTx((tx) => followers.begin(tx, follower)),
        due: () => store().due(tenant.tenantId),
        at: (id: LogFollowerId) => tenant.inTx((tx) => followers.take(tx, id)),
      };
    };
    const only = async (tenant: ReturnType<typeof grownTenant>): Promise<LogFollowerId> => {
      const [id] = await tenant.due();
      if (id === undefined) throw new Error('no follower is due');
      return id;
    };

    it('begin at the end of the tree, once, and are due from the next leaf on', async () => {
      const tenant = grownTenant();
      await tenant.epoch(1);
      await tenant.grow(2);
      await tenant.begin();
      expect(await tenant.due()).toEqual([]);
      await tenant.grow(1);
      await tenant.begin();
      const id = await only(tenant);
      expect(await tenant.at(id)).toMatchObject({ id, name: 'webhook', position: { epoch: 1, index: 2 }, atOnce: 100 });
    });

    it('begin before the first tree', async () => {
      const tenant = grownTenant();
      await tenant.begin();
      await tenant.epoch(1);
      await tenant.grow(1);
      expect(await tenant.at(await only(tenant))).toMatchObject({ position: { epoch: 1, index: 0 } });
    });

    it('read entries with their facts in the order of the trees, over epochs, as many as asked for', async () => {
      const tenant = grownTenant();
      await tenant.begin();
      await tenant.epoch(1);
      const first = await tenant.grow(2);
      await tenant.newTree(2);
      const second = await tenant.grow(2, 2);
      const { followers } = store();
      const part = await tenant.inTx((tx) => followers.after(tx, { epoch: 1, index: 1 }, { entries: 2, bytes: 9_999 }));
      expect(idsOf(part)).toEqual([first[1], second[0]]);
      expect(part).toMatchObject({ end: { epoch: 2, index: 1 }, more: true });
      expect(part.events[0]).toMatchObject({ action: 'thing.done', within: [], payload: expect.anything() as unknown });
      const rest = await tenant.inTx((tx) => followers.after(tx, part.end, { entries: 10, bytes: 9_999 }));
      expect(idsOf(rest)).toEqual([second[1]]);
      expect(rest.more).toBe(false);
      const none = await tenant.inTx((tx) => followers.after(tx, rest.end, { entries: 10, bytes: 9_999 }));
      expect(none).toEqual({ events: [], end: rest.end, more: false });
      const short = await tenant.inTx((tx) => followers.after(tx, { epoch: 1, index: 0 }, { entries: 10, bytes: 1 }));
      expect(idsOf(short)).toEqual([first[0]]);
      expect(short).toMatchObject({ end: { epoch: 1, index: 1 }, more: true });
    });

    it('are due until their position is the end, and not before their time', async () => {
      const tenant = grownTenant();
      await tenant.begin();
      await tenant.epoch(1);
      await tenant.grow(3);
      const { followers } = store();
      const id = await only(tenant);
      await tenant.inTx((tx) => followers.move(tx, id, { epoch: 1, index: 2 }, 7));
      expect(await tenant.at(id)).toMatchObject({ atOnce: 7 });
      expect(await tenant.due()).toEqual([id]);
      await tenant.inTx(async (tx) => followers.postpone(tx, id, (await tx.now()) + 60_000));
      expect(await tenant.due()).toEqual([]);
      expect((await tenant.at(id))?.notBefore).toBeGreaterThan(await tenant.inTx((tx) => tx.now()));
      await tenant.inTx(async (tx) => followers.postpone(tx, id, (await tx.now()) - 1));
      expect(await tenant.due()).toEqual([id]);
      await tenant.inTx((tx) => followers.move(tx, id, { epoch: 1, index: 3 }, 7));
      expect(await tenant.due()).toEqual([]);
    });

    it('take one entry after a failure, and count failures until a success', async () => {
      const tenant = grownTenant();
      await tenant.begin();
      await tenant.epoch(1);
      await tenant.grow(2);
      const { followers } = store();
      const id = await only(tenant);
      expect(await tenant.inTx((tx) => followers.failed(tx, id))).toBe(1);
      expect(await tenant.inTx((tx) => followers.failed(tx, id))).toBe(2);
      expect(await tenant.at(id)).toMatchObject({ atOnce: 1 });
      await tenant.inTx((tx) => followers.move(tx, id, { epoch: 1, index: 1 }, 2));
      expect(await tenant.inTx((tx) => followers.failed(tx, id))).toBe(1);
    });

    it('export from the first entry on, are looked for by a loop alone, and keep their position', async () => {
      const tenant = grownTenant();
      await tenant.epoch(1);
      await tenant.grow(2);
      const { followers, backlog } = store();
      const exported = async (): Promise<boolean> => (await backlog.unexported('file')).includes(tenant.tenantId);
      const begin = () => tenant.inTx((tx) => followers.beginExport(tx, 'file'));
      const id = await begin();
      expect(await begin()).toBe(id);
      expect(await tenant.at(id)).toMatchObject({ position: { epoch: 1, index: 0 } });
      expect(await exported()).toBe(true);
      await tenant.inTx(async (tx) => followers.postpone(tx, id, (await tx.now()) + 60_000));
      expect(await exported()).toBe(false);
      await tenant.inTx(async (tx) => followers.postpone(tx, id, (await tx.now()) - 1));
      await tenant.inTx((tx) => followers.move(tx, id, { epoch: 1, index: 2 }, 100));
      expect(await exported()).toBe(false);
      await tenant.grow(1);
      expect(await exported()).toBe(true);
      expect(await tenant.due()).toEqual([]);
    });

    it('end, and are another tenant’s never', async () => {
      const tenant = grownTenant();
      await tenant.begin();
      await tenant.begin('automation');
      await tenant.epoch(1);
      await tenant.grow(1);
      const { followers } = store();
      expect(await tenant.due()).toHaveLength(2);
      await tenant.inTx((tx) => followers.end(tx, 'webhook'));
      const id = await only(tenant);
      expect(await tenant.at(id)).toMatchObject({ name: 'automation' });
      expect(await tenantOf(store()).inTx((tx) => followers.take(tx, id))).toBeNull();
      expect(await tenant.at(newId<LogFollowerId>())).toBeNull();
    });
  });
}
