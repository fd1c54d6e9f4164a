import type { MayConnect } from '#lib/connection';
import type { WebhookSubscription } from '#lib/formats';
import type { LogFollowing, PersonPrincipal } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink, FakeJobQueue, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import type { WebhookEndpointId } from '../domain/ids.js';
import { endpointRevision, type EndpointSettings } from '../domain/webhook-endpoint.js';
import { createWebhooks } from '../create-webhooks.js';
import { FakeDeliveries } from './fake-deliveries.js';
import { FakeEndpoints, FakeEndpointSecrets } from './fake-endpoints.js';

const settings = (path: string, more: Partial<EndpointSettings> = {}): EndpointSettings => ({
  ...{ url: `https://hooks.example.com/${path}`, description: '', ca: null, enabled: true },
  events: ['run.*'] satisfies WebhookSubscription[],
  ...more,
});

const unsent = () => Promise.reject(new Error('nothing is sent here'));

/** The use cases of a tenant over fakes. */
function changing(verdict: Awaited<ReturnType<MayConnect>> = 'public') {
  const { uow, home, pass } = fakeClockedWorld();
  const secrets = new FakeEndpointSecrets(uow);
  const [endpoints, audit] = [new FakeEndpoints(uow, secrets), new FakeAuditSink(uow)];
  const twoPersonRule = new FakeTwoPersonRule(uow);
  const followed = new Set<string>();
  const following: LogFollowing = {
    begin: (_tx, name) => Promise.resolve(void followed.add(name)),
    end: (_tx, name) => Promise.resolve(void followed.delete(name)),
  };
  const by: PersonPrincipal = { ...home.admin, reason: 'The chat needs it.' };
  const mayConnect = () => Promise.resolve(verdict);
  const jobs = new FakeJobQueue(uow);
  const deliveries = new FakeDeliveries(uow, endpoints, jobs);
  const {
    changeEndpoint: change,
    removeEndpoint: remove,
    rotateSecret: rotate,
  } = createWebhooks({
    ...{ uow, jobs, audit, outbox: new FakeOutbox(uow), twoPersonRule, following, mayConnect },
    rows: { endpoints, secrets, deliveries, reportedCalls: { of: unsent } },
    receiver: { send: unsent },
    publicUrl: 'https://countersign.example',
  });
  const found = async () => {
    const [endpoint] = await uow.run(home.tenantId, (tx) => endpoints.all(tx));
    if (endpoint === undefined) throw new Error('there is no endpoint');
    return endpoint;
  };
  return {
    ...{ followed, twoPersonRule, found, pass },
    add: (wanted: EndpointSettings) => change.execute(by, null, wanted),
    put: async (wanted: EndpointSettings, requireCurrent: (revision: string) => void = () => undefined) =>
      change.execute(by, { id: (await found()).id, requireCurrent }, wanted),
    putUnknown: (id: WebhookEndpointId) => change.execute(by, { id, requireCurrent: () => undefined }, settings('in')),
    remove: async () => remove.execute(by, (await found()).id),
    rotate: async (endEarlier: boolean) => rotate.execute(by, (await found()).id, endEarlier),
    fails: async () => {
      const { id } = await found();
      await uow.run(home.tenantId, (tx) => endpoints.note(tx, id, false));
    },
    valid: async () => {
      const { id } = await found();
      return uow.run(home.tenantId, (tx) => secrets.valid(tx, id));
    },
    recorded: () => audit.of(home).map(({ action }) => action),
    waiting: () => twoPersonRule.waitingIn(home).map(({ loosens }) => loosens),
    all: () => uow.run(home.tenantId, (tx) => endpoints.all(tx)),
  };
}

