import { newId, type ConnectionId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Connection, KindSettings } from '../domain/connection.js';
import type { ConnectionStore } from './connection.ports.js';

/**
 * The contract of {@link ConnectionStore}.
 *
 * @param settingsAt settings of the kind at an address and under an authority.
 */
export function describeConnections<S extends KindSettings>(
  name: string,
  settingsAt: (url: string, ca: string | null) => S,
  opened: () => { readonly world: ContractWorld; readonly connections: ConnectionStore<S> },
): void {
  describe(`${name}: the connection of a tenant`, () => {
    const inTx = <T>(work: (tx: Tx, store: ConnectionStore<S>) => Promise<T>): Promise<T> =>
      opened().world.uow.run(opened().world.home.tenantId, (tx) => work(tx, opened().connections));
    const found = (): Promise<Connection<S> | null> => inTx((tx, store) => store.find(tx));
    const id = newId<ConnectionId>();
    const [one, two] = ['https://server.example.com/one', 'https://server.example.com/two'];
    const save = (url: string, generation: number, ca: string | null = null): Promise<void> =>
      inTx(async (tx, store) =>
        store.save(tx, {
          ...{ id, settings: settingsAt(url, ca), generation },
          ...{ createdBy: opened().world.home.owner.personId, createdAt: await tx.now() },
        }),
      );
    const noted = (error: string | null, generation = 1): Promise<void> =>
      inTx((tx, store) => store.note(tx, { id, generation }, error));
    const saveToken = (token: string | null): Promise<void> => inTx((tx, store) => store.saveToken(tx, id, token));
    const token = async (): Promise<readonly [string | null, boolean | undefined]> => [
      await inTx((tx, store) => store.token(tx, id)),
      (await found())?.hasToken,
    ];
    beforeEach(() => inTx((tx, store) => store.remove(tx)));

    it('is absent at first, and has no token after it was added', async () => {
      expect(await found()).toBeNull();
      expect(await token()).toEqual([null, undefined]);
      await save(one, 1, 'an authority');
      expect(await found()).toEqual({
        ...settingsAt(one, 'an authority'),
        ...{ id, generation: 1, hasToken: false, answeredAt: null, error: null, errorAt: null },
        createdBy: opened().world.home.owner.personId,
        createdAt: expect.any(Number) as number,
      });
    });

    it('keeps its token at the same address alone', async () => {
      await save(one, 1);
      await saveToken('one-token');
      expect(await token()).toEqual(['one-token', true]);
      await save(one, 2, 'another authority');
      expect(await token()).toEqual(['one-token', true]);
      expect(await found()).toMatchObject({ generation: 2, ca: 'another authority' });
      await save(two, 3);
      expect(await token()).toEqual([null, false]);
    });

    it('loses its token on request', async () => {
      await save(one, 1);
      await saveToken('one-token');
      await saveToken(null);
      expect(await token()).toEqual([null, false]);
    });

    it('shows its last error until it answers again, or is of another generation', async () => {
      await save(one, 1);
      await noted('It answered 503.');
      const failed = await found();
      expect(failed).toMatchObject({ error: 'It answered 503.', answeredAt: null });
      expect(failed?.errorAt).not.toBeNull();
      await noted(null);
      const answered = await found();
      expect(answered).toMatchObject({ error: null, errorAt: null });
      expect(answered?.answeredAt).not.toBeNull();
      await noted('It answered 503.');
      await save(one, 1, 'another authority');
      expect(await found()).toMatchObject({ error: 'It answered 503.' });
      await save(one, 2);
      expect(await found()).toMatchObject({ error: null, errorAt: null, answeredAt: null });
    });

    it('takes no note about a former generation', async () => {
      await save(one, 2);
      await noted('It answered 503.', 1);
      expect(await found()).toMatchObject({ generation: 2, error: null });
    });

    it('is another tenant’s never, and is gone when it was removed', async () => {
      await save(one, 1);
      const { world, connections } = opened();
      expect(await world.uow.run(world.other.tenantId, (tx) => connections.find(tx))).toBeNull();
      await inTx((tx, store) => store.remove(tx));
      expect(await found()).toBeNull();
    });
  });
}
