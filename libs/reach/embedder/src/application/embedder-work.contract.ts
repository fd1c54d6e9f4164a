import type { ConnectionStore } from '#lib/connection';
import { newId, type ConnectionId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { EmbedderSettings } from '../domain/embedder.js';
import { MAX_BATCH_SIZE, type EmbedderWork, type KnownEmbedder } from './embedder.ports.js';

/** The contract of {@link EmbedderWork}. */
export function describeEmbedderWork(
  name: string,
  opened: () => {
    readonly world: ContractWorld;
    readonly connections: ConnectionStore<EmbedderSettings>;
    readonly work: EmbedderWork;
  },
): void {
  describe(`${name}: the work for an embedder`, () => {
    const id = newId<ConnectionId>();
    const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened().world.uow.run(opened().world.home.tenantId, work);
    const known = (): Promise<KnownEmbedder | null> => inTx((tx) => opened().work.known(tx));
    const claimed = (): Promise<KnownEmbedder | null> => inTx((tx) => opened().work.claim(tx, id, 60_000));
    const taken = async (): Promise<KnownEmbedder> => {
      const turn = await claimed();
      if (turn === null) throw new Error('it is not due');
      return turn;
    };
    const saveLeast = (generation: number): Promise<void> =>
      inTx((tx) => opened().work.saveLeast(tx, { id, generation }, 0.5));
    const named = (generation: number, model: string): Promise<void> =>
      inTx(async (tx) => {
        const { world, connections, work } = opened();
        await connections.save(tx, {
          ...{ id, generation, createdBy: world.home.owner.personId, createdAt: await tx.now() },
          settings: { url: 'https://models.example.com/v1', ca: null, model, dimensions: null },
        });
        await work.begin(tx, id);
      });
    const removed = (): Promise<void> =>
      inTx(async (tx) => {
        await opened().connections.remove(tx);
        await opened().work.end(tx);
      });
    beforeEach(removed);

    it('is done by one worker at a time, and not before it is due', async () => {
      await named(1, 'one');
      expect(await claimed()).toMatchObject({ id, generation: 1, least: null });
      expect(await claimed()).toBeNull();
      await inTx((tx) => opened().work.retryNow(tx, id));
      const turn = await taken();
      await inTx((tx) => opened().work.rest(tx, turn, 0));
      expect(await claimed()).not.toBeNull();
    });

    it('tells whether the last answer was a failure', async () => {
      await named(1, 'one');
      const noted = async (error: string | null): Promise<boolean | undefined> => {
        await inTx((tx) => opened().connections.note(tx, { id, generation: 1 }, error));
        return (await known())?.isFailing;
      };
      expect((await known())?.isFailing).toBe(false);
      expect([await noted('It answered 503.'), await noted(null)]).toEqual([true, false]);
    });

    it('counts the failed turns in a row', async () => {
      await named(1, 'one');
      const counts: number[] = [];
      const failed = async (forMs: number): Promise<void> => {
        const turn = await taken();
        await inTx((tx) =>
          opened().work.restAfterFailure(tx, turn, (failures) => {
            counts.push(failures);
            return forMs;
          }),
        );
      };
      await failed(0);
      await failed(0);
      const turn = await taken();
      await inTx((tx) => opened().work.rest(tx, turn, 0));
      await failed(60_000);
      expect(await claimed()).toBeNull();
      expect((await known())?.nextAt).toBeGreaterThan(await inTx((tx) => tx.now()));
      await named(2, 'two');
      await failed(0);
      expect(counts).toEqual([1, 2, 1, 1]);
    });

    it('is not put off by a turn that began before another server was named, or before it was tried again', async () => {
      await named(1, 'one');
      const former = await taken();
      await named(2, 'two');
      await inTx((tx) => opened().work.restAfterFailure(tx, former, () => 60_000));
      const later = await taken();
      await inTx((tx) => opened().work.retryNow(tx, id));
      await inTx((tx) => opened().work.rest(tx, later, 60_000));
      expect(await claimed()).not.toBeNull();
    });

    it('has a measure for each generation', async () => {
      await named(1, 'one');
      await saveLeast(1);
      expect(await known()).toMatchObject({ id, generation: 1, least: 0.5 });
      await named(2, 'two');
      await saveLeast(1);
      expect(await known()).toMatchObject({ id, generation: 2, least: null });
    });

    it('has the size of its batches, the most for each generation', async () => {
      await named(1, 'one');
      const saveBatch = (generation: number, batch: number): Promise<void> =>
        inTx((tx) => opened().work.saveBatch(tx, { id, generation }, batch));
      expect(await known()).toMatchObject({ batch: MAX_BATCH_SIZE });
      await saveBatch(1, 4);
      expect(await taken()).toMatchObject({ batch: 4 });
      await named(2, 'two');
      await saveBatch(1, 4);
      expect(await known()).toMatchObject({ batch: MAX_BATCH_SIZE });
    });

    it('is of its tenant alone, and ends with the embedder', async () => {
      await named(1, 'one');
      const { world, work } = opened();
      expect(await world.uow.run(world.other.tenantId, (tx) => work.known(tx))).toBeNull();
      await removed();
      expect([await known(), await claimed()]).toEqual([null, null]);
    });
  });
}
