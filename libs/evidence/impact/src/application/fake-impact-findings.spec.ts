import { newId, type ImpactReportId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeImpactFindings } from './fake-impact-findings.js';
import { describeImpactFindings } from './impact-findings.contract.js';

describeImpactFindings('FakeImpactFindings', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    findings: new FakeImpactFindings(world.uow),
    newReport: () => Promise.resolve(newId<ImpactReportId>()),
  });
});
