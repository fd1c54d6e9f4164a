import { FakeConnections } from '../../../connection/src/application/fake-connections.js';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { EmbedderSettings } from '../domain/embedder.js';
import { describeEmbedderWork } from './embedder-work.contract.js';
import { FakeEmbedderWork } from './fake-embedder-work.js';

const { uow, home } = fakeClockedWorld();
const world = { uow, home, other: sampleTenant(), blocked: () => Promise.resolve(), close: () => Promise.resolve() };
const connections = new FakeConnections<EmbedderSettings>(uow);
const work = new FakeEmbedderWork(uow, connections);

describeEmbedderWork('in memory', () => ({ world, connections, work }));
