import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeMcpLooks } from './fake-mcp-looks.js';
import { describeMcpLooks } from './mcp-looks.contract.js';

describeMcpLooks('FakeMcpLooks', () => {
  const world = fakeWorld();
  const looks = new FakeMcpLooks(world.uow);
  const added = (server: Parameters<FakeMcpLooks['add']>[1]): Promise<void> =>
    world.uow.run(world.home.tenantId, (tx) => {
      looks.add(tx, server);
      return Promise.resolve();
    });
  return Promise.resolve({ world, looks, added });
});
