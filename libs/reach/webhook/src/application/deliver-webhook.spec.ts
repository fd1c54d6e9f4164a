import type { ReceiverRequest } from '#lib/connection';
import { newId } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink, FakeJobQueue, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import { FAILING_MS, type WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { DeliverWebhook } from './deliver-webhook.js';
import { FakeDeliveries } from './fake-deliveries.js';
import { FakeEndpoints, FakeEndpointSecrets } from './fake-endpoints.js';

const LAST_ATTEMPT = 8;
const TRIED = { at: 0, status: 500, error: null, answer: null };

/** Two deliveries to one endpoint. Its address may change while the first is under way. */
async function delivering(answer: {
  readonly status: number | null;
  readonly attempts?: number;
  readonly failingFor?: number;
  readonly movedTo?: string;
  readonly event?: string;
}) {
  const { uow, home, pass } = fakeClockedWorld();
  const { status, attempts = 1, failingFor = null, movedTo, event = 'run.started' } = answer;
  const jobs = new FakeJobQueue(uow);
  const secrets = new FakeEndpointSecrets(uow);
  const endpoints = new FakeEndpoints(uow, secrets);
  const deliveries = new FakeDeliveries(uow, endpoints, jobs);
  const [id, next] = [newId<WebhookDeliveryId>(), newId<WebhookDeliveryId>()];
  const endpoint: WebhookEndpoint = {
    ...{ id: newId<WebhookEndpointId>(), url: 'https://hooks.example.com/in', description: '', events: ['run.*'] },
    ...{ ca: null, enabled: true, offReason: null, createdBy: home.owner.personId, createdAt: 0 },
    failingSince: failingFor === null ? null : uow.now - failingFor,
  };
  await uow.run(home.tenantId, async (tx) => {
    await endpoints.save(tx, endpoint);
    await secrets.renew(tx, endpoint.id, `whsec_${Buffer.alloc(32).toString('base64')}`, 0);
    await deliveries.write(tx, [{ id, endpointId: endpoint.id, event, body: '{}' }]);
    for (let tried = 1; tried < attempts; tried += 1) {
      const claimed = await deliveries.claim(tx, id, 1);
      if (claimed !== null) await deliveries.later(tx, claimed, TRIED, 0);
    }
    await deliveries.write(tx, [{ id: next, endpointId: endpoint.id, event, body: '{}' }]);
  });
  const sent: ReceiverRequest[] = [];
  const outbox = new FakeOutbox(uow);
  const parts = {
    ...{ endpoints, secrets, deliveries, outbox, audit: new FakeAuditSink(uow) },
    receiver: {
      send: async (_tenant: unknown, message: ReceiverRequest) => {
        sent.push(message);
        if (movedTo !== undefined)
          await uow.run(home.tenantId, (tx) => endpoints.save(tx, { ...endpoint, url: movedTo }));
        if (status === null) throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
        return { status, body: 'said' };
      },
    },
    following: { begin: () => Promise.resolve(), end: () => Promise.resolve() },
  };
  const note = jest.spyOn(endpoints, 'note');
  const read = () => uow.run(home.tenantId, (tx) => deliveries.find(tx, endpoint.id, id));
  return {
    ...{ sent, id, pass, note },
    run: () => new DeliverWebhook(uow, parts).execute(home.tenantId, id),
    delivery: read,
    state: async () => (await read())?.state,
    woken: () => jobs.of(home).map((job) => job.id === next),
    endpoint: () => uow.run(home.tenantId, (tx) => endpoints.find(tx, endpoint.id)),
    told: () => outbox.of(home).map(({ topic }) => topic),
  };
}

describe('an attempt of a delivery', () => {
  it.each([
    ['delivered', { status: 204 }],
    ['pending', { status: 500 }],
    ['pending', { status: 302 }],
    ['pending', { status: null }],
    ['failed', { status: 500, attempts: LAST_ATTEMPT }],
    ['failed', { status: 410 }],
  ] as const)('leaves it %s after %j', async (state, answer) => {
    const made = await delivering(answer);
    await made.run();
    expect(await made.state()).toBe(state);
    expect((await made.delivery())?.tries.at(-1)).toMatchObject({ status: answer.status });
    // Only a receiver that takes events gets the next one at once.
    expect(made.woken()).toEqual(state === 'delivered' ? [true] : []);
  });

  it('is under the same id each time, with a signature of its own', async () => {
    const made = await delivering({ status: 500 });
    await made.run();
    await made.run();
    expect(made.sent).toHaveLength(1);
    await made.pass(3_600_000);
    await made.run();
    const [first, second] = made.sent.map(({ headers }) => headers);
    expect([first?.['webhook-id'], second?.['webhook-id']]).toEqual([made.id, made.id]);
    expect(first?.['webhook-signature']).not.toBe(second?.['webhook-signature']);
  });

  it('tells why there was no answer', async () => {
    const made = await delivering({ status: null });
    await made.run();
    expect((await made.delivery())?.tries).toMatchObject([{ status: null, error: 'connect ECONNREFUSED' }]);
  });

  it.each([
    ['delivered', { status: 204 }, ['delivered', 1]],
    ['pending', { status: 410 }, ['failed', 2]],
    ['failed', { status: 500, attempts: LAST_ATTEMPT }, ['failed', 1]],
  ] as const)('leaves it %s after %j, without its lease, if its record fails', async (state, answer, [after, sent]) => {
    const made = await delivering(answer);
    made.note.mockRejectedValueOnce(new Error('took too long'));
    await expect(made.run()).rejects.toThrow('took too long');
    expect(await made.state()).toBe(state);
    expect((await made.delivery())?.tries.at(-1)).toMatchObject({ status: answer.status });
    expect(await made.endpoint()).toMatchObject({ enabled: true, failingSince: null });
    await made.pass(5_500);
    await made.run();
    expect([await made.state(), made.sent.length]).toEqual([after, sent]);
  });

  it('switches its endpoint off by 410, and tells its owner', async () => {
    const made = await delivering({ status: 410 });
    await made.run();
    expect(await made.endpoint()).toMatchObject({ enabled: false, offReason: 'gone' });
    expect(made.told()).toEqual(['webhook.switched_off']);
  });

  it('switches it off after three days of failures, once a delivery used all its attempts', async () => {
    for (const [attempts, failingFor, enabled] of [
      [1, FAILING_MS, true],
      [LAST_ATTEMPT, FAILING_MS - 1, true],
      [LAST_ATTEMPT, FAILING_MS, false],
    ] as const) {
      const made = await delivering({ status: 500, attempts, failingFor });
      await made.run();
      expect((await made.endpoint())?.enabled).toBe(enabled);
    }
  });

  it('is not sent if its endpoint no longer subscribes to the event', async () => {
    const made = await delivering({ status: 204, event: 'plan.validated' });
    await made.run();
    expect([await made.state(), made.woken(), made.sent.length]).toEqual(['failed', [true], 0]);
    expect((await made.endpoint())?.failingSince).toBeNull();
    const test = await delivering({ status: 204, event: 'tool.test' });
    await test.run();
    expect([test.sent.length, await test.state()]).toEqual([1, 'delivered']);
  });

  it('says nothing of an endpoint that has another address meanwhile', async () => {
    const movedTo = 'https://hooks.example.com/new';
    const gone = await delivering({ status: 410, movedTo });
    await gone.run();
    expect(await gone.state()).toBe('pending');
    expect(await gone.endpoint()).toMatchObject({ url: movedTo, enabled: true, failingSince: null });
    const taken = await delivering({ status: 204, movedTo, failingFor: 5_000 });
    await taken.run();
    expect(await taken.state()).toBe('delivered');
    expect((await taken.endpoint())?.failingSince).not.toBeNull();
  });
});
