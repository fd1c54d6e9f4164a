import { newId, type PersonId } from '#lib/kernel';
import type { Absence } from '../domain/absence.js';
import { inTx, MINUTE, type ApprovalStore, type OpenStore } from './approval-store.contract.js';

/** The contract of {@link AbsenceRepository}. */
export function describeAbsenceRepository(name: string, open: OpenStore): void {
  let store: ApprovalStore;
  let now: number;
  let [ada, ben, cem] = [newId<PersonId>(), newId<PersonId>(), newId<PersonId>()];
  beforeEach(async () => {
    store = await open();
    now = await inTx(store, (tx) => tx.now());
    [ada, ben, cem] = [(await store.person()).id, (await store.person()).id, (await store.person()).id];
  });
  const away = async (personId: PersonId, delegateId: PersonId, createdAt = now): Promise<Absence> => {
    const dates = { from: createdAt + MINUTE, until: createdAt + 9 * MINUTE, createdAt };
    const absence = { id: newId(), personId, delegateId, roles: ['SRELead'], ...dates, endedAt: null, endedBy: null };
    await inTx(store, (tx) => store.absences.insert(tx, absence));
    return absence;
  };
  const find = ({ id }: Absence) => inTx(store, (tx) => store.absences.lock(tx, id));

  describe(`${name}: absences`, () => {
    it('come back as they were made', async () => {
      const absence = await away(ada, ben);
      expect(await find(absence)).toEqual(absence);
      expect(await inTx(store, (tx) => store.absences.lock(tx, newId()))).toBeNull();
    });

    it('end once, by the first person to end them', async () => {
      const absence = await away(ada, ben);
      const end = (at: number, by: PersonId) => inTx(store, (tx) => store.absences.end(tx, absence.id, { at, by }));
      await end(now + 1, cem);
      await end(now + 2, ada);
      expect(await find(absence)).toEqual({ ...absence, endedAt: now + 1, endedBy: cem });
    });

    it('are listed newest first, those of one moment by id, in pages', async () => {
      const made: Absence[] = [];
      for (const at of [now - 2, now - 1, now - 1, now]) made.push(await away(ada, ben, at));
      const newest = made.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
      const list = (limit: number, after: { at: number; id: string } | null) =>
        inTx(store, (tx) => store.absences.list(tx, { limit, after }));
      expect(await list(10, null)).toEqual(newest);
      const [, second] = newest;
      if (second === undefined) throw new Error('four were made');
      expect(await list(1, { at: second.createdAt, id: second.id })).toEqual(newest.slice(2, 3));
    });

    it('are found by their delegate, unless they were taken back, the oldest first', async () => {
      const second = await away(ada, ben, now - 1);
      const first = await away(cem, ben, now - 2);
      const over = await away(ada, ben, now - 60 * MINUTE);
      const ended = await away(ada, ben);
      await inTx(store, (tx) => store.absences.end(tx, ended.id, { at: now, by: ada }));
      await away(ben, cem);
      const handed = (...to: PersonId[]) => inTx(store, (tx) => store.absences.handedTo(tx, to));
      // Whether its dates are over, the caller asks.
      expect(await handed(ben)).toEqual([over, first, second]);
      expect(await handed(ben, cem)).toHaveLength(4);
      expect(await handed(ada)).toEqual([]);
    });

    it('keep to their tenant', async () => {
      const absence = await away(ada, ben);
      const elsewhere = await open();
      const seen = await inTx(elsewhere, async (tx) => [
        await store.absences.lock(tx, absence.id),
        ...(await store.absences.handedTo(tx, [ben])),
        ...(await store.absences.list(tx, { limit: 10, after: null })),
      ]);
      expect(seen).toEqual([null]);
      await inTx(elsewhere, (tx) => store.absences.end(tx, absence.id, { at: now, by: ada }));
      expect(await find(absence)).toEqual(absence);
    });
  });
}
