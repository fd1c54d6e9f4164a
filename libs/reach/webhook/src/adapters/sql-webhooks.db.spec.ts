import { newId } from '#lib/kernel';
import { createKeys, type Keyring } from '#lib/tenancy';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { notifiedChanges } from '../../../../../test/support/notified-changes.js';
import { until } from '../../../../../test/support/until.js';
import { describeWebhookStores } from '../application/webhook-stores.contract.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { SqlWebhookDeliveries } from './sql-webhook-deliveries.js';
import { SqlWebhookEndpoints } from './sql-webhook-endpoints.js';
import { SqlWebhookSecrets } from './sql-webhook-secrets.js';

let world: Awaited<ReturnType<typeof postgresWorld>>;
beforeAll(async () => {
  world = await postgresWorld();
});
afterAll(() => world.close());

const endpoints = new SqlWebhookEndpoints();
const deliveries = new SqlWebhookDeliveries();
const keys = new Map(['one', 'two'].map((id, index) => [id, Buffer.alloc(32, index + 1)]));
const keyringAt = (current: string): Keyring => {
  const key = keys.get(current) ?? Buffer.alloc(0);
  return {
    current: () => Promise.resolve({ id: current, key }),
    byId: (id) => Promise.resolve(keys.get(id) ?? null),
    ring: () => Promise.resolve({ current, keys }),
  };
};
const secretsUnder = (current: string) => new SqlWebhookSecrets(createKeys(keyringAt(current)).wrapping);
const secrets = secretsUnder('one');

describeWebhookStores('in PostgreSQL', () => ({ world, endpoints, secrets, deliveries }));

async function newEndpoint(tenant = world.home): Promise<WebhookEndpointId> {
  const id = newId<WebhookEndpointId>();
  const endpoint: WebhookEndpoint = {
    ...{ id, url: 'https://hooks.example.com/in', description: '', events: ['run.*'], ca: null, enabled: true },
    ...{ offReason: null, failingSince: null, createdBy: tenant.owner.personId, createdAt: 0 },
  };
  await world.uow.run(tenant.tenantId, (tx) => endpoints.save(tx, endpoint));
  return id;
}

async function written(
  endpointId: WebhookEndpointId,
  count: number,
  tenant = world.home,
): Promise<readonly WebhookDeliveryId[]> {
  const fresh = Array.from({ length: count }, () => newId<WebhookDeliveryId>());
  await world.uow.run(tenant.tenantId, (tx) =>
    deliveries.write(
      tx,
      fresh.map((id) => ({ id, endpointId, event: 'run.started', body: '{}' })),
    ),
  );
  return fresh;
}

const claimed = (id: WebhookDeliveryId) => world.uow.run(world.home.tenantId, (tx) => deliveries.claim(tx, id, 30_000));

