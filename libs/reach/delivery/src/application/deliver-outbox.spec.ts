import { setImmediate } from 'node:timers/promises';
import type { NotifiedRequest } from '#lib/approval';
import { NotNow } from '#lib/database';
import { newId, type ChangeRequestId, type EnclosingTransactions, type PersonId, type Tx } from '#lib/kernel';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { MAX_ATTEMPTS } from '../domain/retry-schedule.js';
import { ChannelRegistry } from './channel-registry.js';
import { createDelivery } from '../create-delivery.js';
import type {
  Channel,
  Delivery,
  MessageRecipients,
  NoticeToTell,
  OutboxState,
  StoredMessage,
} from './delivery.ports.js';
import { message } from '../domain/fake-request-message.js';
import type { RequestMessage } from '../domain/request-message.js';
import { passedWaits } from '../../../../../test/support/passed-waits.js';
import { sampleNotice } from './fake-notice.js';
import { FakeOutboxRepository } from './fake-outbox.repository.js';

/** The waits until a lease is renewed. */
const waits = passedWaits();

const [ADA, BEN] = ['ada' as PersonId, 'ben' as PersonId];
const CHANGE = newId<ChangeRequestId>();

/** A delivery over fakes, with one channel that reaches the people named, and answers as the test says. */
function delivering({ edits = true } = {}) {
  const { uow, home } = fakeWorld();
  const jobs = new FakeJobQueue(uow);
  const outbox = new FakeOutboxRepository(uow, jobs);
  const sent: string[] = [];
  const answers = {
    people: [ADA] as readonly PersonId[],
    notice: {} as Partial<NoticeToTell>,
    delivery: { kind: 'delivered' } as Delivery,
    recipients: (): Promise<void> => Promise.resolve(),
    told: { asOpened: true } as MessageRecipients | null,
    reads: (): Promise<void> => Promise.resolve(),
    content: (): Promise<RequestMessage> => Promise.resolve(message()),
    prepares: (): Promise<void> => Promise.resolve(),
    unready: null as Delivery | null,
    commits: (): Promise<void> => Promise.resolve(),
    sends: (): Promise<void> => Promise.resolve(),
    records: (): Promise<void> => Promise.resolve(),
  };
  let leased = false;
  let renewals = 0;
  const channel: Channel = {
    name: 'email',
    title: 'e-mail',
    address: /^\w+$/,
    chosen: true,
    edits,
    destinations: (_tx, { groups }) =>
      Promise.resolve(
        groups.flatMap(({ people, alone, inConversation }) =>
          ((edits ? inConversation : alone) === null ? [] : people).map((by) => ({
            to: { channel: 'email', address: by, showing: 'subject' as const },
          })),
        ),
      ),
    reached: (_tx, people) => Promise.resolve(people),
    prepare: async (_tx, { destination, payload }, _to, known) => {
      await answers.prepares();
      if (answers.unready !== null) return answers.unready;
      const about = known?.id ?? ('change_id' in payload && payload.change_id === CHANGE ? 'change' : 'another');
      return async (renewing) => {
        renewing(() => (renewals += 1));
        await answers.sends();
        sent.push(`${about} to ${String(destination)}`);
        leased = true;
        const release = (): Promise<void> => {
          leased = false;
          return Promise.resolve();
        };
        const record = async (): Promise<void> => {
          await answers.records();
          await release();
        };
        return { delivery: answers.delivery, record, release };
      };
    },
  };
  const refusals: unknown[] = [];
  const enclosing: EnclosingTransactions = {
    enclose: (tenantId, work) =>
      uow.run(tenantId, async (tx) => {
        const result = await work({ tx, broken: false }).catch((error: unknown) => {
          refusals.push(error);
          throw error;
        });
        await answers.commits();
        return result;
      }),
  };
  const { deliverOutbox: deliver } = createDelivery({
    ...{ uow, transactions: enclosing, outbox, audit: unasked(), mailer: null },
    rows: { preferences: unasked({ of: () => Promise.resolve(new Map()) }), subscriptions: unasked() },
    onDuty: unasked({ list: () => Promise.resolve([]) }),
    channels: new ChannelRegistry([channel]),
    reading: {
      directory: unasked({
        ofMessage: async () => {
          await answers.recipients();
          return answers.told;
        },
      }),
      notices: unasked({
        'change_request.changed': {
          read: async () => {
            await answers.reads();
            return sampleNotice({ people: answers.people, ...answers.notice });
          },
        },
      }),
      requests: { opened: () => answers.content() },
    },
    mayConnect: () => Promise.resolve(false),
  });
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const listed = (state: OutboxState) => inTx((tx) => outbox.list(tx, state, { after: null, limit: 100 }));
  return {
    answers,
    uow,
    outbox,
    sent,
    listed,
    /** The errors by which transactions decide whether to try again. */
    refusals,
    /** Whether the channel holds its own lease. */
    leased: () => leased,
    /** How often the channel's own lease was renewed. */
    renewals: () => renewals,
    deliver: (id: string) => deliver.execute(home.tenantId, id),
    /** In the transaction that wrote the message, as far as it goes. */
    isFree: () => deliver.first({} as NotifiedRequest) !== undefined,
    begin: (id: string) =>
      inTx(async (tx) => {
        const first = deliver.first({} as NotifiedRequest);
        if (first === undefined) throw new Error('the process sends enough');
        return first(tx, id);
      }),
    pass: (ms: number) => {
      uow.now += ms;
    },
    write: async (): Promise<string> => {
      const before = new Set((await listed('pending')).map(({ id }) => id));
      await inTx((tx) => outbox.write(tx, { topic: 'change_request.changed', payload: { change_id: CHANGE } }));
      const written = (await listed('pending')).find(({ id }) => !before.has(id));
      if (written === undefined) throw new Error('nothing was written');
      return written.id;
    },
    /** The message that was fanned out to a person. */
    to: async (person: PersonId, state: OutboxState = 'pending'): Promise<StoredMessage> => {
      const found = (await listed(state)).find(({ destination }) => destination === `email:${person}:subject`);
      if (found === undefined) throw new Error(`${person} has no ${state} message`);
      return found;
    },
  };
}

