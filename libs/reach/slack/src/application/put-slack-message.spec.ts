import { newId, type Tx } from '#lib/kernel';
import type { Delivery, Sending } from '#lib/delivery';
import { renderWord } from '../domain/render-replies.js';
import { fakeSlackWorld } from './fake-slack-world.js';
import { PutSlackMessage, type Rendering } from './put-slack-message.js';
import { SlackCallError, type MessageAbout } from './slack.ports.js';

const MINUTE_MS = 60_000;
const LEASE_MS = 15_000;
const BUSY: Delivery = { kind: 'later', delayMs: 500 };
const DELIVERED: Delivery = { kind: 'delivered' };

async function putting() {
  const world = fakeSlackWorld();
  await world.install();
  const { installations, messages, pace, slack } = world;
  const put = new PutSlackMessage(installations, messages, pace, slack);
  const content = (text: string | null): Promise<Rendering> =>
    Promise.resolve(text === null ? null : () => renderWord(text));
  const prepare = (about: MessageAbout, text: string | null) =>
    world.inTx<Delivery | Sending>((tx) => put.prepare(tx, about, () => content(text)));
  return {
    ...world,
    prepare,
    /** One turn of a worker. */
    turn: async (about: MessageAbout, text: string | null): Promise<Delivery> => {
      const prepared = await prepare(about, text);
      if (typeof prepared !== 'function') return prepared;
      const { delivery, record } = await prepared(() => undefined);
      await world.inTx(async (tx) => record?.(tx));
      return delivery;
    },
    fail: (method: 'post' | 'update' | 'findOwn', error: Error) => slack.failures.push({ method, error }),
    postTo: (target: string, threadOf: string | null = null): MessageAbout => ({
      subject: `request:${newId()}`,
      target,
      threadOf,
    }),
  };
}

describe('a message in Slack', () => {
  it('is posted once, and edited in place if its content changes', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
    expect(await world.turn(about, 'approved')).toEqual(DELIVERED);
    expect(world.slack.texts('C1')).toEqual(['approved']);
    expect(world.slack.calls).toEqual(['post', 'update']);
  });

  it('is not sent again if its content is the same', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    await world.turn(about, 'open');
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
    expect(world.slack.calls).toEqual(['post']);
  });

  it('is not sent if there is nothing to show', async () => {
    const world = await putting();
    expect(await world.turn(world.postTo('C1'), null)).toEqual(DELIVERED);
    expect(world.slack.calls).toEqual([]);
  });

  it('fails for good without a workspace', async () => {
    const world = await putting();
    await world.inTx((tx) => world.installations.removeInstallation(tx));
    expect(await world.turn(world.postTo('C1'), 'open')).toMatchObject({ kind: 'failed', final: true });
    expect(world.slack.calls).toEqual([]);
  });

  it('stands in the direct conversation of a user', async () => {
    const world = await putting();
    const about = world.postTo('UADA');
    await world.turn(about, 'open');
    await world.turn(about, 'approved');
    expect(world.slack.texts('DADA')).toEqual(['approved']);
    expect(world.slack.calls).toEqual(['openDirect', 'post', 'update']);
  });

  it('waits for the pace of its channel, and calls nothing before', async () => {
    const world = await putting();
    await world.turn(world.postTo('C1'), 'first');
    const second = world.postTo('C1');
    expect(await world.turn(second, 'second')).toEqual({ kind: 'later', delayMs: 1_000 });
    expect(world.slack.texts('C1')).toEqual(['first']);
    expect(await world.turn(world.postTo('C2'), 'elsewhere')).toEqual(DELIVERED);
    await world.pass(1_000);
    expect(await world.turn(second, 'second')).toEqual(DELIVERED);
    expect(world.slack.texts('C1')).toEqual(['first', 'second']);
  });

  it('is edited at once, even if others wait to be posted in its channel', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    await world.turn(about, 'open');
    await world.turn(world.postTo('C1'), 'another');
    expect(await world.turn(about, 'approved')).toEqual(DELIVERED);
  });

  it('is a failed attempt if its words cannot be rendered, and is free for the next', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    const unreadable: Rendering = () => {
      throw new Error('cannot be rendered');
    };
    const { installations, messages, pace, slack } = world;
    const put = new PutSlackMessage(installations, messages, pace, slack);
    const prepared = await world.inTx((tx) => put.prepare(tx, about, () => Promise.resolve(unreadable)));
    if (typeof prepared !== 'function') throw new Error('there is nothing to send');
    const { delivery, record } = await prepared(() => undefined);
    expect(delivery).toEqual({ kind: 'failed', error: 'Error: cannot be rendered', final: false });
    await world.inTx(async (tx) => record?.(tx));
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
    expect(world.slack.texts('C1')).toEqual(['open']);
  });

  it('keeps no lease if there is nothing to show', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    await world.turn(about, null);
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
  });

  it('is in the hands of one worker at a time', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    await world.prepare(about, 'open');
    expect(await world.turn(about, 'open')).toEqual(BUSY);
    expect(world.slack.calls).toEqual([]);
  });
});

