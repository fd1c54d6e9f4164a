import { createHash } from 'node:crypto';
import { newId, type Tx } from '#lib/kernel';
import type { ClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import type { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import type { Interaction } from '../domain/interaction.js';
import type { SlackInteractions } from './slack.ports.js';

const LEASE_MS = 30_000;
const SENDER = { user: 'UADA', team: 'T1', channel: 'C1' };
const PRESSED: Interaction = { kind: 'button', action: 'approve', value: 'v1', trigger: '1.2', ...SENDER };

export interface InteractionStore {
  readonly world: ClockedWorld;
  readonly interactions: SlackInteractions;
  /** The jobs that the store enqueued. */
  readonly jobs: FakeJobQueue;
  /** The outcome of an interaction of the home tenant; null until it is done. */
  outcome(id: string): Promise<string | null>;
}

/** The contract of {@link SlackInteractions}. */
export function describeSlackInteractions(name: string, open: () => Promise<InteractionStore>): void {
  describe(`${name} keeps the contract of SlackInteractions`, () => {
    let store: InteractionStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.other.tenantId, work);
    const receive =
      (body: string, interaction: Interaction = PRESSED) =>
      (tx: Tx) =>
        store.interactions.receive(tx, createHash('sha256').update(body).digest(), interaction);
    const received = async (interaction?: Interaction): Promise<string> => {
      const id = await atHome(receive(newId(), interaction));
      if (id === null) throw new Error('the interaction was not taken');
      return id;
    };
    const claim = (id: string) => atHome((tx) => store.interactions.claim(tx, id, LEASE_MS));
    const enqueued = () => store.jobs.of(store.world.home).filter(({ name: job }) => job === 'slack.interaction');

    it.each<Interaction>([
      PRESSED,
      { kind: 'comment', action: 'reject', value: 'v1', comment: 'no', ...SENDER },
      { kind: 'reply', action: 'comment', subject: 'request:1', text: 'why?', ...SENDER },
    ])('gives a $kind back whole to the worker who claims it', async (interaction) => {
      const id = await received(interaction);
      expect(await claim(id)).toEqual({ id, interaction, attempts: 1 });
    });

    it('T13: takes a body once, with one job', async () => {
      const body = newId();
      const id = await atHome(receive(body));
      expect(await atHome(receive(body))).toBeNull();
      expect(enqueued().filter((job) => job.id === id)).toHaveLength(1);
      const { length } = enqueued();
      await atHome(receive(body));
      expect(enqueued()).toHaveLength(length);
    });

    it('takes the same body for each tenant, and shows no tenant the interaction of another', async () => {
      const body = newId();
      const id = await atHome(receive(body));
      expect(await elsewhere(receive(body))).not.toBeNull();
      expect(await elsewhere((tx) => store.interactions.claim(tx, id ?? '', LEASE_MS))).toBeNull();
      await elsewhere((tx) => store.interactions.done(tx, id ?? '', 'done'));
      expect(await claim(id ?? '')).toMatchObject({ attempts: 1 });
    });

    it('keeps nothing of a transaction that failed', async () => {
      const body = newId();
      const failing = atHome(async (tx) => {
        await receive(body)(tx);
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(await atHome(receive(body))).not.toBeNull();
    });

    it('lets one worker at a time have an interaction, and counts its attempts', async () => {
      const id = await received();
      expect(await claim(id)).toMatchObject({ attempts: 1 });
      await store.world.pass(LEASE_MS - 1);
      expect(await claim(id)).toBeNull();
      await store.world.pass(1);
      expect(await claim(id)).toMatchObject({ attempts: 2 });
      expect(await claim(newId())).toBeNull();
    });

    it('takes the lease of the attempt that counts back, for as long as it says', async () => {
      const id = await received();
      const first = await claim(id);
      const giveBack = (attempts: number) => (tx: Tx) => store.interactions.giveBack(tx, { id, attempts }, 1_000);
      await elsewhere(giveBack(1));
      await atHome(giveBack(0));
      await store.world.pass(1_000);
      expect(await claim(id)).toBeNull();
      await atHome(giveBack(first?.attempts ?? 0));
      await store.world.pass(999);
      expect(await claim(id)).toBeNull();
      await store.world.pass(1);
      expect(await claim(id)).toMatchObject({ attempts: 2 });
    });

    it('gives a finished one to no worker, and keeps its first outcome', async () => {
      const id = await received();
      expect(await store.outcome(id)).toBeNull();
      await atHome((tx) => store.interactions.done(tx, id, 'slack.not_linked'));
      await atHome((tx) => store.interactions.done(tx, id, 'done'));
      expect(await store.outcome(id)).toBe('slack.not_linked');
      expect(await claim(id)).toBeNull();
    });
  });
}