describe('a turn of the outbox', () => {
  it('fans a message out, and delivers to the first destination in the same turn', async () => {
    const world = delivering();
    world.answers.people = [ADA, BEN];
    const id = await world.write();
    expect(await world.deliver(id)).toBeNull();
    expect(world.sent).toEqual(['change to email:ada:subject']);
    expect((await world.listed('delivered')).map(({ destination }) => destination).sort()).toEqual([
      'email:ada:subject',
      null,
    ]);
    const ben = await world.to(BEN);
    expect(await world.deliver(ben.id)).toBeNull();
    expect(world.sent).toEqual(['change to email:ada:subject', 'change to email:ben:subject']);
    expect(await world.listed('pending')).toEqual([]);
  });

  it.each([
    ['brings a message up to date', true, ['change to email:ada:subject']],
    ['sends no further one where each is alone', false, []],
  ])('%s if a notice only edits', async (_what, edits, expected) => {
    const world = delivering({ edits });
    world.answers.notice = { editsOnly: true };
    await world.deliver(await world.write());
    expect(world.sent).toEqual(expected);
  });

  it('delivers nothing twice', async () => {
    const world = delivering();
    const id = await world.write();
    await world.deliver(id);
    await world.deliver(id);
    await world.deliver((await world.to(ADA, 'delivered')).id);
    expect(world.sent).toHaveLength(1);
  });

  it('settles a message without recipients', async () => {
    const world = delivering();
    world.answers.people = [];
    expect(await world.deliver(await world.write())).toBeNull();
    expect(await world.listed('delivered')).toHaveLength(1);
    expect(await world.listed('pending')).toEqual([]);
  });

  it('waits as long as the destination asks, and counts no attempt', async () => {
    const world = delivering();
    world.answers.delivery = { kind: 'later', delayMs: 700 };
    expect(await world.deliver(await world.write())).toBe(700);
    expect(await world.to(ADA)).toMatchObject({ attempts: 0, lastError: null });
  });

  it('is no other worker’s while it sends, for a minute and a half', async () => {
    const world = delivering();
    const id = await world.write();
    world.answers.sends = async () => {
      for (let renewed = 1; renewed <= 18; renewed += 1) {
        while (world.renewals() < renewed) await setImmediate();
        world.pass(14_000);
        await world.deliver((await world.to(ADA)).id);
      }
    };
    await world.deliver(id);
    expect(waits).toEqual(Array.from({ length: 18 }, () => 5_000));
    expect(await world.to(ADA, 'delivered')).toMatchObject({ attempts: 1 });
    expect(world.sent).toHaveLength(1);
  });

  it('records the result after a renewal that is under way', async () => {
    const world = delivering();
    const id = await world.write();
    const { run } = world.uow;
    let [underway, most] = [0, 0];
    jest.spyOn(world.uow, 'run').mockImplementation(async (...work) => {
      most = Math.max(most, (underway += 1));
      try {
        await setImmediate();
        return await run.apply(world.uow, work);
      } finally {
        underway -= 1;
      }
    });
    world.answers.sends = async () => {
      while (underway === 0) await setImmediate();
    };
    await world.deliver(id);
    expect(most).toBe(1);
  });

  it.each([
    ['sends if a late commit left it the lease', true, ['change to email:ada:subject']],
    ['sends nothing if a late commit lost it the lease', false, []],
  ])('%s', async (_what, renewed, sent) => {
    const world = delivering();
    const id = await world.write();
    const renew = jest.spyOn(world.outbox, 'renew').mockResolvedValue(renewed);
    const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(5_000);
    expect(await world.deliver(id)).toBeNull();
    clock.mockRestore();
    expect(renew).toHaveBeenCalledTimes(1);
    expect(world.sent).toEqual(sent);
  });

  it('tries again after a failure, later each time, and gives up after the last attempt', async () => {
    const world = delivering();
    world.answers.sends = () => Promise.reject(new Error('the server hung up'));
    await world.deliver(await world.write());
    const { id, nextAttemptAt } = await world.to(ADA);
    expect(await world.to(ADA)).toMatchObject({ attempts: 1, lastError: 'Error: the server hung up' });
    await world.deliver(id);
    expect((await world.to(ADA)).attempts).toBe(1);
    for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt += 1) {
      world.pass(300_000);
      await world.deliver(id);
    }
    const given = await world.to(ADA, 'failed');
    expect(given).toMatchObject({ attempts: MAX_ATTEMPTS, lastError: 'Error: the server hung up' });
    expect(given.nextAttemptAt).toBeGreaterThan(nextAttemptAt);
  });

  it('tries again after a pause if its result cannot be recorded, and keeps no lease meanwhile', async () => {
    const world = delivering();
    world.answers.records = () => Promise.reject(new Error('took too long'));
    const id = await world.write();
    await expect(world.deliver(id)).rejects.toThrow('took too long');
    const waiting = await world.to(ADA);
    expect(waiting).toMatchObject({ attempts: 1, lastError: 'Error: took too long' });
    expect(world.leased()).toBe(false);
    world.answers.records = () => Promise.resolve();
    world.pass(10_000);
    await world.deliver(waiting.id);
    expect(await world.to(ADA, 'delivered')).toMatchObject({ attempts: 2 });
  });

  it('keeps a refusal that is final, though it cannot be recorded at first', async () => {
    const world = delivering();
    world.answers.delivery = { kind: 'failed', error: 'no such mailbox', final: true };
    world.answers.records = () => Promise.reject(new Error('took too long'));
    const id = await world.write();
    await expect(world.deliver(id)).rejects.toThrow('took too long');
    expect(await world.to(ADA, 'failed')).toMatchObject({ attempts: 1, lastError: 'no such mailbox' });
    expect(world.leased()).toBe(false);
  });

  it('gives up at once if a failure is final', async () => {
    const world = delivering();
    world.answers.delivery = { kind: 'failed', error: 'no such mailbox', final: true };
    await world.deliver(await world.write());
    expect(await world.to(ADA, 'failed')).toMatchObject({ attempts: 1, lastError: 'no such mailbox' });
  });

  it('lets no destination hold up the others: if one cannot be prepared, each has a turn of its own', async () => {
    const world = delivering();
    world.answers.people = [ADA, BEN];
    world.answers.prepares = () => Promise.reject(new Error('no template'));
    await world.deliver(await world.write());
    expect([(await world.to(ADA)).attempts, (await world.to(BEN)).attempts]).toEqual([0, 0]);
    await world.deliver((await world.to(ADA)).id);
    world.answers.prepares = () => Promise.resolve();
    await world.deliver((await world.to(BEN)).id);
    expect(world.sent).toEqual(['change to email:ben:subject']);
    expect(await world.to(ADA)).toMatchObject({ attempts: 1, lastError: 'Error: no template' });
  });

  it('sends nothing if a refused statement of the first destination fails the commit; each has a turn of its own', async () => {
    const world = delivering();
    world.answers.people = [ADA, BEN];
    world.answers.commits = () => Promise.reject(new Error('took too long'));
    await world.deliver(await world.write());
    expect(world.sent).toEqual([]);
    world.answers.commits = () => Promise.resolve();
    for (const person of [ADA, BEN]) await world.deliver((await world.to(person)).id);
    expect(world.sent).toEqual(['change to email:ada:subject', 'change to email:ben:subject']);
  });

  it.each<[string, string, (answers: ReturnType<typeof delivering>['answers']) => void]>([
    [
      'its recipients cannot be read',
      'Error: took too long',
      (answers) => {
        answers.recipients = () => Promise.reject(new Error('took too long'));
      },
    ],
    [
      'it cannot be prepared and then not be fanned out',
      'Error: took too long',
      (answers) => {
        answers.prepares = () => Promise.reject(new Error('no template'));
        // Each turn reads it twice.
        let reads = 0;
        answers.reads = () => {
          reads += 1;
          return reads % 2 === 0 ? Promise.reject(new Error('took too long')) : Promise.resolve();
        };
      },
    ],
  ])('counts the attempts of a message if %s, and gives up after the last', async (_what, lastError, breaks) => {
    const world = delivering();
    breaks(world.answers);
    const id = await world.write();
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      expect(await world.deliver(id)).toBeNull();
      expect(await world.listed('pending')).toMatchObject([{ id, attempts: attempt, lastError }]);
      world.pass(300_000);
    }
    await world.deliver(id);
    expect(await world.listed('failed')).toMatchObject([{ id, attempts: MAX_ATTEMPTS, lastError }]);
    expect(await world.listed('pending')).toEqual([]);
  });
});

