import type { PersonId, Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { EVERYTHING } from '../domain/preferences.js';
import type { PreferenceStore } from './delivery.ports.js';

const NO_COMMENTS = { requests: true, reminders: true, comments: false };

/** The contract of {@link PreferenceStore}. */
export function describePreferenceStore(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly preferences: PreferenceStore }>,
): void {
  describe(`${name} keeps the contract of PreferenceStore`, () => {
    let world: ContractWorld;
    let preferences: PreferenceStore;
    let owner: PersonId;
    let admin: PersonId;
    beforeEach(async () => {
      ({ world, preferences } = await open());
      owner = world.home.owner.personId;
      admin = world.home.admin.personId;
    });
    afterEach(() => world.close());

    const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const of = (...people: readonly PersonId[]) => inTx((tx) => preferences.of(tx, people));

    it('has nothing of a person who set nothing', async () => {
      await inTx((tx) => preferences.save(tx, owner, {}));
      expect(await of(owner, admin)).toEqual(new Map());
      expect(await of()).toEqual(new Map());
    });

    it('keeps the channels of each person who is asked for', async () => {
      await inTx((tx) => preferences.save(tx, owner, { email: NO_COMMENTS, push: EVERYTHING }));
      await inTx((tx) => preferences.save(tx, admin, { email: EVERYTHING }));
      expect(await of(owner)).toEqual(new Map([[owner, { email: NO_COMMENTS, push: EVERYTHING }]]));
      expect(await of(admin, owner)).toEqual(
        new Map([
          [owner, { email: NO_COMMENTS, push: EVERYTHING }],
          [admin, { email: EVERYTHING }],
        ]),
      );
    });

    it('replaces a channel that is saved again, and leaves the others', async () => {
      await inTx((tx) => preferences.save(tx, owner, { email: EVERYTHING, push: NO_COMMENTS }));
      await inTx((tx) => preferences.save(tx, owner, { email: NO_COMMENTS }));
      expect(await of(owner)).toEqual(new Map([[owner, { email: NO_COMMENTS, push: NO_COMMENTS }]]));
    });

    it('keeps nothing of a transaction that failed', async () => {
      const failing = inTx(async (tx) => {
        await preferences.save(tx, owner, { email: NO_COMMENTS });
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(await of(owner)).toEqual(new Map());
    });

    it('T19: shows another tenant nothing', async () => {
      await inTx((tx) => preferences.save(tx, owner, { email: NO_COMMENTS }));
      expect(await world.uow.run(world.other.tenantId, (tx) => preferences.of(tx, [owner]))).toEqual(new Map());
    });
  });
}