describe('a reply in Slack', () => {
  it('stands in the thread of its message, in the conversation of that message', async () => {
    const world = await putting();
    const first = world.postTo('UADA');
    await world.turn(first, 'open');
    await world.pass(1_000);
    expect(await world.turn(world.postTo('UADA', first.subject), 'started')).toEqual(DELIVERED);
    const [ts] = [...world.slack.posts.keys()];
    expect(world.slack.texts('DADA', ts)).toEqual(['started']);
  });

  it('lets a new message go first that waits for its turn in the channel', async () => {
    const world = await putting();
    const first = world.postTo('C1');
    await world.turn(first, 'open');
    const [another, reply] = [world.postTo('C1'), world.postTo('C1', first.subject)];
    await world.turn(another, 'another');
    await world.pass(1_000);
    expect(await world.turn(reply, 'started')).toMatchObject({ kind: 'later' });
    expect(await world.turn(another, 'another')).toEqual(DELIVERED);
    await world.pass(1_000);
    expect(await world.turn(reply, 'started')).toEqual(DELIVERED);
  });

  it('waits for that message, and is given up step by step if it is not posted in ten minutes', async () => {
    const world = await putting();
    const first = world.postTo('C1');
    const reply = world.postTo('C1', first.subject);
    expect(await world.turn(reply, 'started')).toEqual(BUSY);
    await world.pass(10 * MINUTE_MS - 1);
    expect(await world.turn(reply, 'started')).toEqual(BUSY);
    await world.pass(1);
    expect(await world.turn(reply, 'started')).toEqual({
      kind: 'failed',
      error: 'The message that begins the thread of this reply is not in Slack.',
      final: false,
    });
    await world.turn(first, 'open');
    await world.pass(1_000);
    expect(await world.turn(reply, 'started')).toEqual(DELIVERED);
  });
});

describe('a post after the death of its worker', () => {
  it('is found in Slack by its id and edited, if it is there', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    const send = await world.prepare(about, 'open');
    if (typeof send === 'function') await send(() => undefined);
    await world.pass(LEASE_MS);
    expect(await world.turn(about, 'approved')).toEqual(DELIVERED);
    expect(world.slack.texts('C1')).toEqual(['approved']);
    expect(world.slack.calls).toEqual(['post', 'findOwn', 'update']);
  });

  it('is posted, if it is not there', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    await world.prepare(about, 'open');
    await world.pass(LEASE_MS);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
    expect(world.slack.calls).toEqual(['findOwn', 'post']);
  });

  it('is looked for in its thread', async () => {
    const world = await putting();
    const first = world.postTo('C1');
    await world.turn(first, 'open');
    await world.pass(1_000);
    const reply = world.postTo('C1', first.subject);
    const send = await world.prepare(reply, 'started');
    if (typeof send === 'function') await send(() => undefined);
    await world.pass(LEASE_MS);
    await world.turn(reply, 'started');
    const [ts] = [...world.slack.posts.keys()];
    expect(world.slack.texts('C1', ts)).toEqual(['started']);
  });
});

/** A message that a worker took, and has not sent yet. */
async function taken(world: Awaited<ReturnType<typeof putting>>, about: MessageAbout): Promise<Sending> {
  const send = await world.prepare(about, 'open');
  if (typeof send !== 'function') throw new Error('there is nothing to send');
  return send;
}

