import { newId, type Tx } from '#lib/kernel';
import type { ClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { PacedCall, SlackPace } from './slack.ports.js';

/** The contract of {@link SlackPace}. */
export function describeSlackPace(
  name: string,
  open: () => Promise<{ readonly world: ClockedWorld; readonly pace: SlackPace }>,
): void {
  describe(`${name} keeps the contract of SlackPace`, () => {
    let world: ClockedWorld;
    let pace: SlackPace;
    /** A channel of the test's own. */
    let channel: string;
    beforeAll(async () => {
      ({ world, pace } = await open());
    });
    beforeEach(async () => {
      channel = newId();
      // Every earlier turn is over.
      await world.pass(600_000);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const take = (kind: PacedCall['kind'], target = channel): Promise<number> =>
      atHome((tx) => pace.take(tx, { kind, target }));
    const hold = (kind: PacedCall['kind'], delayMs: number): Promise<void> =>
      atHome((tx) => pace.hold(tx, { kind, target: channel }, delayMs));

    it('lets one message a second into a channel, and gives each that waits a second of its own', async () => {
      expect(await take('message')).toBe(0);
      expect(await take('message')).toBe(1_000);
      expect(await take('message')).toBe(2_000);
      expect(await take('message', newId())).toBe(0);
      await world.pass(1_000);
      expect(await take('message')).toBe(0);
      expect(await take('message')).toBe(2_000);
    });

    it('lets a reply wait for new messages that wait, and not the other way round', async () => {
      expect(await take('reply')).toBe(0);
      expect(await take('reply')).toBe(1_000);
      expect(await take('reply')).toBe(2_000);
      expect(await take('message')).toBe(1_000);
      await world.pass(1_000);
      // The second is free, and it is the message's.
      expect(await take('reply')).toBeGreaterThan(0);
      expect(await take('message')).toBe(0);
      await world.pass(1_000);
      expect(await take('reply')).toBe(0);
    });

    it('gives the turn of a message that never came to a reply', async () => {
      await take('message');
      await take('message');
      await world.pass(2_200);
      expect(await take('reply')).toBeGreaterThan(0);
      await world.pass(200);
      expect(await take('reply')).toBe(0);
    });

    it('gives edits a pace of their own: ten at once, and never more than fifty a minute', async () => {
      expect(await take('message')).toBe(0);
      const editsNow = async (): Promise<number> => {
        for (let edits = 0; ; edits += 1) if ((await take('edit', newId())) !== 0) return edits;
      };
      let minute = await editsNow();
      expect(minute).toBe(10);
      for (let second = 0; second < 60; second += 3) {
        await world.pass(3_000);
        minute += await editsNow();
      }
      expect(minute).toBe(50);
    });

    it('waits as long as Slack said', async () => {
      for (const kind of ['message', 'edit'] as const) {
        expect(await take(kind)).toBe(0);
        await hold(kind, 30_000);
        expect(await take(kind)).toBe(30_000);
      }
      expect(await take('message', newId())).toBe(0);
      await hold('message', 10);
      expect(await take('message')).toBeGreaterThan(1_000);
    });

    it('lets a call that came a little early keep its turn', async () => {
      await take('message');
      await take('message');
      await world.pass(900);
      expect(await take('message')).toBe(100);
      await world.pass(100);
      expect(await take('message')).toBe(0);
    });

    it('counts each tenant alone', async () => {
      await take('message');
      const theirs = world.uow.run(world.other.tenantId, (tx) => pace.take(tx, { kind: 'message', target: channel }));
      expect(await theirs).toBe(0);
    });

    it('decides the turns of a channel one after another', async () => {
      await take('message');
      expect(await waitsBehind(world, (tx) => pace.take(tx, { kind: 'message', target: channel }))).toBe(true);
    });
  });
}
