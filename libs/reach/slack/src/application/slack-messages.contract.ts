import { newId, type Tx } from '#lib/kernel';
import type { ClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import type { HeldMessage, MessageAbout, SlackInstallations, SlackMessages } from './slack.ports.js';

const LEASE_MS = 60_000;
const POST = { channel: 'C1', ts: '1767603600.000100' };

/** The contract of {@link SlackMessages}. */
export function describeSlackMessages(
  name: string,
  open: () => Promise<{
    readonly world: ClockedWorld;
    readonly messages: SlackMessages;
    readonly installations: SlackInstallations;
  }>,
): void {
  describe(`${name} keeps the contract of SlackMessages`, () => {
    let world: ClockedWorld;
    let messages: SlackMessages;
    beforeAll(async () => {
      let installations: SlackInstallations;
      ({ world, messages, installations } = await open());
      await atHome(async (tx) => {
        await installations.saveApp(tx, sampleApp(), world.home.owner.personId);
        await installations.saveInstallation(tx, sampleInstalled(), world.home.owner.personId);
      });
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => T | Promise<T>): Promise<T> =>
      world.uow.run(world.home.tenantId, async (tx) => work(tx));
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    /** A message to a target of its own, so that it takes no turn of another. */
    const about = (threadOf: string | null = null, target: string = newId()): MessageAbout => ({
      subject: `request:${newId()}`,
      target,
      threadOf,
    });
    const take = (message: MessageAbout) => atHome((tx) => messages.take(tx, message, LEASE_MS));
    const taken = async (message: MessageAbout): Promise<HeldMessage> => {
      const held = await take(message);
      if (held === 'busy' || !('id' in held)) throw new Error(`${message.subject} is not taken`);
      return held;
    };
    const release = (id: string): Promise<void> => atHome((tx) => messages.release(tx, id));
    const lease = (id: string): Promise<void> =>
      atHome((tx) => {
        messages.lease(tx, id, LEASE_MS);
      });
    const posted = async (message: MessageAbout, at = { ...POST, ts: newId() }): Promise<HeldMessage> => {
      const { id, triedAt } = await taken(message);
      const tried = triedAt ?? (await atHome((tx) => tx.now()));
      await atHome((tx) => messages.posted(tx, id, at, 'digest'));
      return { id, posted: at, renderedDigest: 'digest', triedAt: tried, thread: null };
    };

    it('makes one message for a subject at a target, and each target has its own', async () => {
      const message = about();
      const fresh = await taken(message);
      expect(fresh).toMatchObject({ posted: null, renderedDigest: null, triedAt: null, thread: null });
      await release(fresh.id);
      await world.pass(1_000);
      expect(await taken(message)).toEqual({ ...fresh, triedAt: expect.any(Number) as number });
      const [elsewhereInSlack, another] = [await taken({ ...message, target: newId() }), await taken(about())];
      expect(new Set([fresh.id, elsewhereInSlack.id, another.id]).size).toBe(3);
    });

    it('leases a message to post and marks it as tried; it is busy until the lease ends', async () => {
      const message = about();
      const first = await atHome((tx) => tx.now());
      const { id } = await taken(message);
      await world.pass(LEASE_MS - 1);
      expect(await take(message)).toBe('busy');
      await world.pass(1);
      expect(await taken(message)).toMatchObject({ id, triedAt: first });
      await world.pass(LEASE_MS);
      expect(await taken(message)).toMatchObject({ id, triedAt: first });
    });

    it('leases a message in Slack only if it is edited', async () => {
      const message = about();
      const { id } = await posted(message);
      expect([await taken(message), await taken(message)]).toMatchObject([{ id }, { id }]);
      await lease(id);
      await world.pass(LEASE_MS - 1);
      expect(await take(message)).toBe('busy');
      await world.pass(1);
      expect(await taken(message)).toMatchObject({ id });
    });

    it('lets a post wait for its turn in the channel, and marks it only then', async () => {
      const first = about();
      await taken(first);
      const second = about(null, first.target);
      expect(await take(second)).toEqual({ delayMs: 1_000 });
      await world.pass(1_000);
      expect(await taken(second)).toMatchObject({ posted: null, triedAt: null });
    });

    it('takes a turn of the channel for a message to post, and for no other', async () => {
      const first = about();
      const [lone, reply] = [about(newId(), first.target), about(first.subject, first.target)];
      for (const waiting of [lone, reply]) expect(await take(waiting)).toEqual({ waitedMs: 0 });
      await posted(first);
      await world.pass(1_000);
      for (const again of [first, first]) await taken(again);
      await taken(reply);
      expect(await take(reply)).toBe('busy');
      const another = about(first.subject, first.target);
      expect(await take(another)).toEqual({ delayMs: 1_000 });
    });

    it('is busy for a message to post without an installation of Slack, and takes no turn', async () => {
      const message = about();
      for (let time = 0; time < 2; time += 1)
        expect(await elsewhere((tx) => messages.take(tx, message, LEASE_MS))).toBe('busy');
    });

    it('keeps the post and its digest, and the next worker has the message at once', async () => {
      const message = about();
      const { id, posted: at } = await posted(message);
      expect(await taken(message)).toMatchObject({ id, posted: at, renderedDigest: 'digest' });
      await atHome((tx) => messages.posted(tx, id, { ...POST, ts: 'later' }, 'other'));
      expect(await taken(message)).toMatchObject({ posted: { ...POST, ts: 'later' }, renderedDigest: 'other' });
    });

    it('forgets a post that is lost, with the attempt to post it', async () => {
      const message = about();
      const { id } = await posted(message);
      await lease(id);
      await atHome((tx) => messages.lost(tx, id));
      await world.pass(1_000);
      expect(await taken(message)).toEqual({ id, posted: null, renderedDigest: null, triedAt: null, thread: null });
    });

    it('releases a message, and still knows that it may be posted', async () => {
      const message = about();
      const { id } = await taken(message);
      await release(id);
      await world.pass(1_000);
      expect(await taken(message)).toMatchObject({ posted: null, triedAt: expect.any(Number) as number });
    });

    it('lets a reply wait for the message of its thread, even if the reply was there first', async () => {
      const first = about();
      const reply = about(first.subject, first.target);
      expect(await take(reply)).toEqual({ waitedMs: 0 });
      const { id, posted: thread } = await posted(first);
      await atHome((tx) => messages.lost(tx, id));
      await world.pass(700);
      expect(await take(reply)).toEqual({ waitedMs: 700 });
      await atHome((tx) => messages.posted(tx, id, thread ?? POST, 'digest'));
      await world.pass(300);
      expect(await taken(reply)).toMatchObject({ posted: null, thread });
    });

    it('knows a thread at its own target only', async () => {
      const first = about();
      await posted(first);
      expect(await take(about(first.subject))).toEqual({ waitedMs: 0 });
    });

    it('tells the conversation of a message, once it is posted', async () => {
      const message = about(null, `U${newId()}`);
      const postedAt = (target = message.target) => atHome((tx) => messages.postedAt(tx, message.subject, target));
      expect(await postedAt()).toBeNull();
      const { id } = await taken(message);
      expect(await postedAt()).toEqual({ channel: null });
      await atHome((tx) => messages.posted(tx, id, { channel: 'D1', ts: newId() }, 'digest'));
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
      expect(await elsewhere((tx) => messages.take(tx, about(message.subject), LEASE_MS))).toEqual({ waitedMs: 0 });
      await elsewhere(async (tx) => {
        messages.lease(tx, id, LEASE_MS);
        await messages.posted(tx, id, { channel: 'C9', ts: '9' }, 'theirs');
        await messages.lost(tx, id);
      });
      expect(await taken(message)).toMatchObject({ id, posted: at, renderedDigest: 'digest' });
    });

    it('lets one transaction at a time hold a message', async () => {
      const message = about();
      await posted(message);
      expect(await waitsBehind(world, (tx) => messages.take(tx, message, LEASE_MS))).toBe(true);
    });
  });
}
