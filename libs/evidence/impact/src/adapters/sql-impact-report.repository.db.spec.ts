import { newId, type ChangeRequestId } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { newReport } from '../application/ask-impact.js';
import { describeImpactReportRepository } from '../application/impact-report.repository.contract.js';
import { SqlImpactReportRepository } from './sql-impact-report.repository.js';
import { SqlSettingsStamps } from './sql-settings-stamps.js';
import { SqlStoredDecisions } from './sql-stored-decisions.js';

describeImpactReportRepository('SqlImpactReportRepository', async () => {
  const world = await postgresWorld();
  return {
    world,
    reports: new SqlImpactReportRepository(),
    openChange: (id: ChangeRequestId) => openChange(world, id),
  };
});
async function openChange(world: Awaited<ReturnType<typeof postgresWorld>>, id: ChangeRequestId): Promise<void> {
  const { tenantId, admin } = world.home;
  await world.db.owner.query(
    `insert into change_request (tenant_id, id, kind, state, subject_type, subject_id, what, reason, payload, base_digest,
           change_digest, loosens, detail, required_role, requested_by, credential_id, opened_at, expires_at, seal)
         values ($1, $2, 'autonomy', 'open', 'autonomy', 'document', 'w', 'r', '{}', 'b', 'c', '["l"]', '{}', 'PlatformAdmin',
           $3, $4, now(), now() + interval '1 day', 'k.' || repeat('A', 43))`,
    [tenantId, id, admin.personId, admin.credentialId],
  );
}

describe('the store of impact reports', () => {
  it('lets a change end while a batch of its report works, and keeps nothing of that batch', async () => {
    const world = await postgresWorld();
    const reports = new SqlImpactReportRepository();
    const { tenantId, admin } = world.home;
    const changeId = newId<ChangeRequestId>();
    await openChange(world, changeId);
    const report = newReport(admin.personId, Date.UTC(2025, 5, 1), 30, { changeId });
    const lease = { token: newId(), until: Date.UTC(2100, 0, 1) };
    await world.uow.run(tenantId, (tx) => reports.insert(tx, report));
    await world.uow.run(tenantId, (tx) => reports.lease(tx, report.id, lease));
    await world.uow.run(tenantId, async (tx) => {
      await new SqlStoredDecisions().count(tx, report);
      // It waits for no lock of this transaction.
      await world.uow.run(tenantId, (other) => reports.closeOfChange(other, changeId, Date.now()));
      expect(await reports.save(tx, { ...report, phase: 'working' }, lease.token, { lease })).toBe(false);
    });
    expect(await world.uow.run(tenantId, (tx) => reports.find(tx, report.id))).toMatchObject({ phase: 'cancelled' });
    await world.close();
  });
});

describe('the stamp of settings', () => {
  it('differs after each change of the settings, and not after changes of other tenants', async () => {
    const world = await postgresWorld();
    const { tenantId, admin, staging } = world.home;
    const stamp = () => world.uow.run(tenantId, (tx) => new SqlSettingsStamps().present(tx));
    const seen = [await stamp()];
    const ownerDoes = async (sql: string, ...parameters: readonly unknown[]): Promise<void> => {
      await world.db.owner.query(sql, [...parameters]);
      seen.push(await stamp());
    };
    await ownerDoes('update environment set production = true, version = version + 1 where id = $1', staging.id);
    const toolId = newId();
    await ownerDoes(
      `insert into tool (tenant_id, id, name, version, removed, created_at, updated_at) values ($1, $2, 'wipe', 1, false, now(), now())`,
      tenantId,
      toolId,
    );
    await ownerDoes('update tool set removed = true, updated_at = clock_timestamp() where id = $1', toolId);
    const revision = newId();
    await world.db.owner.query(
      `insert into autonomy_revision (tenant_id, id, number, source, source_sha256, document, digest, created_at, created_by, seal)
       values ($1, $2, 1, 's', repeat('0', 64), '{}', 'sha256:' || repeat('0', 64), now(), $3, 'k.' || repeat('A', 43))`,
      [tenantId, revision, admin.personId],
    );
    await ownerDoes(
      'insert into autonomy_head (tenant_id, revision_id, updated_at) values ($1, $2, now())',
      tenantId,
      revision,
    );
    await ownerDoes(
      `insert into automation_safe_tool (tenant_id, id, tool, version, digest, effect, risk, added_by, added_at, seal)
       values ($1, gen_random_uuid(), 'wipe', 1, 'sha256:' || repeat('0', 64), 'modify', 'state_change_nonprod', $2, now(),
         'k.' || repeat('A', 43))`,
      tenantId,
      admin.personId,
    );
    await ownerDoes(
      'update automation_safe_tool set removed_by = $2, removed_at = now() where tenant_id = $1',
      tenantId,
      admin.personId,
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(await stamp()).toBe(seen.at(-1));
    await world.db.owner.query('update environment set version = version + 1 where tenant_id <> $1', [tenantId]);
    expect(await stamp()).toBe(seen.at(-1));
    await world.close();
  });
});
