import { newId, type IncidentId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { PageAction } from '../domain/page-event.js';
import type { Page, PageQueue } from './incident.ports.js';

/** The queue of pages, and incidents of the world's tenant `home`. */
interface PagesOpened {
  readonly world: ContractWorld;
  readonly pages: PageQueue;
  newIncident(): Promise<IncidentId>;
}

const LEASE_MS = 60_000;
/** For a turn that is due again at once. */
const NO_TIME = 0;

/** The contract of a queue of events for PagerDuty. */
export function describePageQueue(name: string, open: () => Promise<PagesOpened>): void {
  describe(`${name} keeps the contract of PageQueue`, () => {
    let opened: PagesOpened;
    let world: ContractWorld;
    let pages: PageQueue;
    beforeAll(async () => {
      opened = await open();
      ({ world, pages } = opened);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const of = (id: IncidentId): Promise<readonly Page[]> => atHome((tx) => pages.of(tx, id));
    const claim = (id: string, leaseMs = LEASE_MS): Promise<Page | null> =>
      atHome((tx) => pages.claim(tx, id, leaseMs));
    /** The pages of a new incident, in the order in which they were written. */
    const written = async (...actions: readonly PageAction[]): Promise<readonly [IncidentId, ...string[]]> => {
      const id = await opened.newIncident();
      for (const action of actions) await atHome((tx) => pages.write(tx, id, action));
      return [id, ...(await of(id)).map((page) => page.id)];
    };
    const now = (): Promise<number> => atHome((tx) => tx.now());

    it('writes each action once, and none before a trigger', async () => {
      const [untriggered] = await written('acknowledge', 'resolve');
      expect(await of(untriggered)).toEqual([]);
      const before = await now();
      const [id] = await written('trigger', 'trigger', 'acknowledge', 'acknowledge', 'resolve');
      const found = await of(id);
      expect(found.map(({ action }) => action)).toEqual(['trigger', 'acknowledge', 'resolve']);
      for (const page of found) {
        expect(page).toMatchObject({ incidentId: id, state: 'pending', attempts: 0, lastError: null });
        expect(page.createdAt).toBeGreaterThanOrEqual(before);
      }
    });

    it('leases a page to one worker, and counts the attempt', async () => {
      const [id, trigger = ''] = await written('trigger');
      expect(await claim(trigger, NO_TIME)).toMatchObject({
        id: trigger,
        incidentId: id,
        action: 'trigger',
        attempts: 1,
      });
      expect(await claim(trigger)).toMatchObject({ state: 'pending', attempts: 2 });
      expect(await claim(trigger)).toBeNull();
      expect(await of(id)).toMatchObject([{ attempts: 2 }]);
      expect(await claim(newId())).toBeNull();
    });

    it('leases a page after all earlier ones of its incident are sent or given up', async () => {
      const [id, trigger = '', acknowledge = '', resolve = ''] = await written('trigger', 'acknowledge', 'resolve');
      expect([await claim(acknowledge), await claim(resolve)]).toEqual([null, null]);
      await atHome((tx) => pages.sent(tx, trigger));
      expect(await claim(resolve)).toBeNull();
      expect(await claim(acknowledge)).toMatchObject({ action: 'acknowledge' });
      await atHome((tx) => pages.giveUp(tx, acknowledge, 'PagerDuty answered 400'));
      expect(await claim(resolve)).toMatchObject({ action: 'resolve' });
      expect(await of(id)).toMatchObject([
        { state: 'sent', lastError: null },
        { state: 'failed', lastError: 'PagerDuty answered 400' },
        { state: 'pending' },
      ]);
    });

    it('postpones a page, with the start of the error', async () => {
      const [id, trigger = ''] = await written('trigger');
      await claim(trigger);
      await atHome((tx) => pages.postpone(tx, trigger, 'x'.repeat(3_000), NO_TIME));
      expect(await of(id)).toMatchObject([{ state: 'pending', attempts: 1, lastError: 'x'.repeat(2_000) }]);
      expect(await claim(trigger)).toMatchObject({ attempts: 2 });
      await atHome((tx) => pages.postpone(tx, trigger, 'later', LEASE_MS));
      expect(await claim(trigger)).toBeNull();
    });

    it('settles a page once: a sent or failed one stays as it is', async () => {
      const [id, trigger = '', acknowledge = ''] = await written('trigger', 'acknowledge');
      await atHome((tx) => pages.sent(tx, trigger));
      await atHome((tx) => pages.giveUp(tx, acknowledge, 'refused'));
      const settled = await of(id);
      for (const page of [trigger, acknowledge]) {
        await atHome((tx) => pages.sent(tx, page));
        await atHome((tx) => pages.postpone(tx, page, 'again', NO_TIME));
        await atHome((tx) => pages.giveUp(tx, page, 'again'));
        expect(await claim(page)).toBeNull();
      }
      expect(await of(id)).toEqual(settled);
    });

    it('makes a failed page due again, with all later ones of its incident', async () => {
      const [id, trigger = '', acknowledge = '', resolve = ''] = await written('trigger', 'acknowledge', 'resolve');
      const [bystander, other = ''] = await written('trigger');
      await atHome((tx) => pages.sent(tx, trigger));
      await claim(acknowledge);
      await atHome((tx) => pages.giveUp(tx, acknowledge, 'refused'));
      await claim(resolve);
      await atHome((tx) => pages.sent(tx, resolve));
      await atHome((tx) => pages.giveUp(tx, other, 'refused'));
      const failed = await atHome((tx) => pages.lock(tx, acknowledge));
      if (failed === null) throw new Error('the page is gone');
      await atHome((tx) => pages.retry(tx, failed));
      expect(await of(id)).toMatchObject([
        { state: 'sent' },
        { state: 'pending', attempts: 0, lastError: 'refused' },
        { state: 'pending', attempts: 0 },
      ]);
      expect(await of(bystander)).toMatchObject([{ state: 'failed' }]);
      expect(await claim(resolve)).toBeNull();
      expect(await claim(acknowledge)).toMatchObject({ attempts: 1 });
    });

    it('lists pages that were given up, the newest first and by pages', async () => {
      const failed: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const [, trigger = '', acknowledge = ''] = await written('trigger', 'acknowledge');
        await atHome((tx) => pages.sent(tx, trigger));
        await atHome((tx) => pages.giveUp(tx, acknowledge, 'refused'));
        failed.unshift(acknowledge);
      }
      const listed = (limit: number, after: Page | null) =>
        atHome((tx) => pages.failed(tx, { limit, after: after && { at: after.createdAt, id: after.id } }));
      const first = await listed(2, null);
      expect(first.map(({ id }) => id)).toEqual(failed.slice(0, 2));
      expect(first[0]).toEqual((await listed(1, null))[0]);
      expect((await listed(1, first[1] ?? null)).map(({ id }) => id)).toEqual(failed.slice(2));
    });

    it('lets one transaction at a time hold a page', async () => {
      const [, trigger = ''] = await written('trigger');
      expect(await waitsBehind(world, (tx) => pages.lock(tx, trigger))).toBe(true);
    });

    it('shows another tenant no page, and lets it change none', async () => {
      const [id, trigger = ''] = await written('trigger');
      const before = await of(id);
      expect(await elsewhere((tx) => pages.of(tx, id))).toEqual([]);
      expect(await elsewhere((tx) => pages.lock(tx, trigger))).toBeNull();
      expect(await elsewhere((tx) => pages.claim(tx, trigger, LEASE_MS))).toBeNull();
      expect(await elsewhere((tx) => pages.failed(tx, { limit: 9, after: null }))).toEqual([]);
      await elsewhere((tx) => pages.giveUp(tx, trigger, 'refused'));
      await elsewhere((tx) => pages.sent(tx, trigger));
      expect(await of(id)).toEqual(before);
    });
  });
}