describe('an endpoint of a tenant', () => {
  it('waits for a second person, and nothing is followed before', async () => {
    const webhook = changing();
    webhook.twoPersonRule.secondAdmin = true;
    expect(await webhook.add(settings('in'))).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect(webhook.waiting()).toEqual([['run.* are sent to https://hooks.example.com/in']]);
    expect([await webhook.all(), webhook.followed.size]).toEqual([[], 0]);
  });

  it('is followed while it is on, and is no more once it is removed', async () => {
    const webhook = changing();
    await webhook.add(settings('in'));
    expect([...webhook.followed]).toEqual(['webhook']);
    await webhook.put(settings('in', { enabled: false }));
    expect(webhook.followed.size).toBe(0);
    expect(await webhook.found()).toMatchObject({ enabled: false, offReason: 'person' });
    await webhook.put(settings('in'));
    expect(await webhook.found()).toMatchObject({ enabled: true, offReason: null });
    await webhook.remove();
    expect([await webhook.all(), webhook.followed.size]).toEqual([[], 0]);
    expect(webhook.recorded()).toEqual(['webhook.added', 'webhook.changed', 'webhook.changed', 'webhook.removed']);
  });

  it('loosens by another address, more events and another authority alone', async () => {
    const webhook = changing();
    await webhook.add(settings('in', { events: ['run.*', 'plan.*'] }));
    webhook.twoPersonRule.secondAdmin = true;
    for (const tighter of [settings('in', { description: 'chat' }), settings('in', { enabled: false })])
      expect(await webhook.put(tighter)).toMatchObject({ ok: true, value: { outcome: 'done' } });
    for (const wider of [settings('in'), settings('other'), settings('in', { events: ['task.*'] })])
      expect(await webhook.put(wider)).toMatchObject({ ok: true, value: { outcome: 'waits' } });
  });

  it('changes only from the revision that was read', async () => {
    const webhook = changing();
    await webhook.add(settings('in'));
    const read = endpointRevision(await webhook.found());
    const requireRead = (revision: string): void => {
      if (revision !== read) throw new Error('another revision is in force');
    };
    await webhook.put(settings('in', { description: 'first' }), requireRead);
    await expect(webhook.put(settings('in', { description: 'second' }), requireRead)).rejects.toThrow(
      'another revision',
    );
    expect((await webhook.found()).description).toBe('first');
  });

  it('forgets the failures of a former address alone', async () => {
    const webhook = changing();
    await webhook.add(settings('in'));
    await webhook.fails();
    await webhook.put(settings('in', { description: 'chat' }));
    expect((await webhook.found()).failingSince).not.toBeNull();
    await webhook.put(settings('other'));
    expect((await webhook.found()).failingSince).toBeNull();
  });

  it.each([
    ['webhook.address_not_allowed', settings('in', { url: 'http://hooks.example.com/in' }), 'public'],
    ['webhook.address_not_allowed', settings('in?key=1'), 'public'],
    ['webhook.address_not_allowed', settings('in'), 'refused'],
    ['webhook.authority_invalid', settings('in', { ca: 'no certificate' }), 'public'],
  ] as const)('is refused with %s', async (code, wanted, verdict) => {
    const webhook = changing(verdict);
    expect(await webhook.add(wanted)).toMatchObject({ ok: false, error: { code } });
    expect(await webhook.all()).toEqual([]);
  });

  it('is one of twenty at most, and is found by its id alone', async () => {
    const webhook = changing();
    for (let count = 0; count < 20; count += 1) await webhook.add(settings(String(count)));
    expect(await webhook.add(settings('more'))).toMatchObject({ ok: false, error: { code: 'webhook.too_many' } });
    const unknown = '0199d0e0-0000-7000-8000-000000000000' as WebhookEndpointId;
    expect(await webhook.putUnknown(unknown)).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
  });
});

describe('the secrets of an endpoint', () => {
  it('sign beside each other for a day', async () => {
    const webhook = changing();
    await webhook.add(settings('in'));
    await webhook.rotate(false);
    await webhook.rotate(false);
    expect(await webhook.valid()).toHaveLength(2);
    await webhook.pass(24 * 3_600_000);
    expect(await webhook.valid()).toHaveLength(1);
  });

  it('end at once if one leaked', async () => {
    const webhook = changing();
    await webhook.add(settings('in'));
    await webhook.rotate(false);
    const rotated = await webhook.rotate(true);
    expect(await webhook.valid()).toEqual(rotated.ok ? [rotated.value.secret] : []);
  });
});
