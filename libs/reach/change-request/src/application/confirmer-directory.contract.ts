import { newId, type PersonId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { DEPARTED_ADMIN_GRACE_MS } from '../domain/count-confirmers.js';
import type { ConfirmerDirectory } from './change-request.ports.js';
import { samplePossible, type KeptPerson } from './fake-confirmer-directory.js';

const HOUR = 3_600_000;

/** A directory, with the writer of its people. */
export interface OpenDirectory {
  readonly world: ContractWorld;
  readonly directory: ConfirmerDirectory;
  keep(tx: Tx, person: KeptPerson): Promise<void>;
}

/** The contract of a directory of confirmers. Each test has a role of its own. */
export function describeConfirmerDirectory(name: string, open: () => Promise<OpenDirectory>): void {
  describe(`${name} keeps the contract of ConfirmerDirectory`, () => {
    let opened: OpenDirectory;
    let now: number;
    let role: string;
    let made = 0;
    beforeAll(async () => {
      opened = await open();
      // Later than people came into the tenant.
      now = (await atHome((tx) => tx.now())) + HOUR;
    });
    beforeEach(() => {
      role = `Role${String((made += 1))}`;
    });
    afterAll(() => opened.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened.world.uow.run(opened.world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened.world.uow.run(opened.world.other.tenantId, work);
    const person = async (members: Partial<KeptPerson> = {}): Promise<PersonId> => {
      const personId = newId<PersonId>();
      await atHome((tx) => opened.keep(tx, samplePossible(personId, role, now, members)));
      return personId;
    };
    const held = (since: number | null = null) => [{ role, assignedAt: now, revokedAt: since }];
    const possible = (since = now - DEPARTED_ADMIN_GRACE_MS) =>
      atHome((tx) => opened.directory.lockPossible(tx, role, since));
    const confirmer = (id: PersonId) => atHome((tx) => opened.directory.lockConfirmer(tx, id));
    const holders = async (): Promise<PersonId[]> =>
      (await atHome((tx) => opened.directory.holders(tx, role))).map(({ personId }) => personId);

    it('counts the holders of the role in their tenant, and shows their names', async () => {
      const [ada, ben] = [await person({ displayName: `Ada ${role}` }), await person({ displayName: `Ben ${role}` })];
      await person({ assignments: [{ role: 'Another', assignedAt: now, revokedAt: null }] });
      expect(await possible()).toEqual([
        { personId: ada, leftAt: null },
        { personId: ben, leftAt: null },
      ]);
      const roles = [{ role, assignedAt: now }];
      expect(await atHome((tx) => opened.directory.holders(tx, role))).toEqual([
        { personId: ada, displayName: `Ada ${role}`, roles, reenrolled: null },
        { personId: ben, displayName: `Ben ${role}`, roles, reenrolled: null },
      ]);
      expect(await elsewhere((tx) => opened.directory.lockPossible(tx, role, 0))).toEqual([]);
      expect(await elsewhere((tx) => opened.directory.holders(tx, role))).toEqual([]);
      expect(await elsewhere((tx) => opened.directory.lockConfirmer(tx, ada))).toBeNull();
    });

    it.each<[string, Partial<KeptPerson>, boolean]>([
      ['enrolled', {}, true],
      ['is known to an issuer', { enrolments: [], atIssuer: true }, true],
      ['never came in', { enrolments: [] }, false],
    ])('counts a person who %s: %#', async (_how, members, counts) => {
      const id = await person(members);
      expect(await possible()).toEqual(counts ? [{ personId: id, leftAt: null }] : []);
      expect(await holders()).toEqual(counts ? [id] : []);
    });

    it('counts a person who lost the role, for 72 hours and no longer', async () => {
      const revoked = await person({ assignments: held(now + 1) });
      const disabled = await person({ disabledAt: now + 2 });
      const both = await person({ assignments: held(now + 5), disabledAt: now + 3 });
      const left = [
        { personId: revoked, leftAt: now + 1 },
        { personId: disabled, leftAt: now + 2 },
        { personId: both, leftAt: now + 3 },
      ];
      expect(await possible(now)).toEqual(left);
      expect(await possible(now + 1)).toEqual(left.slice(1));
      expect(await possible(now + 2)).toEqual(left.slice(2));
      expect(await possible(now + 3)).toEqual([]);
      expect(await holders()).toEqual([]);
    });

    it('takes the last loss of a role that a person held more than once, and none while they hold it', async () => {
      const twice = await person({
        assignments: [...held(now + 1), { role, assignedAt: now + 2, revokedAt: now + 9 }],
      });
      const again = await person({
        assignments: [...held(now + 1), { role, assignedAt: now + 2, revokedAt: null }],
      });
      expect(await possible()).toEqual([
        { personId: twice, leftAt: now + 9 },
        { personId: again, leftAt: null },
      ]);
      expect(await holders()).toEqual([again]);
    });

    it('finds a confirmer with the roles that they hold now', async () => {
      const assignments = [
        ...held(),
        { role: `${role}Also`, assignedAt: now + 1, revokedAt: null },
        { role: `${role}Before`, assignedAt: now, revokedAt: now + 1 },
      ];
      const id = await person({ assignments });
      const roles = [
        { role, assignedAt: now },
        { role: `${role}Also`, assignedAt: now + 1 },
      ];
      expect(await confirmer(id)).toEqual({ personId: id, displayName: `Person ${id}`, roles, reenrolled: null });
    });

    it('finds no confirmer who is disabled or unknown', async () => {
      expect(await confirmer(await person({ disabledAt: now }))).toBeNull();
      expect(await confirmer(newId<PersonId>())).toBeNull();
    });

    it('finds the issuer of the last enrolment of a person who used several, and counts their roles from it', async () => {
      const { personId: by } = opened.world.home.admin;
      const id = await person({
        enrolments: [
          { by: null, at: now },
          { by: null, at: now + 1 },
          { by, at: now + 2 },
        ],
      });
      const found = {
        ...{ personId: id, displayName: `Person ${id}` },
        ...{ roles: [{ role, assignedAt: now + 2 }], reenrolled: { by, at: now + 2 } },
      };
      expect(await confirmer(id)).toEqual(found);
      expect(await atHome((tx) => opened.directory.holders(tx, role))).toMatchObject([found]);
    });
  });
}