describe('a message without a recorded result', () => {
  it.each([
    ['a post', null, ['post', 'findOwn', 'update']],
    ['a post that Slack refused', new SlackCallError('internal_error', true), ['post', 'findOwn', 'post']],
  ])('is free once its lease is given back: %s', async (_what, error, calls) => {
    const world = await putting();
    const about = world.postTo('C1');
    if (error !== null) world.fail('post', error);
    const send = await world.prepare(about, 'open');
    const { release } = typeof send === 'function' ? await send(() => undefined) : {};
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(BUSY);
    await world.inTx(async (tx) => release?.(tx));
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
    expect(world.slack.calls).toEqual(calls);
    expect(world.slack.texts('C1')).toEqual(['open']);
  });

  it('is busy for as long as its lease is renewed', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    const send = await taken(world, about);
    let renewed: (tx: Tx) => void = () => undefined;
    await send((renew) => (renewed = renew));
    await world.pass(LEASE_MS - 1_000);
    await world.inTx((tx) => {
      renewed(tx);
      return Promise.resolve();
    });
    await world.pass(LEASE_MS - 1_000);
    expect(await world.turn(about, 'open')).toEqual(BUSY);
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
  });

  it('is not sent if a late commit left too little of its lease', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    const send = await taken(world, about);
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS - 5_500);
    const { delivery, record } = await send(() => undefined);
    expect([delivery, world.slack.calls]).toEqual([BUSY, []]);
    await world.inTx(async (tx) => record?.(tx));
    later.mockRestore();
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
    expect(world.slack.texts('C1')).toEqual(['open']);
  });

  it.each([
    ['opened the conversation', 'openDirect', false],
    ['looked for the message', 'findOwn', true],
  ] as const)('is not sent if too much of its lease passed while Slack %s', async (_what, method, triedBefore) => {
    const world = await putting();
    const about = world.postTo('UADA');
    if (triedBefore) {
      await taken(world, about);
      await world.pass(LEASE_MS);
    }
    const send = await taken(world, about);
    const began = performance.now();
    const clock = jest
      .spyOn(performance, 'now')
      .mockImplementation(() => began + (world.slack.calls.includes(method) ? LEASE_MS : 0));
    const { delivery } = await send(() => undefined);
    clock.mockRestore();
    expect(delivery).toEqual(BUSY);
    expect(world.slack.texts('DADA')).toEqual([]);
  });

  it('is not renewed once its lease has ended: it may be another worker’s', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    const send = await taken(world, about);
    let renewed: (tx: Tx) => void = () => undefined;
    await send((renew) => (renewed = renew));
    await world.pass(LEASE_MS);
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS);
    await world.inTx((tx) => {
      renewed(tx);
      return Promise.resolve();
    });
    later.mockRestore();
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
  });

  it('is left to the worker that took it after the lease had ended', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    const send = await world.prepare(about, 'open');
    const { release } = typeof send === 'function' ? await send(() => undefined) : {};
    await world.pass(90_000);
    expect(await world.prepare(about, 'open')).toBeInstanceOf(Function);
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 90_000);
    await world.inTx(async (tx) => release?.(tx));
    later.mockRestore();
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(BUSY);
  });
});

describe('a call that Slack refuses', () => {
  it('holds the channel for as long as Slack asks', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    world.fail('post', new SlackCallError('rate_limited', true, 30_000));
    expect(await world.turn(about, 'open')).toEqual({ kind: 'later', delayMs: 30_000 });
    expect(await world.turn(about, 'open')).toEqual({ kind: 'later', delayMs: 30_000 });
    expect(await world.turn(world.postTo('C2'), 'elsewhere')).toEqual(DELIVERED);
    await world.pass(30_000);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
  });

  it('holds the edits of the workspace if it was an edit', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    await world.turn(about, 'open');
    world.fail('update', new SlackCallError('rate_limited', true, 30_000));
    expect(await world.turn(about, 'approved')).toEqual({ kind: 'later', delayMs: 30_000 });
    await world.pass(1_000);
    expect(await world.turn(world.postTo('C1'), 'another')).toEqual(DELIVERED);
    expect(await world.turn(about, 'approved')).toEqual({ kind: 'later', delayMs: 29_000 });
  });

  it.each<[string, Error, Delivery]>([
    [
      'for good',
      new SlackCallError('is_archived', false),
      { kind: 'failed', error: 'Slack: is_archived', final: true },
    ],
    [
      'for a moment',
      new SlackCallError('internal_error', true),
      { kind: 'failed', error: 'Slack: internal_error', final: false },
    ],
    ['with an answer that cannot be read', new Error('bad'), { kind: 'failed', error: 'Error: bad', final: false }],
  ])('fails, and releases the message: %s', async (_how, error, delivery) => {
    const world = await putting();
    const about = world.postTo('C1');
    world.fail('post', error);
    expect(await world.turn(about, 'open')).toEqual(delivery);
    await world.pass(1_000);
    expect(await world.turn(about, 'open')).toEqual(DELIVERED);
  });

  it('has a post that somebody deleted posted again', async () => {
    const world = await putting();
    const about = world.postTo('C1');
    await world.turn(about, 'open');
    world.slack.posts.clear();
    expect(await world.turn(about, 'approved')).toEqual(BUSY);
    await world.pass(1_000);
    expect(await world.turn(about, 'approved')).toEqual(DELIVERED);
    expect(world.slack.texts('C1')).toEqual(['approved']);
    expect(world.slack.calls).toEqual(['post', 'update', 'post']);
  });
});
