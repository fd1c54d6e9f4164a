import { sqlOf } from '#lib/database';
import { newId, type TenantId } from '#lib/kernel';
import type { TestDatabase } from '../../../../../test/support/database.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import type { DecisionLog } from '../application/decision-log.js';
import { describeDecisionLog } from '../application/decision-log.contract.js';
import { sampleDecision } from '../application/fake-decision.js';
import type { PolicyBundle } from '../application/policy-engine.js';
import { loadPolicyBundle } from './load-policy-bundle.js';
import { SqlDecisionLog } from './sql-decision-log.js';

const bundle = loadPolicyBundle();
const later: PolicyBundle = { ...bundle, revision: `sha256:${'0'.repeat(64)}` };

describeDecisionLog('SqlDecisionLog', bundle, async () => ({
  world: await postgresWorld(),
  log: new SqlDecisionLog(),
}));

describe('decisions in PostgreSQL', () => {
  let db: TestDatabase;
  let tenant: TenantId;
  beforeAll(async () => {
    const world = await postgresWorld();
    db = world.db;
    tenant = world.home.tenantId;
  });

  it.each(['update decision set outcome = outcome', 'delete from decision', 'truncate decision cascade'])(
    'refuses even their owner: %s (CS001)',
    async (statement) => {
      await db.uow.run(tenant, (tx) => new SqlDecisionLog().record(tx, sampleDecision(bundle), bundle));
      await expect(db.owner.query(statement)).rejects.toMatchObject({ code: 'CS001' });
    },
  );

  it.each([
    'update decision set outcome = outcome',
    'delete from decision',
    'update policy_bundle set wasm_digest = wasm_digest',
  ])('gives the service no right to: %s (42501)', async (statement) => {
    await expect(db.app.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it("are shown in the shape of OPA's decision log", async () => {
    const runId = newId();
    const decision = sampleDecision(bundle, { within: [{ type: 'run', id: runId }] });
    const event = await db.uow.run(tenant, async (tx) => {
      await new SqlDecisionLog().record(tx, decision, bundle);
      const rows = await sqlOf(tx).query<{ event: unknown }>(
        `select event from decision_log where event ->> 'decision_id' = $1`,
        [decision.id],
      );
      return rows[0]?.event;
    });
    expect(event).toEqual({
      labels: { tenant_id: tenant, run_id: runId },
      decision_id: decision.id,
      bundles: { countersign: { revision: bundle.revision } },
      path: 'countersign/plan/decision',
      input: decision.input,
      result: decision.decision,
      timestamp: '2026-09-21T14:13:20.123Z',
    });
  });

  it('install their bundle again after a rollback of the transaction that installed it', async () => {
    const log = new SqlDecisionLog();
    const own: PolicyBundle = { ...bundle, revision: `sha256:${'1'.repeat(64)}` };
    const rolledBack = db.uow.run(tenant, async (tx) => {
      await log.record(tx, sampleDecision(own), own);
      await log.record(tx, sampleDecision(own), own);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    const decision = sampleDecision(own);
    await db.uow.run(tenant, (tx) => log.record(tx, decision, own));
    expect(await db.uow.run(tenant, (tx) => log.find(tx, decision.id))).toEqual(decision);
  });

  it('let a newer bundle take force once, and an older process not push it aside', async () => {
    const older = new SqlDecisionLog();
    const newer = new SqlDecisionLog();
    const head = (log: DecisionLog, from: PolicyBundle) => db.uow.run(tenant, (tx) => log.lockBundleHead(tx, from));
    expect(await head(older, bundle)).toBe(bundle.revision);
    expect(await head(older, bundle)).toBe(bundle.revision);
    expect(await head(newer, later)).toBe(later.revision);
    expect(await head(older, bundle)).toBe(later.revision);
  });

  it('hold the bundle in force until their transaction ends', async () => {
    const log = new SqlDecisionLog();
    await db.uow.run(tenant, (tx) => log.lockBundleHead(tx, bundle));
    await db.uow.run(tenant, async (tx) => {
      await log.lockBundleHead(tx, bundle);
      await expect(db.owner.query('select from bundle_head for update nowait')).rejects.toMatchObject({
        code: '55P03',
      });
    });
    await expect(db.owner.query('select from bundle_head for update nowait')).resolves.toMatchObject({ rowCount: 1 });
  });
});
