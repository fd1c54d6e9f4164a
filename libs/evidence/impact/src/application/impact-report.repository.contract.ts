import { newId, type ChangeRequestId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ImpactReport } from '../domain/impact-report.js';
import { newReport } from './ask-impact.js';
import type { ImpactReportRepository, Lease } from './impact.ports.js';

/** Before both clocks, that of the fake and that of the database: a report is due at once. */
const NOW = Date.UTC(2025, 5, 1);
const NEVER_MS = Date.UTC(2100, 0, 1);
const nothing = { tools: {}, environments: {}, safeTools: {} };

/** The contract of a repository of impact reports. @param openChange makes a change request that waits. */
export function describeImpactReportRepository(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly reports: ImpactReportRepository;
    readonly openChange: (id: ChangeRequestId) => Promise<void>;
  }>,
): void {
  describe(`${name} keeps the contract of ImpactReportRepository`, () => {
    let world: ContractWorld;
    let reports: ImpactReportRepository;
    let openChange: (id: ChangeRequestId) => Promise<void>;
    beforeEach(async () => {
      ({ world, reports, openChange } = await open());
    });
    afterEach(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (about: Partial<ImpactReport> = { change: nothing }): Promise<ImpactReport> => {
      const report = { ...newReport(world.home.admin.personId, NOW, 30, about), ...about };
      await atHome((tx) => reports.insert(tx, report));
      return report;
    };
    const ofChange = async (): Promise<ImpactReport & { changeId: ChangeRequestId }> => {
      const changeId = newId<ChangeRequestId>();
      await openChange(changeId);
      return { ...(await kept({ changeId })), changeId };
    };
    const find = ({ id }: ImpactReport) => atHome((tx) => reports.find(tx, id));
    const lease = (until = NEVER_MS): Lease => ({ token: newId(), until });
    const held = async ({ id }: ImpactReport): Promise<Lease> => {
      const mine = lease();
      await atHome((tx) => reports.lease(tx, id, mine));
      return mine;
    };
    /** It is looked at again much later. */
    const doneOf = async (report: ImpactReport): Promise<ImpactReport> => {
      const done: ImpactReport = { ...report, phase: 'done', finishedAt: NOW + 1 };
      const { token } = await held(report);
      await atHome((tx) => reports.save(tx, done, token, { at: NEVER_MS }));
      return done;
    };

    it('finds a report, whole, in its own tenant alone', async () => {
      const report = await kept();
      expect(await find(report)).toEqual(report);
      expect(await elsewhere((tx) => reports.find(tx, report.id))).toBeNull();
      expect(await elsewhere((tx) => reports.lease(tx, report.id, lease()))).toBeNull();
    });

    it('leases a report to one worker at a time, counts the attempt, and keeps the progress of that worker alone', async () => {
      const report = await kept();
      const mine = lease();
      expect(await atHome((tx) => reports.lease(tx, report.id, mine))).toEqual({ ...report, attempts: 1 });
      expect(await atHome((tx) => reports.lease(tx, report.id, lease()))).toBeNull();
      const strata = [{ entrypoint: 'plan', outcome: 'deny', total: 4, part: 0.5 }];
      const working: ImpactReport = {
        ...report,
        phase: 'working',
        bundleRevision: 'sha256:1',
        stamp: 'autonomy 1',
        renewals: 2,
        progress: {
          ...report.progress,
          strata,
          latticeAfter: { tool: 'wipe', environment: 'live' },
          latticeDone: true,
          cells: { found: 3, looser: 1 },
          after: newId(),
        },
      };
      expect(await atHome((tx) => reports.save(tx, working, newId(), { at: NOW }))).toBe(false);
      expect(await atHome((tx) => reports.save(tx, working, mine.token, { lease: mine }))).toBe(true);
      expect(await find(report)).toEqual(working);
      expect(await atHome((tx) => reports.lease(tx, report.id, lease()))).toBeNull();
      expect(await atHome((tx) => reports.save(tx, working, mine.token, { at: NOW }))).toBe(true);
      const next = lease();
      expect(await atHome((tx) => reports.lease(tx, report.id, next))).toEqual({ ...working, attempts: 1 });
      const done: ImpactReport = { ...working, phase: 'done', finishedAt: NOW + 5 };
      expect(await atHome((tx) => reports.save(tx, done, next.token, null))).toBe(true);
      expect(await find(report)).toEqual(done);
      expect(await atHome((tx) => reports.lease(tx, report.id, lease()))).toBeNull();
    });

    it('reads a report under its lease alone', async () => {
      const report = await kept();
      const { token } = await held(report);
      const read = (by: string) => atHome((tx) => reports.held(tx, report.id, by));
      expect(await read(token)).toEqual({ ...report, attempts: 1 });
      expect(await read(newId())).toBeNull();
      expect(await elsewhere((tx) => reports.held(tx, report.id, token))).toBeNull();
      await atHome((tx) => reports.save(tx, report, token, { at: NOW }));
      expect(await read(token)).toBeNull();
    });

    it('leases a report again once the lease of a lost worker is over', async () => {
      const report = await kept();
      const lost = lease(NOW + 1);
      await atHome((tx) => reports.lease(tx, report.id, lost));
      expect(await atHome((tx) => reports.lease(tx, report.id, lease()))).toMatchObject({ attempts: 2 });
      expect(await atHome((tx) => reports.save(tx, report, lost.token, null))).toBe(false);
    });

    it('keeps the change as it was worked out anew, and why it was given up', async () => {
      const report = await kept();
      const anew: ImpactReport = {
        ...report,
        change: { ...nothing, environments: { live: { before: true, after: false } } },
        phase: 'failed',
        failure: 'policies_moved',
        finishedAt: NOW + 1,
      };
      const { token } = await held(report);
      await atHome((tx) => reports.save(tx, anew, token, null));
      expect(await find(report)).toEqual(anew);
    });

    it('ends the report of a closed change with its lease; a finished report stays, and follows settings no more', async () => {
      const [report, other] = [await ofChange(), await ofChange()];
      expect(await atHome((tx) => reports.ofChange(tx, report.changeId))).toEqual(report);
      expect(await elsewhere((tx) => reports.ofChange(tx, report.changeId))).toBeNull();
      const { token } = await held(report);
      await atHome((tx) => reports.closeOfChange(tx, report.changeId, NOW + 1));
      await atHome((tx) => reports.closeOfChange(tx, report.changeId, NOW + 2));
      const cancelled = { ...report, attempts: 1, phase: 'cancelled', finishedAt: NOW + 1, followed: false };
      expect(await find(report)).toEqual(cancelled);
      expect(await atHome((tx) => reports.save(tx, { ...report, phase: 'done' }, token, null))).toBe(false);
      const done = await doneOf(other);
      await atHome((tx) => reports.closeOfChange(tx, other.changeId, NOW + 2));
      expect(await find(other)).toEqual({ ...done, followed: false });
    });

    it('leases the failed report of a change again once it is due, until its change is closed', async () => {
      const report = await ofChange();
      const failed: ImpactReport = { ...report, phase: 'failed', failure: 'worker_lost', finishedAt: NOW + 1 };
      const { token } = await held(report);
      await atHome((tx) => reports.save(tx, failed, token, { at: NOW }));
      expect(await atHome((tx) => reports.lease(tx, report.id, lease()))).toEqual({ ...failed, attempts: 1 });
      await atHome((tx) => reports.closeOfChange(tx, report.changeId, NOW + 2));
      expect(await find(report)).toEqual({ ...failed, attempts: 1, followed: false });
      expect(await atHome((tx) => reports.lease(tx, report.id, lease()))).toBeNull();
    });

    it('makes the finished reports of other changes due', async () => {
      const [done, own, working] = [await ofChange(), await ofChange(), await ofChange()];
      await doneOf(done);
      await doneOf(own);
      expect(await elsewhere((tx) => reports.lookAgain(tx, own.changeId, NOW))).toEqual([]);
      expect(await atHome((tx) => reports.lookAgain(tx, own.changeId, NOW))).toEqual([done.id]);
      expect(await atHome((tx) => reports.lease(tx, done.id, lease()))).not.toBeNull();
      expect(await find(working)).toEqual(working);
      // A worker has it, and compares the settings itself.
      expect(await atHome((tx) => reports.lookAgain(tx, own.changeId, NOW))).toEqual([]);
    });

    it('counts and drops the reports that no change has', async () => {
      const [report, changes] = [await kept(), await ofChange()];
      const ended = await kept();
      const { token } = await held(ended);
      await atHome((tx) => reports.save(tx, { ...ended, phase: 'cancelled', finishedAt: NOW }, token, null));
      expect(await atHome((tx) => reports.unfinished(tx))).toBe(1);
      expect(await elsewhere((tx) => reports.unfinished(tx))).toBe(0);
      await atHome((tx) => reports.drop(tx, NOW));
      expect(await find(report)).not.toBeNull();
      await elsewhere((tx) => reports.drop(tx, NOW + 1));
      expect(await find(report)).not.toBeNull();
      await atHome((tx) => reports.drop(tx, NOW + 1));
      expect(await find(report)).toBeNull();
      expect(await find(changes)).not.toBeNull();
    });
  });
}
