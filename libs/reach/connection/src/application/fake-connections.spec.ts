import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeConnections } from './connections.contract.js';
import { FakeConnections } from './fake-connections.js';

const { uow, home } = fakeClockedWorld();
const world = { uow, home, other: sampleTenant(), blocked: () => Promise.resolve(), close: () => Promise.resolve() };
const connections = new FakeConnections<{ url: string; ca: string | null; own: number }>(uow);

describeConnections(
  'in memory',
  (url, ca) => ({ url, ca, own: 1 }),
  () => ({ world, connections }),
);
