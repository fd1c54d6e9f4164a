import { newId, type WebhookDeliveryId, type WebhookEndpointId } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { FAILING_MS, type OffReason, type WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { DeliverWebhook, type DeliverWebhookParts } from './deliver-webhook.js';
import type { WebhookDelivery } from './webhook.ports.js';

const LAST_ATTEMPT = 8;

/** One delivery to one endpoint, whose address may change while the message is under way. */
function delivering(answer: {
  readonly status: number;
  readonly attempts?: number;
  readonly failingFor?: number;
  readonly movedTo?: string;
  readonly event?: string;
}) {
  const { uow, home } = fakeClockedWorld();
  const { status, attempts = 1, failingFor = null, movedTo, event = 'run.started' } = answer;
  const id = newId<WebhookEndpointId>();
  let endpoint: WebhookEndpoint = {
    ...{ id, url: 'https://hooks.example.com/in', description: '', events: ['run.*'], ca: null, enabled: true },
    ...{ offReason: null, failingSince: failingFor === null ? null : uow.now - failingFor },
    ...{ createdBy: home.owner.personId, createdAt: 0 },
  };
  const delivery: WebhookDelivery = {
    ...{ id: newId<WebhookDeliveryId>(), endpointId: id, event, body: '{}', state: 'pending', attempts },
    ...{ tries: [], createdAt: 0, nextAttemptAt: 0 },
  };
  const settled: string[] = [];
  let sent = 0;
  const settle = (as: string) => (): Promise<void> => {
    settled.push(as);
    return Promise.resolve();
  };
  const notUsed = (): never => {
    throw new Error('a delivery does not do this');
  };
  const parts: DeliverWebhookParts = {
    endpoints: {
      ...{ save: notUsed, remove: notUsed, told: notUsed },
      all: () => Promise.resolve([endpoint]),
      find: () => Promise.resolve(endpoint),
      lockForChange: () => Promise.resolve(),
      note: (_tx, _id, succeeded) => {
        endpoint = { ...endpoint, failingSince: succeeded ? null : (endpoint.failingSince ?? uow.now) };
        return Promise.resolve(endpoint.failingSince);
      },
      switchOff: (_tx, _id, offReason: OffReason) => {
        endpoint = { ...endpoint, enabled: false, offReason };
        return Promise.resolve(true);
      },
    },
    secrets: {
      ...{ renew: notUsed, seen: notUsed, holders: notUsed },
      valid: () => Promise.resolve([`whsec_${Buffer.alloc(32).toString('base64')}`]),
    },
    deliveries: {
      ...{ write: notUsed, find: notUsed, list: notUsed, resend: notUsed },
      claim: () => Promise.resolve(delivery),
      delivered: settle('delivered'),
      wakeNext: settle('woken'),
      later: settle('later'),
      failed: settle('failed'),
    },
    receiver: {
      send: () => {
        sent += 1;
        if (movedTo !== undefined) endpoint = { ...endpoint, url: movedTo };
        return Promise.resolve({ status, body: '' });
      },
    },
    following: { begin: () => Promise.resolve(), end: () => Promise.resolve() },
    outbox: new FakeOutbox(uow),
    audit: new FakeAuditSink(uow),
  };
  return {
    run: () => new DeliverWebhook(uow, parts).execute(home.tenantId, delivery.id),
    settled,
    sent: () => sent,
    endpoint: () => endpoint,
  };
}

describe('an attempt of a delivery', () => {
  it.each([
    ['delivered', { status: 204 }],
    ['later', { status: 500 }],
    ['failed', { status: 500, attempts: LAST_ATTEMPT }],
    ['failed', { status: 410 }],
  ] as const)('is %s after %j', async (state, answer) => {
    const delivery = delivering(answer);
    await delivery.run();
    expect(delivery.settled[0]).toBe(state);
    // Only a receiver that takes events gets the next one at once.
    expect(delivery.settled.slice(1)).toEqual(state === 'delivered' ? ['woken'] : []);
  });

  it('switches its endpoint off by 410', async () => {
    const delivery = delivering({ status: 410 });
    await delivery.run();
    expect(delivery.endpoint()).toMatchObject({ enabled: false, offReason: 'gone' });
  });

  it('switches it off after three days of failures, once a delivery used all its attempts', async () => {
    for (const [attempts, failingFor, enabled] of [
      [1, FAILING_MS, true],
      [LAST_ATTEMPT, FAILING_MS - 1, true],
      [LAST_ATTEMPT, FAILING_MS, false],
    ] as const) {
      const delivery = delivering({ status: 500, attempts, failingFor });
      await delivery.run();
      expect(delivery.endpoint().enabled).toBe(enabled);
    }
  });

  it('is not made for an event that its endpoint gets no more', async () => {
    const delivery = delivering({ status: 204, event: 'plan.validated' });
    await delivery.run();
    expect(delivery.settled).toEqual(['failed', 'woken']);
    expect([delivery.sent(), delivery.endpoint().failingSince]).toEqual([0, null]);
    const test = delivering({ status: 204, event: 'tool.test' });
    await test.run();
    expect([test.sent(), test.settled[0]]).toEqual([1, 'delivered']);
  });

  it('says nothing of an endpoint that has another address meanwhile', async () => {
    const movedTo = 'https://hooks.example.com/new';
    const gone = delivering({ status: 410, movedTo });
    await gone.run();
    expect(gone.settled).toEqual(['later']);
    expect(gone.endpoint()).toMatchObject({ enabled: true, failingSince: null });
    const taken = delivering({ status: 204, movedTo, failingFor: 5_000 });
    await taken.run();
    expect(taken.settled).toEqual(['delivered', 'woken']);
    expect(taken.endpoint().failingSince).not.toBeNull();
  });
});
