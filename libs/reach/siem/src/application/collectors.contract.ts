import { newId, type SiemCollectorId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Collector } from '../domain/collector.js';
import type { CollectorStore } from './siem.ports.js';

/** The contract of {@link CollectorStore}. */
export function describeCollectors(
  name: string,
  opened: () => { readonly world: ContractWorld; readonly collectors: CollectorStore },
): void {
  describe(`${name}: the collector of a tenant`, () => {
    const inTx = <T>(work: (tx: Tx, store: CollectorStore) => Promise<T>): Promise<T> =>
      opened().world.uow.run(opened().world.home.tenantId, (tx) => work(tx, opened().collectors));
    const found = (): Promise<Collector | null> => inTx((tx, store) => store.find(tx));
    const id = newId<SiemCollectorId>();
    const save = (url: string, ca: string | null = null): Promise<void> =>
      inTx(async (tx, store) =>
        store.save(tx, { id, url, ca, createdBy: opened().world.home.owner.personId, createdAt: await tx.now() }),
      );
    const noted = (error: string | null, of?: Collector): Promise<void> =>
      inTx(async (tx, store) => {
        const collector = of ?? (await store.find(tx));
        if (collector !== null) await store.note(tx, collector, error);
      });
    const token = (): Promise<string | null> => inTx((tx, store) => store.token(tx, id));
    beforeEach(() => inTx((tx, store) => store.remove(tx)));

    it('is none at first, and has no token when it was added', async () => {
      expect(await found()).toBeNull();
      expect(await token()).toBeNull();
      await save('https://siem.example.com/one');
      expect(await found()).toMatchObject({
        ...{ id, url: 'https://siem.example.com/one', ca: null, hasToken: false, sentAt: null, error: null },
        createdBy: opened().world.home.owner.personId,
      });
    });

    it('keeps its token at the same address alone', async () => {
      await save('https://siem.example.com/one');
      await inTx((tx, store) => store.saveToken(tx, id, 'one-token'));
      expect([await token(), (await found())?.hasToken]).toEqual(['one-token', true]);
      await save('https://siem.example.com/one', 'other authority');
      expect(await token()).toBe('one-token');
      await save('https://siem.example.com/two');
      expect([await token(), (await found())?.hasToken]).toEqual([null, false]);
    });

    it('loses its token on request', async () => {
      await save('https://siem.example.com/one');
      await inTx((tx, store) => store.saveToken(tx, id, 'one-token'));
      await inTx((tx, store) => store.saveToken(tx, id, null));
      expect([await token(), (await found())?.hasToken]).toEqual([null, false]);
    });

    it('shows its last error until it takes lines again', async () => {
      await save('https://siem.example.com/one');
      await noted('It answered 503.');
      expect(await found()).toMatchObject({ error: 'It answered 503.', sentAt: null });
      expect((await found())?.errorAt).not.toBeNull();
      await noted(null);
      expect(await found()).toMatchObject({ error: null, errorAt: null });
      expect((await found())?.sentAt).not.toBeNull();
    });

    it('takes no note about a former address', async () => {
      await save('https://siem.example.com/one');
      const former = await found();
      await save('https://siem.example.com/two');
      await noted('It answered 503.', former ?? undefined);
      expect(await found()).toMatchObject({ url: 'https://siem.example.com/two', error: null });
    });

    it('is another tenant’s never, and is gone when it was removed', async () => {
      await save('https://siem.example.com/one');
      const { world, collectors } = opened();
      expect(await world.uow.run(world.other.tenantId, (tx) => collectors.find(tx))).toBeNull();
      await inTx((tx, store) => store.remove(tx));
      expect(await found()).toBeNull();
    });
  });
}
