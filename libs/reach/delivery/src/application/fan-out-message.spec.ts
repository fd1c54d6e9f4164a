import { newId, type ApprovalRequestId, type PersonId, type Tx } from '#lib/kernel';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { PushChannel } from '../channels/push/push-channel.js';
import { ChannelRegistry } from './channel-registry.js';
import type { Channel, MessageRecipients } from './delivery.ports.js';
import { FakeOutboxRepository } from './fake-outbox.repository.js';
import { FanOutMessage } from './fan-out-message.js';

const [ADA, BEN] = [newId<PersonId>(), newId<PersonId>()];
const [OF_ADA, OF_BEN] = [newId(), newId()];

/** A fan-out in which every look-up of people is refused. */
function fanning() {
  const { uow, home } = fakeWorld();
  const outbox = new FakeOutboxRepository(uow, new FakeJobQueue(uow));
  const calls: string[] = [];
  const refused = (what: string) => () => {
    calls.push(what);
    return Promise.reject(new Error(`${what} were looked up`));
  };
  // The fan-out of an opened request asks a channel for its destinations, and a directory for a message's recipients.
  const subscriptions = { of: refused('browsers') } as unknown as ConstructorParameters<typeof PushChannel>[1];
  const push = new PushChannel({} as never, subscriptions, {} as never);
  const slack: Pick<Channel, 'name' | 'lookAhead' | 'destinations'> = {
    name: 'slack',
    lookAhead: () => calls.push('slack looked ahead'),
    destinations: () => Promise.resolve([{ to: { channel: 'slack', address: 'C1', showing: 'subject' } }]),
  };
  const told: MessageRecipients = {
    id: newId<ApprovalRequestId>(),
    environment: 'production',
    requesterPersonId: newId<PersonId>(),
    reviewers: [ADA, BEN],
    onDuty: [],
    requesterName: 'bot',
    onBehalfOfName: null,
    asOpened: true,
    opened: {
      preferences: new Map([[BEN, { push: { requests: false, reminders: true, comments: true } }]]),
      browsers: [
        { id: OF_ADA, personId: ADA },
        { id: OF_BEN, personId: BEN },
      ],
      past: null,
    },
  };
  const directory = {
    ofMessage: () => {
      calls.push('recipients');
      return Promise.resolve(told);
    },
  } as unknown as ConstructorParameters<typeof FanOutMessage>[1];
  const fanOut = new FanOutMessage(
    outbox,
    directory,
    { list: refused('people on duty'), set: () => Promise.resolve() },
    { of: refused('preferences'), save: () => Promise.resolve() },
    unasked(),
    new ChannelRegistry([slack as Channel, push]),
  );
  return { outbox, fanOut, told, calls, inTx: <T>(work: (tx: Tx) => Promise<T>) => uow.run(home.tenantId, work) };
}

describe('the fan-out of a new request', () => {
  it('looks nothing up that was read with its recipients', async () => {
    const { outbox, fanOut, told, calls, inTx } = fanning();
    const written = await inTx(async (tx) => {
      const message = { topic: 'approval_request.changed', payload: { request_id: told.id, event: 'opened' } } as const;
      await outbox.write(tx, message);
      const [cause] = await outbox.list(tx, 'pending', { after: null, limit: 1 });
      if (cause === undefined) throw new Error('nothing was written');
      await fanOut.execute(tx, { ...cause, ...message }, told, null);
      return outbox.list(tx, 'pending', { after: null, limit: 10 });
    });
    expect(written.flatMap(({ destination }) => destination ?? []).sort()).toEqual([
      `push:${OF_ADA}:subject`,
      'slack:C1:subject',
    ]);
    expect(calls).toEqual([]);
  });

  it('has each channel look ahead, behind the recipients', async () => {
    const { fanOut, calls, inTx } = fanning();
    await inTx((tx) => fanOut.recipientsOf(tx, newId()));
    expect(calls).toEqual(['recipients', 'slack looked ahead']);
  });
});
