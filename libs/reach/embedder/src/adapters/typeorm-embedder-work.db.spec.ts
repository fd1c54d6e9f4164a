import { createConnectionStore } from '#lib/connection';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeEmbedderWork } from '../application/embedder-work.contract.js';
import { EMBEDDER } from '../domain/embedder.js';
import { embedderEntity } from './embedder.entity.js';
import { TypeormEmbedderWork } from './typeorm-embedder-work.js';

const { wrapping } = testKeys();
const [connections, work] = [createConnectionStore(EMBEDDER, embedderEntity, wrapping), new TypeormEmbedderWork()];

let opened: Awaited<ReturnType<typeof postgresWorld>> | null = null;
const world = () => {
  if (opened === null) throw new Error('the world is not open');
  return opened;
};
beforeAll(async () => {
  opened = await postgresWorld();
});
afterAll(() => world().close());

describeEmbedderWork('in PostgreSQL', () => ({ world: world(), connections, work }));
