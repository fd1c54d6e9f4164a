import { newId, type ApprovalRequestId, type Outbox, type RunId, type Tx } from '#lib/kernel';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Destination } from '../domain/destination.js';
import type {
  AttemptedEntry,
  OutboxAttempt,
  OutboxEntry,
  OutboxRepository,
  OutboxState,
  StoredMessage,
  UnreadMessage,
} from './delivery.ports.js';

const LEASE_MS = 90_000;
const PAGE = { after: null, limit: 10 };
const RUN = newId<RunId>();

const channel = (address: string): Destination => ({ channel: 'slack', address, showing: 'subject' });

export interface OutboxStore {
  readonly world: ContractWorld;
  readonly outbox: Outbox & OutboxRepository;
  /** The jobs that the outbox enqueued. */
  readonly jobs: FakeJobQueue;
}

/** Jobs beside a store in PostgreSQL: its workers would take them. */
export const jobsInMemory = (): FakeJobQueue => new FakeJobQueue(new FakeUnitOfWork());

/** The contract of {@link OutboxRepository}. */
export function describeOutboxRepository(name: string, open: () => Promise<OutboxStore>): void {
  describe(`${name} keeps the contract of OutboxRepository`, () => {
    let store: OutboxStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.world.close());

    const inTx = <T>(work: (tx: Tx) => T | Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, async (tx) => work(tx));
    const listed = (state: OutboxState) => inTx((tx) => store.outbox.list(tx, state, PAGE));
    const found = async (id: string): Promise<StoredMessage> => {
      const entry = await inTx((tx) => store.outbox.lock(tx, id));
      if (entry === null) throw new Error(`there is no message ${id}`);
      return entry;
    };
    const claim = (id: string, leaseMs = LEASE_MS) => inTx((tx) => store.outbox.claim(tx, id, leaseMs));
    const claimed = async (id: string, leaseMs = LEASE_MS): Promise<UnreadMessage> => {
      const entry = await claim(id, leaseMs);
      if (entry === null) throw new Error(`${id} is not due`);
      return entry;
    };
    const written = async (runId = RUN): Promise<OutboxEntry> => {
      const before = new Set((await listed('pending')).map(({ id }) => id));
      const message = { topic: 'run.changed', payload: { run_id: runId, event: 'run.paused' } } as const;
      await inTx((tx) => store.outbox.write(tx, message));
      const [entry] = (await listed('pending')).filter(({ id }) => !before.has(id));
      if (entry === undefined) throw new Error('nothing was written');
      expect(entry).toMatchObject(message);
      return { ...entry, ...message };
    };
    const fanOut = async (cause: OutboxEntry, ...addresses: readonly string[]): Promise<readonly OutboxEntry[]> => {
      await inTx((tx) => store.outbox.fanOut(tx, cause, addresses.map(channel), null));
      const messages = (await listed('pending')).filter(({ destination }) => destination !== null);
      return addresses.map((address) => {
        const own = messages.find(({ destination }) => destination === `slack:${address}:subject`);
        if (own === undefined) throw new Error(`${address} has no message`);
        return { ...cause, id: own.id, destination: own.destination, attempts: own.attempts };
      });
    };
    const enqueued = () => store.jobs.of(store.world.home).map(({ id }) => id);

    it('lets one worker at a time have a message, and counts its attempts', async () => {
      const { id } = await written();
      expect(await claim(id)).toMatchObject({ id, attempts: 1, state: 'pending', destination: null });
      expect(await claim(id)).toBeNull();
      const other = await written();
      expect(await claim(other.id, 0)).toMatchObject({ attempts: 1 });
      expect(await claim(other.id)).toMatchObject({ attempts: 2 });
    });

    it('counts a message as delivered with the claim of a caller that fans it out, and no other', async () => {
      const cause = await written();
      const failing = await claimed(cause.id, 0);
      await inTx((tx) => {
        store.outbox.failedOnce(tx, failing, 'refused', 0);
      });
      const deliver = (id: string) => inTx((tx) => store.outbox.claimToDeliver(tx, id, LEASE_MS));
      expect(await deliver(cause.id)).toMatchObject({ id: cause.id, attempts: 2, payload: cause.payload });
      expect(await found(cause.id)).toMatchObject({
        state: 'delivered',
        deliveredAt: expect.any(Number) as number,
        lastError: null,
      });
      expect(await deliver(cause.id)).toBeNull();
      const [message] = await fanOut(cause, 'C1');
      expect(await deliver(message?.id ?? '')).toMatchObject({ state: 'pending', attempts: 1, deliveredAt: null });
      expect(await claim(message?.id ?? '')).toBeNull();
    });

    it('renews the lease of an attempt until another one begins, or the message is settled', async () => {
      const { id } = await written();
      const first = await claimed(id, 0);
      const renew = (attempt: OutboxAttempt, leaseMs = LEASE_MS) =>
        inTx((tx) => store.outbox.renew(tx, attempt, leaseMs));
      expect(await renew(first)).toBe(true);
      expect(await claim(id)).toBeNull();
      expect(await renew(first, 0)).toBe(true);
      const second = await claimed(id);
      expect(await renew(first, 0)).toBe(false);
      expect(await claim(id)).toBeNull();
      await inTx((tx) => {
        store.outbox.delivered(tx, second);
      });
      expect(await renew(second)).toBe(false);
    });

    it('fans out to each destination once, and leases the first for its caller', async () => {
      const cause = await written();
      const to = [channel('C1'), channel('C2')];
      const first = await inTx((tx) => store.outbox.fanOut(tx, cause, to, LEASE_MS));
      expect(first).toMatchObject({
        attempts: 1,
        destination: 'slack:C1:subject',
        payload: { run_id: RUN, event: 'run.paused' },
      });
      expect(await claim(first?.id ?? '')).toBeNull();
      const second = (await listed('pending')).find(({ destination }) => destination === 'slack:C2:subject');
      expect(second).toMatchObject({ attempts: 0 });
      expect(enqueued()).toEqual([cause.id, second?.id]);
      await expect(inTx((tx) => store.outbox.fanOut(tx, cause, to, LEASE_MS))).rejects.toMatchObject({ code: '23505' });
      expect(await listed('pending')).toHaveLength(3);
      expect(await inTx((tx) => store.outbox.fanOut(tx, cause, [], LEASE_MS))).toBeNull();
    });

    it('gives each message a job of its own if the caller delivers none', async () => {
      const cause = await written();
      const messages = await fanOut(cause, 'C1', 'C2');
      expect(enqueued().sort()).toEqual([cause, ...messages].map(({ id }) => id).sort());
    });

    it('counts an attempt that failed, and none that waited for its turn', async () => {
      const { id } = await written();
      const waiting = await claimed(id);
      await inTx((tx) => {
        store.outbox.postpone(tx, waiting, 0);
      });
      expect(await found(id)).toMatchObject({ attempts: 0, lastError: null });
      const failing = await claimed(id);
      await inTx((tx) => {
        store.outbox.failedOnce(tx, failing, 'refused', 0);
      });
      expect(await found(id)).toMatchObject({ attempts: 1, lastError: 'refused', state: 'pending' });
      expect(await claim(id)).toMatchObject({ attempts: 2 });
    });

    it('takes a message up again if it waited or failed for long enough, and not before', async () => {
      const [waits, fails] = [await written(), await written()];
      const [waiting, failing] = [await claimed(waits.id, 0), await claimed(fails.id, 0)];
      await inTx((tx) => {
        store.outbox.postpone(tx, waiting, LEASE_MS);
        store.outbox.failedOnce(tx, failing, 'refused', LEASE_MS);
      });
      expect([await claim(waits.id), await claim(fails.id)]).toEqual([null, null]);
    });

    it('keeps a delivered message out of every later attempt, without its error', async () => {
      const { id } = await written();
      const failing = await claimed(id);
      await inTx((tx) => {
        store.outbox.failedOnce(tx, failing, 'refused', 0);
      });
      const entry = await claimed(id, 0);
      await inTx((tx) => {
        store.outbox.delivered(tx, entry);
      });
      expect(await found(id)).toMatchObject({
        state: 'delivered',
        deliveredAt: expect.any(Number) as number,
        lastError: null,
      });
      expect(await claim(id)).toBeNull();
    });

    it('writes nothing about an attempt if another one began meanwhile', async () => {
      const { id } = await written();
      const late = await claimed(id, 0);
      await claimed(id, 0);
      await inTx((tx) => {
        store.outbox.giveUp(tx, late, 'late');
        store.outbox.delivered(tx, late);
      });
      expect(await found(id)).toMatchObject({ state: 'pending', attempts: 2, lastError: null });
    });

    it('gives a message up until it is sent again, from its first attempt', async () => {
      const { id } = await written();
      await inTx((tx) => store.outbox.retry(tx, id));
      expect(await found(id)).toMatchObject({ attempts: 0 });
      const entry = await claimed(id, 0);
      await inTx((tx) => {
        store.outbox.giveUp(tx, entry, 'no such channel');
      });
      expect(await claim(id)).toBeNull();
      expect(await listed('failed')).toMatchObject([{ id, state: 'failed', lastError: 'no such channel' }]);
      await inTx((tx) => store.outbox.retry(tx, id));
      expect(await claim(id)).toMatchObject({ attempts: 1, lastError: 'no such channel' });
      expect(enqueued().filter((each) => each === id)).toHaveLength(3);
    });

    it('holds an event of a run back while an earlier one of its destination waits', async () => {
      const [earlier, later, other] = [await written(), await written(), await written(newId<RunId>())];
      const [one] = await fanOut(later, 'C1');
      const [stranger] = await fanOut(other, 'C1');
      const after = (entry?: OutboxEntry) => inTx((tx) => entry && store.outbox.comesAfterPending(tx, entry));
      expect(await after(one)).toBe(true);
      expect(await after(stranger)).toBe(false);
      const failing = await claimed(earlier.id, 0);
      await inTx((tx) => {
        store.outbox.failedOnce(tx, failing, 'refused', 0);
      });
      expect(await after(one)).toBe(false);
    });

    it('keeps the last of several edits, unless a worker may have read it already', async () => {
      const [first, second] = [await written(), await written()];
      const inC1 = (cause: OutboxEntry) => inTx((tx) => store.outbox.fanOut(tx, cause, [channel('C1')], 0));
      const [one, two] = [await inC1(first), await inC1(second)];
      if (one === null || two === null) throw new Error('no message is leased');
      const before = (entry: AttemptedEntry) => inTx((tx) => store.outbox.comesBeforeSame(tx, entry));
      expect(await before(one)).toBe(false);
      await inTx((tx) => {
        store.outbox.postpone(tx, two, 0);
      });
      expect(await before(one)).toBe(true);
      expect(await before(two)).toBe(false);
    });

    it('leaves a message to a worker only if its first delivery cannot be begun', async () => {
      const begun: string[] = [];
      const message = () =>
        ({
          topic: 'approval_request.changed',
          payload: { request_id: newId<ApprovalRequestId>(), event: 'opened' },
        }) as const;
      await inTx((tx) =>
        store.outbox.write(tx, message(), async (own, id) => {
          // It sees the message that its transaction wrote.
          if ((await store.outbox.claimToDeliver(own, id, LEASE_MS)) !== null) begun.push(id);
          return () => Promise.resolve();
        }),
      );
      expect((await listed('delivered')).map(({ id }) => id)).toEqual(begun);
      expect([begun.length, enqueued()]).toEqual([1, []]);
      await inTx((tx) => store.outbox.write(tx, message(), () => Promise.reject(new Error('too much to send'))));
      const left = (await listed('pending')).map(({ id }) => id);
      expect(left).toHaveLength(1);
      expect(enqueued()).toEqual(left);
    });

    it('lists messages of a state, the newest first and by pages', async () => {
      const ids = [(await written()).id, (await written()).id, (await written()).id].reverse();
      expect((await listed('pending')).map(({ id }) => id)).toEqual(ids);
      expect(await listed('delivered')).toEqual([]);
      const [newest] = await listed('pending');
      if (newest === undefined) throw new Error('nothing is listed');
      const after = { at: newest.createdAt, id: newest.id };
      const rest = await inTx((tx) => store.outbox.list(tx, 'pending', { after, limit: 1 }));
      expect(rest.map(({ id }) => id)).toEqual(ids.slice(1, 2));
    });

    it('T19: shows another tenant no message', async () => {
      const { id } = await written();
      const { uow, other } = store.world;
      const seen = await uow.run(other.tenantId, async (tx) => [
        await store.outbox.lock(tx, id),
        await store.outbox.claim(tx, id, LEASE_MS),
        ...(await store.outbox.list(tx, 'pending', PAGE)),
      ]);
      expect(seen).toEqual([null, null]);
    });
  });
}
