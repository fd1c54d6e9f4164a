import type { Tx } from '#lib/kernel';
import { unitVectorOf } from '../../../../../test/support/local-meanings.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { VectorsWanted, WantedText } from './embedder.ports.js';

export interface OpenVectors {
  readonly world: ContractWorld;
  readonly wanted: VectorsWanted;
  /** Adds a text of the home tenant. @returns its id. */
  add(text: string): Promise<string>;
  /** The text is another one from now on. */
  change(id: string, text: string): Promise<void>;
}

/** The contract of {@link VectorsWanted}. Each test has texts of its own. */
export function describeVectorsWanted(name: string, open: () => Promise<OpenVectors>): void {
  describe(`${name} keeps the contract of VectorsWanted`, () => {
    let opened: OpenVectors;
    let texts: readonly WantedText[];
    beforeEach(async () => {
      opened = await open();
      const [one, two] = ['Replacing expired certificates', 'Draining the broker'];
      // The newest first.
      texts = [
        { id: await opened.add(one), text: one },
        { id: await opened.add(two), text: two },
      ].reverse();
    });
    afterEach(() => opened.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened.world.uow.run(opened.world.home.tenantId, work);
    const without = (generation: number, most = 9) => atHome((tx) => opened.wanted.without(tx, generation, most));
    const count = (generation: number, most = 9) => atHome((tx) => opened.wanted.countWithout(tx, generation, most));
    const keep = (generation: number, given: readonly WantedText[], vector: (text: string) => Float32Array | null) =>
      atHome((tx) =>
        opened.wanted.keep(
          tx,
          generation,
          given,
          given.map(({ text }) => vector(text)),
        ),
      );

    it('has the texts without a vector, the newest first, up to a number, for their tenant alone', async () => {
      expect([await without(1), await without(1, 1)]).toEqual([texts, texts.slice(0, 1)]);
      expect([await count(1), await count(1, 1)]).toEqual([2, 1]);
      const { uow, other } = opened.world;
      expect(await uow.run(other.tenantId, (tx) => opened.wanted.without(tx, 1, 9))).toEqual([]);
      expect(await uow.run(other.tenantId, (tx) => opened.wanted.countWithout(tx, 1, 9))).toBe(0);
    });

    it('keeps vectors, each for its generation', async () => {
      await keep(1, texts.slice(0, 1), unitVectorOf);
      expect([await without(1), await count(1)]).toEqual([texts.slice(1), 1]);
      expect(await count(2)).toBe(2);
      await keep(2, texts, unitVectorOf);
      expect([await count(2), await count(1)]).toEqual([0, 2]);
    });

    it('asks for no vector again if the embedder rejects the text', async () => {
      await keep(1, texts, () => null);
      expect(await without(1)).toEqual([]);
    });

    it('keeps no vector of a text that changed meanwhile, and asks for the new text', async () => {
      const [latest] = texts;
      await opened.change(latest?.id ?? '', 'Restarting the servers');
      await keep(1, texts, unitVectorOf);
      expect(await without(1)).toEqual([{ id: latest?.id, text: 'Restarting the servers' }]);
    });
  });
}
