import { newId, type EmbedderId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Embedder } from '../domain/embedder.js';
import type { EmbedderStore } from './embedder.ports.js';

/** The contract of {@link EmbedderStore}. */
export function describeEmbedders(
  name: string,
  opened: () => { readonly world: ContractWorld; readonly embedders: EmbedderStore },
): void {
  describe(`${name}: the embedder of a tenant`, () => {
    const inTx = <T>(work: (tx: Tx, store: EmbedderStore) => Promise<T>): Promise<T> =>
      opened().world.uow.run(opened().world.home.tenantId, (tx) => work(tx, opened().embedders));
    const found = (): Promise<Embedder | null> => inTx((tx, store) => store.find(tx));
    const id = newId<EmbedderId>();
    const save = (path: string, generation = 1, model = 'one'): Promise<void> =>
      inTx(async (tx, store) =>
        store.save(tx, {
          ...{ id, url: `https://models.example.com/${path}`, ca: null, model, dimensions: null, generation },
          ...{ createdBy: opened().world.home.owner.personId, createdAt: await tx.now() },
        }),
      );
    const noted = (error: string | null, generation = 1): Promise<void> =>
      inTx((tx, store) => store.note(tx, { id, generation }, error));
    const token = (): Promise<string | null> => inTx((tx, store) => store.token(tx, id));
    beforeEach(() => inTx((tx, store) => store.remove(tx)));

    it('is none at first, and has no token when it was added', async () => {
      expect(await found()).toBeNull();
      expect(await token()).toBeNull();
      await save('v1');
      expect(await found()).toMatchObject({
        ...{ id, url: 'https://models.example.com/v1', ca: null, model: 'one', dimensions: null, generation: 1 },
        ...{ hasToken: false, answeredAt: null, error: null, errorAt: null },
      });
    });

    it('keeps its token with another model, and loses it with its address', async () => {
      await save('v1');
      await inTx((tx, store) => store.saveToken(tx, id, 'one-token'));
      expect([await token(), (await found())?.hasToken]).toEqual(['one-token', true]);
      await save('v1', 2, 'two');
      expect([await token(), (await found())?.model]).toEqual(['one-token', 'two']);
      await save('v2', 3, 'two');
      expect([await token(), (await found())?.hasToken]).toEqual([null, false]);
    });

    it('loses its token on request', async () => {
      await save('v1');
      await inTx((tx, store) => store.saveToken(tx, id, 'one-token'));
      await inTx((tx, store) => store.saveToken(tx, id, null));
      expect([await token(), (await found())?.hasToken]).toEqual([null, false]);
    });

    it('shows its last error until it gives vectors again, or is of another generation', async () => {
      await save('v1');
      await noted('It answered 503.');
      expect(await found()).toMatchObject({ error: 'It answered 503.', answeredAt: null });
      expect((await found())?.errorAt).not.toBeNull();
      await noted(null);
      expect(await found()).toMatchObject({ error: null, errorAt: null });
      expect((await found())?.answeredAt).not.toBeNull();
      await noted('It answered 503.');
      await save('v1', 2, 'two');
      expect(await found()).toMatchObject({ error: null, errorAt: null, answeredAt: null });
    });

    it('is worked for by one worker at a time, and not before it is due', async () => {
      await save('v1');
      const claimed = (): Promise<Embedder | null> => inTx((tx, store) => store.claim(tx, id, 60_000));
      expect(await claimed()).toMatchObject({ id, generation: 1 });
      expect(await claimed()).toBeNull();
      await inTx((tx, store) => store.lookNow(tx, id));
      expect(await claimed()).not.toBeNull();
      await inTx((tx, store) => store.rest(tx, id, 0));
      expect(await claimed()).not.toBeNull();
    });

    it('counts its failures until it gives a vector', async () => {
      await save('v1');
      const failed = (): Promise<number> => inTx((tx, store) => store.countFailure(tx, id));
      expect([await failed(), await failed()]).toEqual([1, 2]);
      await noted(null);
      expect(await failed()).toBe(1);
    });

    it('has a measure for each generation', async () => {
      await save('v1');
      await inTx((tx, store) => store.saveLeast(tx, { id, generation: 1 }, 0.5));
      expect((await found())?.least).toBe(0.5);
      await save('v1', 2, 'two');
      await inTx((tx, store) => store.saveLeast(tx, { id, generation: 1 }, 0.5));
      expect((await found())?.least).toBeNull();
    });

    it('takes no note about a former generation', async () => {
      await save('v1', 2);
      await noted('It answered 503.', 1);
      expect(await found()).toMatchObject({ generation: 2, error: null });
    });

    it('is another tenant’s never, and is gone when it was removed', async () => {
      await save('v1');
      const { world, embedders } = opened();
      expect(await world.uow.run(world.other.tenantId, (tx) => embedders.find(tx))).toBeNull();
      await inTx((tx, store) => store.remove(tx));
      expect(await found()).toBeNull();
    });
  });
}
