import type { AgentId, PersonId } from '#lib/kernel';
import {
  asked,
  because,
  happened,
  inTx,
  MINUTE,
  openRequest,
  type ApprovalStore,
  type OpenStore,
} from './approval-store.contract.js';

/** The contract of {@link FloodRepository}. */
export function describeFloodRepository(name: string, open: OpenStore): void {
  let store: ApprovalStore;
  let now: number;
  beforeEach(async () => {
    store = await open();
    now = await inTx(store, (tx) => tx.now());
  });
  const latest = (id: AgentId | PersonId, limit = 10, kind: 'agent' | 'person' = 'agent') =>
    inTx(store, (tx) => store.floods.latest(tx, { kind, id }, limit));
  const throttled = (id: AgentId | PersonId, since: number, until: number) =>
    inTx(store, (tx) => store.floods.throttled(tx, id, { since, until }));

  describe(`${name}: how often agents ask`, () => {
    it('is told by when their latest requests opened, newest first, in every state', async () => {
      const [bot, other] = [await store.agent(), await store.agent()];
      const by = ({ id, credentialId }: typeof bot) => ({
        requester: { kind: 'agent', id, onBehalfOf: null, credentialId } as const,
      });
      expect(await latest(bot.id)).toEqual([]);
      const opened = [now - 3 * MINUTE, now - MINUTE, now - 2 * MINUTE];
      for (const openedAt of opened) await asked(store, { ...by(bot), openedAt });
      await happened(store, await asked(store, { ...by(bot), openedAt: now }), { name: 'deny', reason: because });
      await asked(store, { ...by(other), openedAt: now });
      expect(await latest(bot.id)).toEqual([now, now - MINUTE, now - 2 * MINUTE, now - 3 * MINUTE]);
      expect(await latest(bot.id, 2)).toEqual([now, now - MINUTE]);
      const elsewhere = await open();
      expect(await inTx(elsewhere, (tx) => store.floods.latest(tx, { kind: 'agent', id: bot.id }, 10))).toEqual([]);
    });

    it('T55: is told of a person as of an agent', async () => {
      const { id, credentialId } = await store.person();
      const requester = { kind: 'person', id, onBehalfOf: null, credentialId } as const;
      await asked(store, { requester, openedAt: now });
      expect([await latest(id, 10, 'person'), await latest(id)]).toEqual([[now], []]);
      expect([await throttled(id, now, now + MINUTE), await throttled(id, now, now + MINUTE)]).toEqual([true, false]);
    });

    it('T09: is counted for one request at a time', async () => {
      const { id, credentialId } = await store.agent();
      const requester = { kind: 'agent', id, onBehalfOf: null, credentialId } as const;
      const request = await openRequest(store, { requester });
      let counted = (): void => undefined;
      const hasCounted = new Promise<void>((resolve) => {
        counted = resolve;
      });
      const first = inTx(store, async (tx) => {
        await store.floods.latest(tx, { kind: 'agent', id }, 10);
        counted();
        // Time for the other to count, if nothing kept it from doing so.
        for (let round = 0; round < 50; round += 1) await tx.now();
        await store.requests.insert(tx, request);
      });
      await hasCounted;
      expect(await latest(id)).toEqual([request.openedAt]);
      await first;
    });

    it('is said once a time in which they are refused', async () => {
      const [bot, other] = [await store.agent(), await store.agent()];
      expect(await throttled(bot.id, now, now + 5 * MINUTE)).toBe(true);
      expect(await throttled(bot.id, now + MINUTE, now + 6 * MINUTE)).toBe(false);
      expect(await throttled(other.id, now + MINUTE, now + 6 * MINUTE)).toBe(true);
      // The second refusal has lengthened the first time.
      expect(await throttled(bot.id, now + 5 * MINUTE, now + 7 * MINUTE)).toBe(false);
      expect(await throttled(bot.id, now + 7 * MINUTE, now + 9 * MINUTE)).toBe(true);
    });
  });
}
