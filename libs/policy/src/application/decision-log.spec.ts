import { join } from 'node:path';
import { packageRoot, sqlOf } from '#lib/database';
import { type DecisionId, digestOf, newId, type PlanId, type RunId, type TenantId, type Tx } from '#lib/kernel';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.js';
import { loadPolicyBundle } from '../adapters/load-policy-bundle.js';
import { PostgresDecisionLog } from '../adapters/postgres-decision-log.js';
import { noDecision } from '../domain/no-decision.js';
import type { DecisionLog, DecisionSubject, LoggedDecision } from './decision-log.js';
import { FakeDecisionLog } from './fake-decision-log.js';
import type { PolicyBundle } from './policy-engine.js';

const bundle = loadPolicyBundle(join(packageRoot(), 'policies'));
const later: PolicyBundle = { ...bundle, revision: `sha256:${'0'.repeat(64)}` };

function logged(about: DecisionSubject, from: PolicyBundle = bundle): LoggedDecision {
  const input = { now: 1_790_000_000_123, targets: ['web-1'] };
  return {
    id: newId<DecisionId>(),
    entrypoint: 'plan',
    bundleRevision: from.revision,
    wasmDigest: from.wasmDigest,
    input,
    inputDigest: digestOf('policy-input', input),
    decision: noDecision('policy.no_decision'),
    decidedAt: input.now,
    about,
  };
}

interface Harness {
  readonly log: DecisionLog;
  readonly tenants: readonly [TenantId, TenantId];
  inTenant<T>(tenant: TenantId, work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function fakeHarness(): Promise<Harness> {
  const fakeTx = (tenantId: TenantId): Tx => ({ tenantId, now: () => Promise.resolve(0) });
  return Promise.resolve({
    log: new FakeDecisionLog(),
    tenants: [newId<TenantId>(), newId<TenantId>()],
    inTenant: (tenant, work) => work(fakeTx(tenant)),
    close: () => Promise.resolve(),
  });
}

async function addTenant(db: TestDatabase, slug: string): Promise<TenantId> {
  const id = newId<TenantId>();
  await db.owner.query('insert into tenant (id, slug, name, created_at) values ($1, $2, $2, now())', [id, slug]);
  return id;
}

async function postgresHarness(): Promise<Harness> {
  const db = await testDatabase();
  const tenants = [await addTenant(db, 'tenant-a'), await addTenant(db, 'tenant-b')] as const;
  return {
    log: new PostgresDecisionLog(),
    tenants,
    inTenant: (tenant, work) => db.uow.run(tenant, work),
    close: () => db.close(),
  };
}

describe.each([
  ['FakeDecisionLog', fakeHarness],
  ['PostgresDecisionLog', postgresHarness],
])('%s keeps the contract of DecisionLog', (_name, open) => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.close());

  it('finds what it recorded, whole', async () => {
    const { log, tenants, inTenant } = harness;
    const decision = logged({ planId: newId<PlanId>() });
    await inTenant(tenants[0], (tx) => log.record(tx, decision, bundle));
    expect(await inTenant(tenants[0], (tx) => log.find(tx, decision.id))).toEqual(decision);
  });

  it('keeps the bundle that decided', async () => {
    const { log, tenants, inTenant } = harness;
    await inTenant(tenants[0], (tx) => log.record(tx, logged({}), bundle));
    const kept = await inTenant(tenants[1], (tx) => log.findBundle(tx, bundle.revision));
    expect(kept).toMatchObject({ revision: bundle.revision, wasmDigest: bundle.wasmDigest, sources: bundle.sources });
    expect(Buffer.from(kept?.wasm ?? []).equals(Buffer.from(bundle.wasm))).toBe(true);
    expect(await inTenant(tenants[1], (tx) => log.findBundle(tx, `sha256:${'f'.repeat(64)}`))).toBeNull();
  });

  it('shows a tenant only its own', async () => {
    const { log, tenants, inTenant } = harness;
    const planId = newId<PlanId>();
    const decision = logged({ planId });
    await inTenant(tenants[0], (tx) => log.record(tx, decision, bundle));
    expect(await inTenant(tenants[1], (tx) => log.find(tx, decision.id))).toBeNull();
    expect(await inTenant(tenants[1], (tx) => log.list(tx, { planId }, { limit: 10, after: null }))).toEqual([]);
  });

  it('lists what is about a thing, newest first, page by page', async () => {
    const { log, tenants, inTenant } = harness;
    const planId = newId<PlanId>();
    const runId = newId<RunId>();
    const all = [logged({ planId }), logged({ planId, runId }), logged({ planId }), logged({ runId })];
    await inTenant(tenants[0], async (tx) => {
      for (const decision of all) await log.record(tx, decision, bundle);
    });
    const list = (about: DecisionSubject, limit: number, after: LoggedDecision | null) =>
      inTenant(tenants[0], async (tx) =>
        (
          await log.list(tx, about, { limit, after: after === null ? null : { at: after.decidedAt, id: after.id } })
        ).map(({ id }) => id),
      );
    const [first, second, third, fourth] = all;
    expect(await list({ planId }, 2, null)).toEqual([third?.id, second?.id]);
    expect(await list({ planId }, 2, second ?? null)).toEqual([first?.id]);
    expect(await list({ runId }, 10, null)).toEqual([fourth?.id, second?.id]);
    expect(await list({ planId, runId }, 10, null)).toEqual([second?.id]);
  });

  it('names the bundle in force', async () => {
    const { log, tenants, inTenant } = harness;
    expect(await inTenant(tenants[0], (tx) => log.lockBundleHead(tx, bundle))).toBe(bundle.revision);
    expect(await inTenant(tenants[1], (tx) => log.lockBundleHead(tx, bundle))).toBe(bundle.revision);
  });
});

