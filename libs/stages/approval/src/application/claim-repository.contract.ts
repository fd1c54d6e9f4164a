import type { ApprovalRequestId } from '#lib/kernel';
import { claims } from '../domain/claim.js';
import { asked, inTx, MINUTE, type ApprovalStore, type OpenStore } from './approval-store.contract.js';

/** The contract of {@link ClaimRepository}. */
export function describeClaimRepository(name: string, open: OpenStore): void {
  let store: ApprovalStore;
  let now: number;
  beforeEach(async () => {
    store = await open();
    now = await inTx(store, (tx) => tx.now());
  });
  const standing = (id: ApprovalRequestId, at: number) => inTx(store, (tx) => store.claims.claim(tx, id, at));

  describe(`${name}: claims`, () => {
    it('stand until their time is over', async () => {
      const [{ id }, ada] = [await asked(store), await store.person()];
      expect(await standing(id, now)).toBeNull();
      const claim = claims(ada.id, now);
      await inTx(store, (tx) => store.claims.saveClaim(tx, id, claim));
      expect(await standing(id, now)).toEqual(claim);
      expect(await standing(id, claim.expiresAt - 1)).toEqual(claim);
      expect(await standing(id, claim.expiresAt)).toBeNull();
    });

    it('are one a request: the last saved stands', async () => {
      const [{ id }, ada, ben] = [await asked(store), await store.person(), await store.person()];
      const [first, later] = [claims(ada.id, now), claims(ben.id, now + MINUTE)];
      await inTx(store, (tx) => store.claims.saveClaim(tx, id, first));
      await inTx(store, (tx) => store.claims.saveClaim(tx, id, later));
      expect(await standing(id, now)).toEqual(later);
    });

    it('are released by their holder', async () => {
      const [{ id }, ada, ben] = [await asked(store), await store.person(), await store.person()];
      await inTx(store, (tx) => store.claims.saveClaim(tx, id, claims(ada.id, now)));
      const release = (by: typeof ada) => inTx(store, (tx) => store.claims.releaseClaim(tx, id, by.id));
      expect(await release(ben)).toBe(false);
      expect((await standing(id, now))?.personId).toBe(ada.id);
      expect(await release(ada)).toBe(true);
      expect(await standing(id, now)).toBeNull();
      expect(await release(ada)).toBe(false);
    });

    it('of many requests are told apart, and keep to their tenant', async () => {
      const [one, other, ada] = [await asked(store), await asked(store), await store.person()];
      const over = claims(ada.id, now - 60 * MINUTE);
      await inTx(store, (tx) => store.claims.saveClaim(tx, one.id, claims(ada.id, now)));
      await inTx(store, (tx) => store.claims.saveClaim(tx, other.id, over));
      const ids = [one.id, other.id];
      const found = await inTx(store, (tx) => store.claims.claimsOf(tx, ids, now));
      expect([...found]).toEqual([[one.id, claims(ada.id, now)]]);
      expect((await inTx(store, (tx) => store.claims.claimsOf(tx, [], now))).size).toBe(0);
      const elsewhere = await open();
      expect((await inTx(elsewhere, (tx) => store.claims.claimsOf(tx, ids, now))).size).toBe(0);
      expect(await inTx(elsewhere, (tx) => store.claims.releaseClaim(tx, one.id, ada.id))).toBe(false);
    });
  });

  describe(`${name}: looks`, () => {
    it('are new once a person and request', async () => {
      const [one, other, ada, ben] = [
        await asked(store),
        await asked(store),
        await store.person(),
        await store.person(),
      ];
      const saw = (id: ApprovalRequestId, by: typeof ada, at: number) =>
        inTx(store, (tx) => store.claims.saw(tx, id, by.id, at));
      expect(await saw(one.id, ada, now)).toBe(true);
      expect(await saw(one.id, ada, now + MINUTE)).toBe(false);
      expect(await saw(one.id, ben, now)).toBe(true);
      expect(await saw(other.id, ada, now)).toBe(true);
    });
  });
}
