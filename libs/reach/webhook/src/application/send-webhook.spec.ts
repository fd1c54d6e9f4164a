import { newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeAuditSink, FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { FakeDeliveries } from './fake-deliveries.js';
import { FakeEndpoints, FakeEndpointSecrets } from './fake-endpoints.js';
import { SendWebhook } from './send-webhook.js';

/** An endpoint with one delivery that is due. */
async function sending({ enabled = true, secret = true } = {}) {
  const { uow, home } = fakeWorld();
  const [jobs, secrets, audit] = [new FakeJobQueue(uow), new FakeEndpointSecrets(uow), new FakeAuditSink(uow)];
  const endpoints = new FakeEndpoints(uow, secrets);
  const deliveries = new FakeDeliveries(uow, endpoints, jobs);
  const id = newId<WebhookDeliveryId>();
  const endpoint: WebhookEndpoint = {
    ...{ id: newId<WebhookEndpointId>(), url: 'https://hooks.example.com/in', description: '', events: ['run.*'] },
    ...{ ca: null, enabled: true, offReason: null, createdBy: home.owner.personId, createdAt: 0, failingSince: null },
  };
  await uow.run(home.tenantId, async (tx) => {
    await endpoints.save(tx, endpoint);
    if (secret) await secrets.renew(tx, endpoint.id, `whsec_${Buffer.alloc(32).toString('base64')}`, 0);
    await deliveries.write(tx, [{ id, endpointId: endpoint.id, event: 'run.started', body: '{}' }]);
    await endpoints.save(tx, { ...endpoint, enabled });
  });
  const webhook = new SendWebhook(uow, endpoints, secrets, deliveries, jobs, audit);
  return {
    ...{ id, endpointId: endpoint.id },
    test: (to = endpoint.id) => webhook.test(home.admin, to),
    again: (delivery = id) => webhook.again(home.admin, endpoint.id, delivery),
    deliver: () =>
      uow.run(home.tenantId, async (tx) => {
        const claimed = await deliveries.claim(tx, id, 1);
        if (claimed === null) throw new Error('the delivery is due');
        await deliveries.delivered(tx, claimed, { at: 0, status: 204, error: null, answer: null });
      }),
    jobs: () => jobs.of(home),
    actions: () => audit.of(home).map(({ action }) => action),
  };
}

it.each([
  ['switched off', { enabled: false }, 'webhook.off'],
  ['without a secret', { secret: false }, 'webhook.no_secret'],
])('sends nothing to an endpoint that is %s', async (_what, options, code) => {
  const { test, again, jobs, actions } = await sending(options);
  expect(await test()).toMatchObject({ ok: false, error: { code } });
  expect(await again()).toMatchObject({ ok: false, error: { code } });
  expect([jobs(), actions()]).toEqual([[], []]);
});

it('sends nothing to an endpoint, and no delivery, that does not exist', async () => {
  const { test, again } = await sending();
  const refused = { ok: false, error: { code: 'resource.not_found' } };
  expect(await test(newId<WebhookEndpointId>())).toMatchObject(refused);
  expect(await again(newId<WebhookDeliveryId>())).toMatchObject(refused);
});

it('sends a delivery again once it has ended, under the same id', async () => {
  const { id, again, deliver, jobs, actions } = await sending();
  expect(await again()).toMatchObject({ ok: false, error: { code: 'webhook.still_pending' } });
  expect(actions()).toEqual([]);
  await deliver();
  expect(await again()).toMatchObject({ ok: true, value: { id, state: 'pending' } });
  expect(jobs()).toEqual([{ name: 'webhook.deliver', id }]);
  expect(actions()).toEqual(['webhook.resent']);
});
