import { newId, type ChangeRequestId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ImpactReport } from '../domain/impact-report.js';
import { newReport } from './ask-impact.js';
import type { ImpactReportRepository } from './impact.ports.js';

const NOW = Date.UTC(2026, 5, 1);
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

    it('finds a report, whole, in its own tenant alone', async () => {
      const report = await kept();
      expect(await find(report)).toEqual(report);
      expect(await elsewhere((tx) => reports.find(tx, report.id))).toBeNull();
      expect(await elsewhere((tx) => reports.take(tx, report.id))).toBeNull();
    });

    it('keeps the progress, and gives a finished report to no worker', async () => {
      const report = await kept();
      const strata = [{ entrypoint: 'plan', outcome: 'deny', total: 4, part: 0.5 }];
      const working: ImpactReport = {
        ...report,
        phase: 'working',
        bundleRevision: 'sha256:1',
        progress: { ...report.progress, strata, latticeAt: null, after: newId() },
      };
      await atHome((tx) => reports.save(tx, working));
      expect(await atHome((tx) => reports.take(tx, report.id))).toEqual(working);
      const done: ImpactReport = { ...working, phase: 'done', finishedAt: NOW + 5 };
      await atHome((tx) => reports.save(tx, done));
      expect(await find(report)).toEqual(done);
      expect(await atHome((tx) => reports.take(tx, report.id))).toBeNull();
    });

    it('keeps the change as it was worked out anew', async () => {
      const report = await kept();
      const anew: ImpactReport = {
        ...report,
        change: { ...nothing, environments: { live: { before: true, after: false } } },
      };
      await atHome((tx) => reports.save(tx, anew));
      expect(await find(report)).toEqual(anew);
    });

    it('ends the report of a change with it, unless it is finished', async () => {
      const report = await ofChange();
      expect(await atHome((tx) => reports.ofChange(tx, report.changeId))).toEqual(report);
      expect(await elsewhere((tx) => reports.ofChange(tx, report.changeId))).toBeNull();
      await atHome((tx) => reports.cancelOfChange(tx, report.changeId, NOW + 1));
      await atHome((tx) => reports.cancelOfChange(tx, report.changeId, NOW + 2));
      expect(await find(report)).toEqual({ ...report, phase: 'cancelled', finishedAt: NOW + 1 });
    });

    it('counts and drops the reports that no change has', async () => {
      const [report, changes] = [await kept(), await ofChange()];
      const ended = await kept();
      await atHome((tx) => reports.save(tx, { ...ended, phase: 'cancelled', finishedAt: NOW }));
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
