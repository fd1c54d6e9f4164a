import { newId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { DeliveryTry } from '../domain/delivery-outcome.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import type { DeliveryStore, EndpointSecrets, EndpointStore, WebhookDelivery } from './webhook.ports.js';

/** The stores of webhooks, over one database. */
export interface WebhookStores {
  readonly world: ContractWorld;
  readonly endpoints: EndpointStore;
  readonly secrets: EndpointSecrets;
  readonly deliveries: DeliveryStore;
}

const LEASE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const TRIED: DeliveryTry = { at: 1_700_000_000_000, status: 500, error: 'It answered 500.', answer: 'no' };

/** The contract of the stores of webhooks. */
export function describeWebhookStores(name: string, opened: () => WebhookStores): void {
  const atHome = <T>(work: (tx: Tx, stores: WebhookStores) => Promise<T>): Promise<T> =>
    opened().world.uow.run(opened().world.home.tenantId, (tx) => work(tx, opened()));
  const elsewhere = <T>(work: (tx: Tx, stores: WebhookStores) => Promise<T>): Promise<T> =>
    opened().world.uow.run(opened().world.other.tenantId, (tx) => work(tx, opened()));
  const added = (more: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> =>
    atHome(async (tx, { endpoints, world }) => {
      const endpoint: WebhookEndpoint = {
        ...{ id: newId<WebhookEndpointId>(), url: 'https://hooks.example.com/in', description: 'chat' },
        ...{ events: ['run.*'], ca: null, enabled: true, offReason: null, failingSince: null },
        ...{ createdBy: world.home.owner.personId, createdAt: await tx.now(), ...more },
      };
      await endpoints.save(tx, endpoint);
      return endpoint;
    });
  const found = ({ id }: WebhookEndpoint) => atHome((tx, { endpoints }) => endpoints.find(tx, id));

  describe(`${name}: endpoints`, () => {
    it('are kept whole, by age, for their tenant alone', async () => {
      const [one, two] = [await added(), await added({ url: 'https://hooks.example.com/two' })];
      expect(await found(one)).toEqual(one);
      const all = await atHome((tx, { endpoints }) => endpoints.all(tx));
      expect(all.filter(({ id }) => id === one.id || id === two.id)).toEqual([one, two]);
      expect(await elsewhere((tx, { endpoints }) => endpoints.find(tx, one.id))).toBeNull();
      expect(await elsewhere((tx, { endpoints }) => endpoints.all(tx))).toEqual([]);
    });

    it('keep their owner and their age if their settings change', async () => {
      const one = await added();
      await atHome((tx, { endpoints }) => endpoints.save(tx, { ...one, description: 'pager', createdAt: 1 }));
      expect(await found(one)).toEqual({ ...one, description: 'pager' });
    });

    it('note the first failure since a success', async () => {
      const one = await added();
      const note = (succeeded: boolean) => atHome((tx, { endpoints }) => endpoints.note(tx, one.id, succeeded));
      const since = await note(false);
      expect(since).toEqual(expect.any(Number));
      expect(await note(false)).toBe(since);
      expect((await found(one))?.failingSince).toBe(since);
      expect(await note(true)).toBeNull();
      expect((await found(one))?.failingSince).toBeNull();
    });

    it('are switched off once, with the reason', async () => {
      const one = await added();
      const off = () => atHome((tx, { endpoints }) => endpoints.switchOff(tx, one.id, 'failing'));
      expect([await off(), await off()]).toEqual([true, false]);
      expect(await found(one)).toMatchObject({ enabled: false, offReason: 'failing' });
    });

    it('tell their owner, until they are removed with their secrets', async () => {
      const one = await added();
      const owner = opened().world.home.owner.personId;
      expect(await atHome((tx, { endpoints }) => endpoints.told(tx, one.id))).toEqual([owner]);
      await atHome((tx, { secrets }) => secrets.renew(tx, one.id, 'whsec_one', 0));
      await atHome((tx, { endpoints }) => endpoints.remove(tx, one.id));
      expect(await found(one)).toBeNull();
      expect(await atHome((tx, { secrets }) => secrets.valid(tx, one.id))).toEqual([]);
    });
  });

  describe(`${name}: secrets of endpoints`, () => {
    const renewed = ({ id }: WebhookEndpoint, secret: string, forMs = DAY_MS): Promise<void> =>
      atHome(async (tx, { secrets }) => secrets.renew(tx, id, secret, (await tx.now()) + forMs));
    const valid = ({ id }: WebhookEndpoint) => atHome((tx, { secrets }) => secrets.valid(tx, id));

    it('sign with the two earlier ones, the newest first', async () => {
      const one = await added();
      expect(await valid(one)).toEqual([]);
      for (const secret of ['whsec_1', 'whsec_2', 'whsec_3', 'whsec_4']) await renewed(one, secret);
      expect(await valid(one)).toEqual(['whsec_4', 'whsec_3', 'whsec_2']);
      const seen = await atHome((tx, { secrets }) => secrets.seen(tx, one.id));
      expect(seen.map(({ until }) => until === null)).toEqual([true, false, false]);
      expect(await elsewhere((tx, { secrets }) => secrets.valid(tx, one.id))).toEqual([]);
    });

    it('end at once on request, also one that was to sign longer', async () => {
      const one = await added();
      await renewed(one, 'whsec_1');
      await renewed(one, 'whsec_2');
      await renewed(one, 'whsec_3', 0);
      expect(await valid(one)).toEqual(['whsec_3']);
    });

    it('never sign longer than a former rotation said', async () => {
      const one = await added();
      await renewed(one, 'whsec_1');
      await renewed(one, 'whsec_2', 3_600_000);
      await renewed(one, 'whsec_3', DAY_MS);
      const [, second, first] = await atHome((tx, { secrets }) => secrets.seen(tx, one.id));
      expect((second?.until ?? 0) - (first?.until ?? 0)).toBeGreaterThan(DAY_MS / 2);
    });

    it('make their endpoint a holder', async () => {
      const [one, two] = [await added(), await added()];
      await renewed(one, 'whsec_1');
      const holders = await atHome((tx, { secrets }) => secrets.holders(tx));
      expect([holders.has(one.id), holders.has(two.id)]).toEqual([true, false]);
    });
  });

  describe(`${name}: deliveries`, () => {
    const written = (endpoint: WebhookEndpoint, event = 'run.started'): Promise<WebhookDeliveryId> =>
      atHome(async (tx, { deliveries }) => {
        const id = newId<WebhookDeliveryId>();
        await deliveries.write(tx, [{ id, endpointId: endpoint.id, event, body: '{"event":"run.started"}' }]);
        return id;
      });
    const claim = (id: WebhookDeliveryId) => atHome((tx, { deliveries }) => deliveries.claim(tx, id, LEASE_MS));
    const claimed = async (id: WebhookDeliveryId): Promise<WebhookDelivery> => {
      const delivery = await claim(id);
      if (delivery === null) throw new Error('it was not claimed');
      return delivery;
    };
    const read = (endpoint: WebhookEndpoint, id: WebhookDeliveryId) =>
      atHome((tx, { deliveries }) => deliveries.find(tx, endpoint.id, id));

    it('are kept whole, for their tenant alone', async () => {
      const one = await added();
      const id = await written(one);
      expect(await read(one, id)).toMatchObject({
        ...{ id, endpointId: one.id, event: 'run.started', body: '{"event":"run.started"}' },
        ...{ state: 'pending', attempts: 0, tries: [], nextAttemptAt: expect.any(Number) as number },
      });
      expect(await read(await added(), id)).toBeNull();
      expect(await elsewhere((tx, { deliveries }) => deliveries.find(tx, one.id, id))).toBeNull();
      expect(await elsewhere((tx, { deliveries }) => deliveries.claim(tx, id, LEASE_MS))).toBeNull();
    });

    it('are claimed once, and again after a failure is due', async () => {
      const one = await added();
      const id = await written(one);
      const first = await claimed(id);
      expect([first.attempts, await claim(id)]).toEqual([1, null]);
      await atHome((tx, { deliveries }) => deliveries.later(tx, first, TRIED, 0));
      const second = await claimed(id);
      expect(second).toMatchObject({ attempts: 2, tries: [TRIED] });
      await atHome((tx, { deliveries }) => deliveries.later(tx, second, TRIED, 3_600_000));
      expect(await claim(id)).toBeNull();
    });

    it('are settled by the attempt that holds them, and by no earlier one', async () => {
      const one = await added();
      const id = await written(one);
      const first = await claimed(id);
      await atHome((tx, { deliveries }) => deliveries.later(tx, first, TRIED, 0));
      const second = await claimed(id);
      await atHome((tx, { deliveries }) => deliveries.delivered(tx, first, TRIED));
      expect(await read(one, id)).toMatchObject({ state: 'pending', tries: [TRIED] });
      await atHome((tx, { deliveries }) => deliveries.failed(tx, second, TRIED));
      expect(await read(one, id)).toMatchObject({ state: 'failed', tries: [TRIED, TRIED], nextAttemptAt: null });
      await atHome((tx, { deliveries }) => deliveries.delivered(tx, second, TRIED));
      expect((await read(one, id))?.state).toBe('failed');
    });

    it('are four under way to an endpoint, and one while it fails', async () => {
      const [one, other] = [await added(), await added()];
      const ids = [await written(one), await written(one), await written(one), await written(one), await written(one)];
      const taken: boolean[] = [];
      for (const id of ids) taken.push((await claim(id)) !== null);
      expect(taken).toEqual([true, true, true, true, false]);
      const [first, second] = [await written(other), await written(other)];
      await atHome((tx, { endpoints }) => endpoints.note(tx, other.id, false));
      expect([await claim(first), await claim(second)]).toEqual([expect.objectContaining({ id: first }), null]);
    });

    it('wait for no endpoint that is off, and are given up once it is on again', async () => {
      const one = await added();
      const waiting = await written(one);
      await atHome((tx, { endpoints }) => endpoints.switchOff(tx, one.id, 'person'));
      const late = await written(one);
      expect([await claim(waiting), await read(one, late)]).toEqual([null, null]);
      await atHome((tx, { endpoints }) => endpoints.save(tx, one));
      expect(await claim(waiting)).toBeNull();
      const resend = () => atHome((tx, { deliveries }) => deliveries.resend(tx, waiting));
      expect([await resend(), await resend()]).toEqual([true, false]);
      expect((await claimed(waiting)).id).toBe(waiting);
    });

    it('are sent again by request with attempts of their own', async () => {
      const one = await added();
      const id = await written(one);
      const first = await claimed(id);
      await atHome((tx, { deliveries }) => deliveries.delivered(tx, first, TRIED));
      expect(await atHome((tx, { deliveries }) => deliveries.resend(tx, id))).toBe(true);
      expect(await claimed(id)).toMatchObject({ id, attempts: 1, tries: [TRIED], state: 'pending' });
    });

    it('are tried at once by request if they wait, without an attempt used up, and not while under way', async () => {
      const one = await added();
      const id = await written(one);
      const resend = () => atHome((tx, { deliveries }) => deliveries.resend(tx, id));
      expect(await resend()).toBe(false);
      const first = await claimed(id);
      expect(await resend()).toBe(false);
      await atHome((tx, { deliveries }) => deliveries.later(tx, first, TRIED, 3_600_000));
      expect([await resend(), await resend()]).toEqual([true, false]);
      const byHand = await claimed(id);
      expect(byHand).toMatchObject({ id, attempts: 1, tries: [TRIED], state: 'pending' });
      await atHome((tx, { deliveries }) => deliveries.later(tx, byHand, TRIED, 0));
      expect(await claimed(id)).toMatchObject({ attempts: 2, tries: [TRIED, TRIED] });
    });

    it('are listed newest first, page by page, without their bodies', async () => {
      const one = await added();
      const ids = [await written(one), await written(one, 'run.failed'), await written(one)];
      const page = (after: { at: number; id: string } | null, limit: number, filter = {}) =>
        atHome((tx, { deliveries }) => deliveries.list(tx, one.id, filter, { after, limit }));
      const first = await page(null, 2);
      expect(first.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
      expect(first[0]).not.toHaveProperty('body');
      const last = first[1];
      const rest = await page(last === undefined ? null : { at: last.createdAt, id: last.id }, 2);
      expect(rest.map(({ id }) => id)).toEqual([ids[0]]);
      expect((await page(null, 10, { event: 'run.failed' })).map(({ id }) => id)).toEqual([ids[1]]);
      expect(await page(null, 10, { state: 'delivered' })).toEqual([]);
    });
  });
}