describe('decisions in PostgreSQL', () => {
  let db: TestDatabase;
  let tenant: TenantId;
  beforeAll(async () => {
    db = await testDatabase();
    tenant = await addTenant(db, 'tenant-a');
  });
  afterAll(() => db.close());

  it.each(['update decision set outcome = outcome', 'delete from decision', 'truncate decision cascade'])(
    'refuses even their owner: %s (CS001)',
    async (statement) => {
      await db.uow.run(tenant, (tx) => new PostgresDecisionLog().record(tx, logged({}), bundle));
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
    const runId = newId<RunId>();
    const decision = logged({ runId });
    const event = await db.uow.run(tenant, async (tx) => {
      await new PostgresDecisionLog().record(tx, decision, bundle);
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

  it('bring their bundle again where the transaction that brought it rolled back', async () => {
    const log = new PostgresDecisionLog();
    const own: PolicyBundle = { ...bundle, revision: `sha256:${'1'.repeat(64)}` };
    const rolledBack = db.uow.run(tenant, async (tx) => {
      await log.record(tx, logged({}, own), own);
      await log.record(tx, logged({}, own), own);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    const decision = logged({}, own);
    await db.uow.run(tenant, (tx) => log.record(tx, decision, own));
    expect(await db.uow.run(tenant, (tx) => log.find(tx, decision.id))).toEqual(decision);
  });

  it('let a newer bundle take force once, and an older process not push it aside', async () => {
    const older = new PostgresDecisionLog();
    const newer = new PostgresDecisionLog();
    const head = (log: DecisionLog, from: PolicyBundle) => db.uow.run(tenant, (tx) => log.lockBundleHead(tx, from));
    expect(await head(older, bundle)).toBe(bundle.revision);
    expect(await head(older, bundle)).toBe(bundle.revision);
    expect(await head(newer, later)).toBe(later.revision);
    expect(await head(older, bundle)).toBe(later.revision);
  });

  it('hold the bundle in force until their transaction ends', async () => {
    const log = new PostgresDecisionLog();
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
