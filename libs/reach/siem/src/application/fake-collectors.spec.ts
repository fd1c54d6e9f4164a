import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeCollectors } from './collectors.contract.js';
import { FakeCollectors } from './fake-collectors.js';

const { uow, home } = fakeClockedWorld();
const world = { uow, home, other: sampleTenant(), blocked: () => Promise.resolve(), close: () => Promise.resolve() };
const collectors = new FakeCollectors(uow);

describeCollectors('in memory', () => ({ world, collectors }));
