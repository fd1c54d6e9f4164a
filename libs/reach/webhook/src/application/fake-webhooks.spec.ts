import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeDeliveries } from './fake-deliveries.js';
import { FakeEndpoints, FakeEndpointSecrets } from './fake-endpoints.js';
import { describeWebhookStores } from './webhook-stores.contract.js';

const { uow, home } = fakeClockedWorld();
const world = { uow, home, other: sampleTenant(), blocked: () => Promise.resolve(), close: () => Promise.resolve() };
const secrets = new FakeEndpointSecrets(uow);
const endpoints = new FakeEndpoints(uow, secrets);
const deliveries = new FakeDeliveries(uow, endpoints, new FakeJobQueue(uow));

describeWebhookStores('in memory', () => ({ world, endpoints, secrets, deliveries }));
