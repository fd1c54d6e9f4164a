import { newId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { AddressCheck } from '../domain/destination.js';
import type { DestinationCheckStore } from './incident.ports.js';

/** The store of checks, and the id by which a worker is handed the check of an address. */
interface ChecksOpened {
  readonly world: ContractWorld;
  readonly checks: DestinationCheckStore;
  idOf(tx: Tx, address: string): Promise<string | null>;
}

const AT = Date.UTC(2026, 0, 5, 8);

/** The contract of a store of test messages to addresses. */
export function describeDestinationChecks(name: string, open: () => Promise<ChecksOpened>): void {
  describe(`${name} keeps the contract of DestinationCheckStore`, () => {
    let opened: ChecksOpened;
    let world: ContractWorld;
    let checks: DestinationCheckStore;
    beforeAll(async () => {
      opened = await open();
      ({ world, checks } = opened);
    });
    afterAll(() => world.close());
    afterEach(() => atHome((tx) => checks.keepOnly(tx, [])));

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    /** Saves a test that began at this time. */
    const tested = (address: string, checkedAt: number, error: string | null = null): Promise<boolean> =>
      atHome((tx) => checks.save(tx, { address, checkedAt, answeredAt: error === null ? checkedAt : null, error }));
    const of = async (address: string): Promise<AddressCheck | undefined> =>
      (await atHome((tx) => checks.all(tx))).get(address);
    const outdate = (addresses: readonly string[], at: number): Promise<void> =>
      atHome((tx) => checks.outdate(tx, addresses, at, 'Slack was set up anew.'));

    it('keeps the last test of each address, and when the address last took a message', async () => {
      expect(await tested('C1', AT)).toBe(true);
      const answered = { address: 'C1', checkedAt: AT, answeredAt: AT, error: null, outdated: false };
      expect(await of('C1')).toEqual(answered);
      expect(await tested('C1', AT + 5, 'channel_not_found')).toBe(true);
      expect(await of('C1')).toEqual({ ...answered, checkedAt: AT + 5, error: 'channel_not_found' });
      expect(await tested('C1', AT + 9)).toBe(true);
      expect(await of('C1')).toEqual({ ...answered, checkedAt: AT + 9, answeredAt: AT + 9 });
      expect(await of('C2')).toBeUndefined();
    });

    it('voids the tests of a set-up that changed, and keeps no test that began before', async () => {
      await tested('C1', AT);
      await tested('C2', AT);
      await outdate(['C1', 'C3'], AT + 10);
      const voided = { answeredAt: AT, error: 'Slack was set up anew.', outdated: true };
      expect(await of('C1')).toMatchObject({ checkedAt: AT, ...voided });
      expect(await of('C2')).toMatchObject({ error: null, outdated: false });
      expect(await of('C3')).toBeUndefined();
      expect(await tested('C1', AT + 9)).toBe(false);
      expect(await of('C1')).toMatchObject({ checkedAt: AT, ...voided });
      expect(await tested('C1', AT + 10)).toBe(true);
      expect(await of('C1')).toMatchObject({ checkedAt: AT + 10, error: null, outdated: false });
      await outdate(['C1'], AT + 20);
      expect(await of('C1')).toMatchObject({ outdated: true });
    });

    it('deletes the tests of every address but those named', async () => {
      for (const address of ['C1', 'C2', 's@example.com']) await tested(address, AT);
      await atHome((tx) => checks.keepOnly(tx, ['s@example.com', 'C9']));
      expect([...(await atHome((tx) => checks.all(tx))).keys()]).toEqual(['s@example.com']);
      await atHome((tx) => checks.keepOnly(tx, []));
      expect(await atHome((tx) => checks.all(tx))).toEqual(new Map());
    });

    it('names the address of a check, under one id as long as the address is kept', async () => {
      await tested('C1', AT);
      const id = (await atHome((tx) => opened.idOf(tx, 'C1'))) ?? '';
      await tested('C1', AT + 1, 'channel_not_found');
      expect(await atHome((tx) => checks.addressOf(tx, id))).toBe('C1');
      expect(await atHome((tx) => checks.addressOf(tx, newId()))).toBeNull();
      expect(await elsewhere((tx) => checks.addressOf(tx, id))).toBeNull();
      await atHome((tx) => checks.keepOnly(tx, []));
      expect(await atHome((tx) => checks.addressOf(tx, id))).toBeNull();
    });

    it('shows another tenant no test, and lets it void or delete none', async () => {
      await tested('C1', AT);
      const before = await of('C1');
      expect(await elsewhere((tx) => checks.all(tx))).toEqual(new Map());
      await elsewhere((tx) => checks.outdate(tx, ['C1'], AT + 1, 'elsewhere'));
      await elsewhere((tx) => checks.keepOnly(tx, []));
      expect(await of('C1')).toEqual(before);
    });
  });
}
