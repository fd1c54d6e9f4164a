import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeImpactReportRepository } from './fake-impact-report.repository.js';
import { describeImpactReportRepository } from './impact-report.repository.contract.js';

describeImpactReportRepository('FakeImpactReportRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    reports: new FakeImpactReportRepository(world.uow),
    openChange: () => Promise.resolve(),
  });
});
