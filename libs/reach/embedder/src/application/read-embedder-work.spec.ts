import { newId, type ConnectionId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { KnownEmbedder, VectorsWanted } from './embedder.ports.js';
import { ReadEmbedderWork } from './read-embedder-work.js';

const KNOWN: KnownEmbedder = {
  id: newId<ConnectionId>(),
  generation: 7,
  least: null,
  isFailing: false,
  batch: 16,
  nextAt: 5,
};

describe('the count of texts without a vector', () => {
  const read = (missing: number, embedder: KnownEmbedder | null) => {
    const { uow, home } = fakeWorld();
    const wanted: Pick<VectorsWanted, 'countWithout'> = {
      countWithout: (_tx, generation, most) => Promise.resolve(generation === 7 ? Math.min(missing, most) : 0),
    };
    return new ReadEmbedderWork(uow, { known: () => Promise.resolve(embedder) }, wanted).execute(home.tenantId);
  };

  it('counts the texts without a vector of the generation, and stops beyond a thousand', async () => {
    expect(await read(12, KNOWN)).toEqual({ waiting: 12, nextAt: 5 });
    expect(await read(50_000, KNOWN)).toEqual({ waiting: 1_001, nextAt: 5 });
  });

  it('knows no work without an embedder', async () => {
    expect(await read(12, null)).toBeNull();
  });
});
