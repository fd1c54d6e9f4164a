import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeEmbedders } from './embedders.contract.js';
import { FakeEmbedders } from './fake-embedders.js';

const { uow, home } = fakeClockedWorld();
const world = { uow, home, other: sampleTenant(), blocked: () => Promise.resolve(), close: () => Promise.resolve() };
const embedders = new FakeEmbedders(uow);

describeEmbedders('in memory', () => ({ world, embedders }));
