import { newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeVectorsWanted } from './fake-vectors-wanted.js';
import { describeVectorsWanted } from './vectors-wanted.contract.js';

describeVectorsWanted('FakeVectorsWanted', () => {
  const world = fakeWorld();
  const wanted = new FakeVectorsWanted(world.uow);
  const put = (id: string, text: string): Promise<string> => {
    wanted.put(world.home, { id, text });
    return Promise.resolve(id);
  };
  return Promise.resolve({
    ...{ world, wanted },
    add: (text) => put(newId(), text),
    change: async (id, text) => void (await put(id, text)),
  });
});
