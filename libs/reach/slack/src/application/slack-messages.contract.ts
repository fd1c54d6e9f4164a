import { newId, type Tx } from '#lib/kernel';
import type { ClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { HeldMessage, MessageAbout, SlackMessages, WaitingReply } from './slack.ports.js';

const LEASE_MS = 60_000;
const POST = { channel: 'C1', ts: '1767603600.000100' };

/** The contract of {@link SlackMessages}. */
export function describeSlackMessages(
  name: string,
  open: () => Promise<{ readonly world: ClockedWorld; readonly messages: SlackMessages }>,
): void {
  describe(`${name} keeps the contract of SlackMessages`, () => {
    let world: ClockedWorld;
    let messages: SlackMessages;
    beforeAll(async () => {
      ({ world, messages } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => T | Promise<T>): Promise<T> =>
      world.uow.run(world.home.tenantId, async (tx) => work(tx));
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const about = (threadOf: string | null = null, target = 'C1'): MessageAbout => ({
      subject: `request:${newId()}`,
      target,
      threadOf,
    });
    const lock = (message: MessageAbout): Promise<HeldMessage | WaitingReply | 'busy'> =>
      atHome((tx) => messages.lock(tx, message));
    const held = async (message: MessageAbout): Promise<HeldMessage> => {
      const locked = await lock(message);
      if (locked === 'busy' || 'waitedMs' in locked) throw new Error(`${message.subject} is not held`);
      return locked;
    };
    const take = (id: string, leaseMs = LEASE_MS): Promise<void> =>
      atHome((tx) => {
        messages.take(tx, id, leaseMs);
      });
    const posted = async (message: MessageAbout, at = { ...POST, ts: newId() }): Promise<HeldMessage> => {
      const { id } = await held(message);
      await take(id);
      await atHome((tx) => messages.posted(tx, id, at, 'digest'));
      return { id, posted: at, renderedDigest: 'digest', triedAt: null, thread: null };
    };

    it('makes one message for a subject at a target, and each target has its own', async () => {
      const message = about();
      const fresh = await held(message);
      expect(fresh).toMatchObject({ posted: null, renderedDigest: null, triedAt: null, thread: null });
      expect(await held(message)).toEqual(fresh);
      const [elsewhereInSlack, another] = [await held({ ...message, target: 'C2' }), await held(about())];
      expect(new Set([fresh.id, elsewhereInSlack.id, another.id]).size).toBe(3);
    });

    it('is busy until the lease ends, and keeps the time of the first attempt', async () => {
      const message = about();
      const { id } = await held(message);
      const first = await atHome((tx) => tx.now());
      await take(id);
      await world.pass(LEASE_MS - 1);
      expect(await lock(message)).toBe('busy');
      await world.pass(1);
      expect(await held(message)).toMatchObject({ id, triedAt: first });
      await take(id);
      await world.pass(LEASE_MS);
      expect(await held(message)).toMatchObject({ id, triedAt: first });
    });

    it('keeps the post and its digest, and the next worker has the message at once', async () => {
      const message = about();
      const { id, posted: at } = await posted(message);
      expect(await held(message)).toMatchObject({ id, posted: at, renderedDigest: 'digest' });
      await atHome((tx) => messages.posted(tx, id, { ...POST, ts: 'later' }, 'other'));
      expect(await held(message)).toMatchObject({ posted: { ...POST, ts: 'later' }, renderedDigest: 'other' });
    });

    it('forgets a post that is lost, with the attempt to post it', async () => {
      const message = about();
      const { id } = await posted(message);
      await take(id);
      await atHome((tx) => messages.lost(tx, id));
      expect(await held(message)).toEqual({ id, posted: null, renderedDigest: null, triedAt: null, thread: null });
    });

    it('releases a message, and still knows that it may be posted', async () => {
      const message = about();
      const { id } = await held(message);
      await take(id);
      await atHome((tx) => messages.release(tx, id));
      expect(await held(message)).toMatchObject({ posted: null, triedAt: expect.any(Number) as number });
    });

    it('lets a reply wait for the message of its thread, even if the reply was there first', async () => {
      const first = about();
      const reply = about(first.subject);
      expect(await lock(reply)).toEqual({ waitedMs: 0 });
      const { id } = await held(first);
      await world.pass(700);
      expect(await lock(reply)).toEqual({ waitedMs: 700 });
      const { posted: thread } = await posted(first);
      expect(await held(reply)).toMatchObject({ posted: null, thread });
      await atHome((tx) => messages.lost(tx, id));
      expect(await lock(reply)).toEqual({ waitedMs: 700 });
    });

    it('knows a thread at its own target only', async () => {
      const first = about();
      await posted(first);
      expect(await lock(about(first.subject, 'C2'))).toEqual({ waitedMs: 0 });
    });

    it('tells the conversation of a message, once it is posted', async () => {
      const message = about(null, 'UADA');
      const postedAt = (target = message.target) => atHome((tx) => messages.postedAt(tx, message.subject, target));
      expect(await postedAt()).toBeNull();
      await held(message);
      expect(await postedAt()).toEqual({ channel: null });
      await posted(message, { channel: 'D1', ts: newId() });
      expect(await postedAt()).toEqual({ channel: 'D1' });
      expect(await postedAt('UBEN')).toBeNull();
    });

    it('tells the subject of a post of ours, and of no other', async () => {
      const message = about();
      const ts = newId();
      await posted(message, { channel: 'C7', ts });
      const subjectAt = (channel: string, of: string) => atHome((tx) => messages.subjectAt(tx, { channel, ts: of }));
      expect(await subjectAt('C7', ts)).toBe(message.subject);
      expect([await subjectAt('C8', ts), await subjectAt('C7', newId())]).toEqual([null, null]);
    });

    it('T19: shows another tenant nothing, and lets it change nothing', async () => {
      const message = about();
      const { id, posted: at } = await posted(message);
      expect(await elsewhere((tx) => messages.postedAt(tx, message.subject, message.target))).toBeNull();
      expect(await elsewhere((tx) => messages.subjectAt(tx, at ?? POST))).toBeNull();
      expect(await elsewhere((tx) => messages.lock(tx, message))).toMatchObject({ posted: null });
      expect(await elsewhere((tx) => messages.lock(tx, about(message.subject)))).toEqual({ waitedMs: 0 });
      await elsewhere(async (tx) => {
        messages.take(tx, id, LEASE_MS);
        await messages.posted(tx, id, { channel: 'C9', ts: '9' }, 'theirs');
        await messages.lost(tx, id);
      });
      expect(await held(message)).toMatchObject({ id, posted: at, renderedDigest: 'digest' });
    });

    it('lets one transaction at a time hold a message', async () => {
      const message = about();
      await held(message);
      expect(await waitsBehind(world, (tx) => messages.lock(tx, message))).toBe(true);
    });
  });
}
