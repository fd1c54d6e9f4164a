import { paragraph, shown } from '#lib/delivery';
import type { AttemptedEntry, Delivery, Destination, NoticeToTell, ReadContent, RequestMessage } from '#lib/delivery';
import { newId, type ApprovalRequestId, type OutboxMessage, type RunId } from '#lib/kernel';
import { message } from '../../../delivery/src/domain/fake-request-message.js';
import { fakeSlackWorld, PUBLIC_URL } from './fake-slack-world.js';

export type NotifiedRun = NonNullable<Awaited<ReturnType<ReadContent['run']>>>['run'];

export const REQUEST = message().id as ApprovalRequestId;
export const RUN = newId<RunId>();
export const DELIVERED: Delivery = { kind: 'delivered' };

export const NOTICE: NoticeToTell = {
  id: newId(),
  title: 'Sam asks for a change',
  lines: ['The executors'],
  done: null,
  words: null,
  url: `${PUBLIC_URL}/changes/1`,
  environment: null,
  people: [],
  always: false,
  alsoTo: [],
};

/** The contents at this moment; null for those that are gone. */
interface Contents {
  request: RequestMessage | null;
  run: NotifiedRun | null;
  notice: NoticeToTell | null;
}

/** The channel over fakes, with contents that a test sets. */
export async function fakeSlackChannel() {
  const run = {
    id: RUN,
    requestId: REQUEST,
    environment: 'production',
    state: 'executing',
    reason: null,
    outcome: null,
  };
  const now: Contents = { request: message(), run, notice: NOTICE };
  const world = fakeSlackWorld({
    contents: {
      requestOf: (_tx, { topic, payload }) =>
        Promise.resolve(
          topic === 'run.changed' ? (now.run?.requestId ?? null) : 'request_id' in payload ? payload.request_id : null,
        ),
      request: () => Promise.resolve(now.request),
      run: (_tx, { event }) => {
        const lines = now.run?.reason ? [paragraph(shown(now.run.reason))] : [];
        const content = { title: event, lines, closing: [], url: `${PUBLIC_URL}/runs/${RUN}` };
        return Promise.resolve(now.run && { run: now.run, content });
      },
      notice: () => Promise.resolve(now.notice),
    },
  });
  await world.install();
  const { channel } = world.parts;
  const turn = async (entry: AttemptedEntry, to: Destination): Promise<Delivery> => {
    // Every turn has the channel to itself.
    await world.pass(10_000);
    const prepared = await world.inTx((tx) => channel.prepare(tx, entry, to));
    if (typeof prepared !== 'function') return prepared;
    const { delivery, record } = await prepared(() => undefined);
    await world.inTx(async (tx) => record?.(tx));
    return delivery;
  };
  return { ...world, channel, now, turn };
}

const entryOf = (told: OutboxMessage): AttemptedEntry => ({ ...told, id: newId(), destination: '', attempts: 1 });
export const changed = (event = 'opened') =>
  entryOf({ topic: 'approval_request.changed', payload: { request_id: REQUEST, event } });
export const reminder = () =>
  entryOf({ topic: 'approval_request.reminder', payload: { request_id: REQUEST, which: 'half' } });
export const ran = (event: string) => entryOf({ topic: 'run.changed', payload: { run_id: RUN, event } });
export const noticed = () => entryOf({ topic: 'comment.added', payload: { comment_id: newId() } });
export const to = (address: string, showing: Destination['showing']): Destination => ({
  channel: 'slack',
  address,
  showing,
});