describe('the first delivery of a message', () => {
  it('is taken with its recipients in one transaction, and sent after it', async () => {
    const world = delivering();
    world.answers.people = [ADA, BEN];
    const id = await world.write();
    const send = await world.begin(id);
    expect([world.sent, await world.deliver(id)]).toEqual([[], null]);
    await send();
    expect(world.sent).toHaveLength(1);
    expect(await world.to(ADA, 'delivered')).toMatchObject({ attempts: 1 });
    expect(await world.to(BEN)).toMatchObject({ attempts: 0 });
  });

  it('hands the request that its transaction opened to the first destination alone', async () => {
    const world = delivering();
    world.answers.people = [ADA, BEN];
    const request = message();
    world.answers.content = () => Promise.resolve(request);
    await (
      await world.begin(await world.write())
    )();
    await world.deliver((await world.to(BEN)).id);
    expect(world.sent).toEqual([`${request.id} to email:ada:subject`, 'change to email:ben:subject']);
  });

  it('is a worker’s after the lease if its process dies', async () => {
    const world = delivering();
    await world.begin(await world.write());
    const { id } = await world.to(ADA);
    expect([await world.deliver(id), world.sent]).toEqual([null, []]);
    world.pass(15_000);
    await world.deliver(id);
    expect(world.sent).toEqual(['change to email:ada:subject']);
  });

  it('has nothing to send if nobody is to be told', async () => {
    const world = delivering();
    world.answers.people = [];
    await (
      await world.begin(await world.write())
    )();
    expect(world.sent).toEqual([]);
    expect(await world.listed('pending')).toEqual([]);
  });

  it('is left to a worker if the message is not its own, or tells of earlier approvals', async () => {
    const world = delivering();
    const id = await world.write();
    await world.deliver(id);
    await expect(world.begin(id)).rejects.toBeInstanceOf(NotNow);
    world.answers.told = { asOpened: false } as MessageRecipients;
    await expect(world.begin(await world.write())).rejects.toBeInstanceOf(NotNow);
  });

  it.each<[string, Delivery]>([
    ['has to wait', { kind: 'later', delayMs: 700 }],
    ['is refused', { kind: 'failed', error: 'no such mailbox', final: true }],
  ])('is left to a worker if it %s before it is sent', async (_what, result) => {
    const world = delivering();
    world.answers.unready = result;
    await expect(world.begin(await world.write())).rejects.toBeInstanceOf(NotNow);
  });

  it('is left to a worker while its process sends sixteen others', async () => {
    const world = delivering();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    world.answers.sends = () => held;
    const sending: unknown[] = [];
    for (let n = 0; n < 16; n += 1) sending.push((await world.begin(await world.write()))());
    expect(world.isFree()).toBe(false);
    letGo();
    await Promise.all(sending);
    await (
      await world.begin(await world.write())
    )();
    expect(world.sent).toHaveLength(17);
  });
});