describe('deliveries in PostgreSQL', () => {
  it('are taken by one of two workers', async () => {
    const [id] = await written(await newEndpoint(), 1);
    if (id === undefined) throw new Error('nothing was written');
    const taken = await Promise.all([claimed(id), claimed(id)]);
    expect(taken.filter((each) => each !== null)).toMatchObject([{ id, attempts: 1 }]);
  });

  it('T22: are made four at a time to one endpoint, and leave room for another', async () => {
    const [slow, other] = [await newEndpoint(), await newEndpoint()];
    const taken: boolean[] = [];
    const ids = await written(slow, 5);
    for (const id of ids) taken.push((await claimed(id)) !== null);
    expect(taken).toEqual([true, true, true, true, false]);
    const due = await world.db.systemQuery.call('webhook_deliver_due', new Date(), 1_000, [], []);
    expect(due.filter((each) => ids.some((id) => id === each.id))).toHaveLength(1);
    const [id] = await written(other, 1);
    expect(id === undefined ? null : await claimed(id)).toMatchObject({ endpointId: other });
  });

  it('T22: a thousand that wait for one tenant hide none of another tenant from a look', async () => {
    for (let count = 0; count < 10; count += 1) await written(await newEndpoint(), 100);
    const [quiet] = await written(await newEndpoint(world.other), 1, world.other);
    const look = (most: number, full: readonly string[]) =>
      world.db.systemQuery.call('webhook_deliver_due', new Date(), most, [], full);
    const found = await look(1_000, []);
    expect(found.length).toBeLessThan(100);
    expect(found.map(({ id }) => id)).toContain(quiet);
    expect((await look(1, [world.home.tenantId])).map(({ id }) => id)).toEqual([quiet]);
  });

  it('are made four at a time also to concurrent claims', async () => {
    const ids = await written(await newEndpoint(), 12);
    const taken = await Promise.all(ids.map(claimed));
    expect(taken.filter((each) => each !== null)).toHaveLength(4);
  });

  it('are made one at a time while their endpoint fails', async () => {
    const endpointId = await newEndpoint();
    await world.uow.run(world.home.tenantId, (tx) => endpoints.note(tx, endpointId, false));
    const ids = await written(endpointId, 4);
    expect((await Promise.all(ids.map(claimed))).filter((each) => each !== null)).toHaveLength(1);
    await world.uow.run(world.home.tenantId, (tx) => endpoints.note(tx, endpointId, true));
    expect((await Promise.all(ids.map(claimed))).filter((each) => each !== null)).toHaveLength(3);
  });

  it('are found behind those that a worker holds already', async () => {
    const ids = await written(await newEndpoint(), 6);
    const [held, rest] = [ids.slice(0, 4), ids.slice(4)];
    const due = await world.db.systemQuery.call('webhook_deliver_due', new Date(), 1_000, held, []);
    const found = due.map(({ id }) => id).filter((id) => ids.some((each) => each === id));
    expect(found.sort()).toEqual([...rest].sort());
  });

  it('are looked for without a look at each endpoint', async () => {
    for (let count = 0; count < 100; count += 1) await newEndpoint();
    const [id] = await written(await newEndpoint(), 1);
    await world.db.owner.query('analyze webhook_delivery');
    const client = await world.db.owner.connect();
    const scans = async (): Promise<number> => {
      const { rows } = await client.query<{ scans: string }>(
        `select pg_stat_get_xact_numscans('webhook_delivery'::regclass)
              + (select sum(pg_stat_get_xact_numscans(indexrelid)) from pg_index
                  where indrelid = 'webhook_delivery'::regclass) as scans`,
      );
      return Number(rows[0]?.scans);
    };
    await client.query('begin');
    const before = await scans();
    const { rows } = await client.query<{ id: string; endpoints: number }>(
      `select id, (select count(distinct endpoint_id)::int from webhook_delivery where state = 'pending') as endpoints
         from webhook_deliver_due(clock_timestamp(), 1000, '{}', '{}')`,
    );
    const looks = (await scans()) - before;
    await client.query('rollback');
    client.release();
    expect(rows.map((row) => row.id)).toContain(id);
    // A skip and a look for each endpoint with a delivery that waits, and the count of these.
    expect(looks).toBeLessThanOrEqual(2 * (rows[0]?.endpoints ?? 0) + 3);
  });

  it('wake the next one of their endpoint that is due', async () => {
    const listener = await world.db.owner.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await listener.query('listen countersign_job');
    const endpointId = await newEndpoint();
    const [first, second] = await written(endpointId, 2);
    if (first !== undefined) await claimed(first);
    await world.uow.run(world.home.tenantId, (tx) => deliveries.wakeNext(tx, endpointId));
    await until(() => heard.length > 0);
    listener.release(true);
    expect(heard).toEqual([`webhook.deliver ${world.home.tenantId} ${String(second)}`]);
  });

  it('tell every replica of their end, and of each failed attempt', async () => {
    const endpointId = await newEndpoint();
    const tried = { at: 0, status: 500, error: 'it failed', answer: null };
    const told = await notifiedChanges(world.db.owner, async () => {
      const [id] = await written(endpointId, 1);
      for (const ok of [false, true]) {
        const claim = id === undefined ? null : await claimed(id);
        if (claim === null) throw new Error('nothing is due');
        await world.uow.run(world.home.tenantId, (tx) =>
          ok ? deliveries.delivered(tx, claim, tried) : deliveries.later(tx, claim, tried, 0),
        );
      }
      await world.uow.run(world.home.tenantId, (tx) => endpoints.switchOff(tx, endpointId, 'gone'));
    });
    const about = `${world.home.tenantId}:webhook:${endpointId}`;
    expect(told).toEqual(['pending', 'pending', 'delivered', 'false'].map((event) => `${about}:${event}`));
  });

  it('stay behind a removed endpoint, which nobody sees any more', async () => {
    const endpointId = await newEndpoint();
    const [id] = await written(endpointId, 1);
    await world.uow.run(world.home.tenantId, (tx) => endpoints.remove(tx, endpointId));
    expect(id === undefined ? undefined : await claimed(id)).toBeNull();
    const seen = await world.uow.run(world.home.tenantId, (tx) => endpoints.find(tx, endpointId));
    expect(seen).toBeNull();
  });
});

describe('secrets of webhooks in PostgreSQL', () => {
  it('T32: lie encrypted, and come along with a rotation of the master key', async () => {
    const endpointId = await newEndpoint();
    const [before, after] = [secretsUnder('one'), secretsUnder('two')];
    await world.uow.run(world.home.tenantId, (tx) => before.renew(tx, endpointId, 'whsec_secret', 0));
    const stored = async (): Promise<readonly { key_id: string; row: string }[]> =>
      (
        await world.db.owner.query<{ key_id: string; row: string }>(
          `select key_id, encode(ciphertext, 'escape') as row from webhook_secret where endpoint_id = $1`,
          [endpointId],
        )
      ).rows;
    expect((await stored())[0]?.row).not.toContain('whsec');
    const resealed = await world.uow.run(world.home.tenantId, (tx) => after.resealStale(tx, 'two', 10));
    expect(resealed).toMatchObject({ ok: true });
    expect((await stored()).map(({ key_id }) => key_id)).toEqual(['two']);
    keys.delete('one');
    const valid = await world.uow.run(world.home.tenantId, (tx) => after.valid(tx, endpointId));
    expect(valid).toEqual(['whsec_secret']);
  });
});
