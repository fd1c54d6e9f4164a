import { newId, type PersonId } from '#lib/kernel';
import { inTx, MINUTE, type ApprovalStore, type OpenStore } from './approval-store.contract.js';

/** The contract of {@link People}. */
export function describePeople(name: string, open: OpenStore): void {
  let store: ApprovalStore;
  let now: number;
  beforeEach(async () => {
    store = await open();
    now = await inTx(store, (tx) => tx.now());
  });
  const away = async (personId: PersonId, delegateId: PersonId, roles: string[], from = now - 1): Promise<string> => {
    const id = newId();
    const dates = { from, until: from + 60 * MINUTE, createdAt: now - MINUTE, endedAt: null, endedBy: null };
    await inTx(store, (tx) => store.absences.insert(tx, { id, personId, delegateId, roles, ...dates }));
    return id;
  };
  const rolesOf = async (id: PersonId): Promise<string[] | undefined> =>
    (await inTx(store, (tx) => store.people.standing(tx, [id])))
      .get(id)
      ?.roles.map(({ role }) => role)
      .sort();

  describe(`${name}: people`, () => {
    it('stand with the roles that they hold now, those that are gone too', async () => {
      const [ada, ben] = [await store.person('SRELead', 'DevOpsEngineer'), await store.person('SRELead')];
      expect(await rolesOf(ada.id)).toEqual(['DevOpsEngineer', 'SRELead']);
      await store.revoke(ada.id, 'SRELead');
      expect(await rolesOf(ada.id)).toEqual(['DevOpsEngineer']);
      await store.disable(ben.id);
      const found = await inTx(store, (tx) => store.people.standing(tx, [ada.id, ben.id, newId<PersonId>(), ada.id]));
      expect([...found.values()].map(({ personId, disabled }) => [personId, disabled]).sort()).toEqual(
        [
          [ada.id, false],
          [ben.id, true],
        ].sort(),
      );
    });

    it('are absent if the request is theirs, and its credential has ended', async () => {
      const [ada, ben] = [await store.person(), await store.person()];
      const caller = { personId: ada.id, credentialId: ada.credentialId };
      const standing = async (): Promise<PersonId[]> =>
        [...(await inTx(store, (tx) => store.people.standing(tx, [ada.id, ben.id], caller))).keys()].sort();
      expect(await standing()).toEqual([ada.id, ben.id].sort());
      await store.endCredential(ben.credentialId);
      expect(await standing()).toEqual([ada.id, ben.id].sort());
      await store.endCredential(ada.credentialId);
      expect(await standing()).toEqual([ben.id]);
    });

    it('delegate the roles that they still hold, unless they are disabled', async () => {
      const [ada, ben, dan] = [
        await store.person('SRELead', 'DevOpsEngineer'),
        await store.person('SRELead'),
        await store.person(),
      ];
      const delegations = async () =>
        ((await inTx(store, (tx) => store.people.delegations(tx, [dan.id]))).get(dan.id) ?? []).map(
          ({ personId, roles, madeAt }) => [personId, roles.map(({ role }) => role).sort(), madeAt],
        );
      expect(await delegations()).toEqual([]);
      const id = await away(ada.id, dan.id, ['SRELead', 'PlatformAdmin']);
      await away(ben.id, dan.id, ['SRELead']);
      expect(await delegations()).toEqual([
        [ada.id, ['SRELead'], now - MINUTE],
        [ben.id, ['SRELead'], now - MINUTE],
      ]);
      await store.disable(ben.id);
      await store.revoke(ada.id, 'SRELead');
      expect(await delegations()).toEqual([[ada.id, [], now - MINUTE]]);
      await inTx(store, (tx) => store.absences.end(tx, id, { at: now, by: ada.id }));
      expect(await delegations()).toEqual([]);
    });

    it('could review who hold one of the roles, or stand in today for somebody who does', async () => {
      const [ada, ben, cem] = [
        await store.person('SRELead'),
        await store.person('DevOpsEngineer'),
        await store.person('SRELead'),
      ];
      const [dan, eve, fay] = [await store.person(), await store.person(), await store.person()];
      await store.disable(cem.id);
      await away(ada.id, dan.id, ['SRELead']);
      await away(ada.id, eve.id, ['SRELead'], now + MINUTE);
      const reviewing = (roles: string[], most = 10) => inTx(store, (tx) => store.people.reviewing(tx, roles, most));
      expect(await reviewing(['SRELead'])).toEqual([ada.id, dan.id].sort());
      expect(await reviewing(['SRELead'], 1)).toEqual([ada.id, dan.id].sort().slice(0, 1));
      expect(await reviewing(['any'])).toEqual([ada.id, ben.id, dan.id].sort());
      expect(await reviewing([])).toEqual([]);
      expect(await reviewing(['any'])).not.toContain(fay.id);
    });

    it('keep to their tenant', async () => {
      const [ada, dan] = [await store.person('SRELead'), await store.person()];
      await away(ada.id, dan.id, ['SRELead']);
      const elsewhere = await open();
      const seen = await inTx(elsewhere, async (tx) => [
        ...(await store.people.standing(tx, [ada.id])).keys(),
        ...(await store.people.delegations(tx, [dan.id])).keys(),
        ...(await store.people.reviewing(tx, ['any'], 10)),
      ]);
      expect(seen).toEqual([]);
    });
  });
}
