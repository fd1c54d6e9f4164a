import type { ChangeRequestId } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { newReport } from '../application/ask-impact.js';
import { describeImpactReportRepository } from '../application/impact-report.repository.contract.js';
import { SqlImpactReportRepository } from './sql-impact-report.repository.js';

describeImpactReportRepository('SqlImpactReportRepository', async () => {
  const world = await postgresWorld();
  const { tenantId, admin } = world.home;
  return {
    world,
    reports: new SqlImpactReportRepository(),
    openChange: async (id: ChangeRequestId) => {
      await world.db.owner.query(
        `insert into change_request (tenant_id, id, kind, state, subject_type, subject_id, what, reason, payload, base_digest,
           change_digest, loosens, detail, required_role, requested_by, credential_id, opened_at, expires_at, seal)
         values ($1, $2, 'autonomy', 'open', 'autonomy', 'document', 'w', 'r', '{}', 'b', 'c', '["l"]', '{}', 'PlatformAdmin',
           $3, $4, now(), now() + interval '1 day', 'k.' || repeat('A', 43))`,
        [tenantId, id, admin.personId, admin.credentialId],
      );
    },
  };
});

describe('SqlImpactReportRepository', () => {
  it('gives a report to one worker at a time', async () => {
    const world = await postgresWorld();
    const reports = new SqlImpactReportRepository();
    const { tenantId, admin } = world.home;
    const report = newReport(admin.personId, Date.UTC(2026, 5, 1), 30, {
      change: { tools: {}, environments: {}, safeTools: {} },
    });
    await world.uow.run(tenantId, (tx) => reports.insert(tx, report));
    await world.uow.run(tenantId, async (tx) => {
      expect(await reports.take(tx, report.id)).toEqual(report);
      expect(await world.uow.run(tenantId, (other) => reports.take(other, report.id))).toBeNull();
    });
    await world.close();
  });
});
