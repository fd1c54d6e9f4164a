import { newId, type AutonomyRevisionId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { AutonomyRepository, NewAutonomyRevision } from './autonomy.ports.js';
import { sampleRevision } from './fake-autonomy.repository.js';

const START = Date.UTC(2026, 0, 5, 8);

/** The contract of a repository of autonomy documents. Its tests build on each other: a revision never goes. */
export function describeAutonomyRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly revisions: AutonomyRepository }>,
): void {
  describe(`${name} keeps the contract of AutonomyRepository`, () => {
    let world: ContractWorld;
    let revisions: AutonomyRepository;
    let first: NewAutonomyRevision;
    let second: NewAutonomyRevision;
    let third: NewAutonomyRevision;
    beforeAll(async () => {
      ({ world, revisions } = await open());
      const revision = (number: number, source: string): NewAutonomyRevision =>
        sampleRevision(source, { number, createdAt: START + 10 * number, createdBy: world.home.admin.personId });
      first = revision(1, '# für später\r\nautonomy:\r\n  mode: plan_only\r\n');
      second = revision(2, 'autonomy:\n  mode: canary_only\n');
      third = revision(3, 'autonomy:\n  mode: plan_only\nemergency_override:\n  enabled: false\n');
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const put = (revision: NewAutonomyRevision): Promise<void> => atHome((tx) => revisions.put(tx, revision));
    const numbers = async (page: { readonly before: number | null; readonly limit: number }) =>
      (await atHome((tx) => revisions.list(tx, page))).map(({ number }) => number);
    /** Every way to read the document in force finds nothing. */
    const findsNothing = async (tx: Tx): Promise<void> => {
      expect(await revisions.current(tx)).toBeNull();
      expect(await revisions.current(tx, { lock: 'share' })).toBeNull();
      expect(await revisions.inForce(tx)).toBeNull();
      expect(await revisions.lockForChange(tx)).toBeNull();
      expect(await revisions.find(tx, 1)).toBeNull();
      expect(await revisions.findMany(tx, [first.revisionId])).toEqual([]);
      expect(await revisions.inForceAt(tx, START + 1_000)).toBeNull();
      expect(await revisions.list(tx, { before: null, limit: 9 })).toEqual([]);
    };

    it('finds nothing before the first document', async () => {
      await atHome(findsNothing);
    });

    it('lets one change at a time hold the document, even the first', async () => {
      expect(await waitsBehind(world, (tx) => revisions.lockForChange(tx))).toBe(true);
    });

    it('finds the document in force, whole and byte for byte, for its tenant alone', async () => {
      await put(first);
      const { revisionId, number, document, digest } = first;
      const inForce = { revisionId, number, document, digest };
      expect(await atHome((tx) => revisions.current(tx))).toEqual(inForce);
      expect(await atHome((tx) => revisions.current(tx, { lock: 'share' }))).toEqual(inForce);
      const found = await atHome(async (tx) => [
        await revisions.inForce(tx),
        await revisions.lockForChange(tx),
        await revisions.find(tx, 1),
        ...(await revisions.findMany(tx, [revisionId])),
      ]);
      expect(found).toHaveLength(4);
      for (const revision of found) {
        expect(revision).toMatchObject(first);
        expect(revision?.createdByName).not.toBe('');
      }
      await elsewhere(findsNothing);
    });

    it('puts a later revision in force, and keeps the earlier one', async () => {
      await put(second);
      expect(await atHome((tx) => revisions.current(tx))).toMatchObject({ revisionId: second.revisionId, number: 2 });
      expect(await atHome((tx) => revisions.inForce(tx))).toMatchObject(second);
      expect(await atHome((tx) => revisions.find(tx, 1))).toMatchObject(first);
      expect(await atHome((tx) => revisions.find(tx, 3))).toBeNull();
      const ids = [second.revisionId, newId<AutonomyRevisionId>(), first.revisionId];
      const many = await atHome((tx) => revisions.findMany(tx, ids));
      expect(many.map(({ number }) => number).sort()).toEqual([1, 2]);
      expect(await atHome((tx) => revisions.findMany(tx, []))).toEqual([]);
    });

    it('refuses a number that is taken (23505), and to go back to an earlier one (CS001)', async () => {
      const taken = sampleRevision(first.source, { number: 2, createdBy: world.home.admin.personId });
      await expect(put(taken)).rejects.toMatchObject({ code: '23505' });
      await put(third);
      const fifth = sampleRevision(first.source, { number: 5, createdBy: world.home.admin.personId });
      await put({ ...fifth, createdAt: START + 50 });
      const back = sampleRevision(first.source, { number: 4, createdBy: world.home.admin.personId });
      await expect(put(back)).rejects.toMatchObject({ code: 'CS001' });
      expect(await numbers({ before: null, limit: 9 })).toEqual([5, 3, 2, 1]);
    });

    it('lists the newest first, page by page', async () => {
      expect(await numbers({ before: null, limit: 2 })).toEqual([5, 3]);
      expect(await numbers({ before: 3, limit: 9 })).toEqual([2, 1]);
      expect(await numbers({ before: 1, limit: 9 })).toEqual([]);
    });

    it('finds the revision that was in force at a moment', async () => {
      const at = async (ms: number) => (await atHome((tx) => revisions.inForceAt(tx, START + ms)))?.number ?? null;
      expect([await at(9), await at(10), await at(29), await at(30), await at(1_000)]).toEqual([null, 1, 2, 3, 5]);
    });

    it('lets a change wait for the decisions by the document, and a decision for a change of it', async () => {
      const deciding = (tx: Tx): Promise<unknown> => revisions.current(tx, { lock: 'share' });
      const changing = (tx: Tx): Promise<unknown> => revisions.lockForChange(tx);
      expect(await waitsBehind(world, deciding, changing)).toBe(true);
      expect(await waitsBehind(world, changing, deciding)).toBe(true);
      expect(await waitsBehind(world, changing)).toBe(true);
    });
  });
}
