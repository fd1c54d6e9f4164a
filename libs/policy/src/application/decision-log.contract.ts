import { newId, type PlanId, type RunId, type TenantId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../kernel/src/fake-tenant.js';
import type { DecisionLog, DecisionSubject, LoggedDecision } from './decision-log.js';
import { sampleDecision } from './fake-decision.js';
import type { PolicyBundle } from './policy-engine.js';

/** The contract of a log of decisions. @param bundle one that is in force, and nothing but kept. */
export function describeDecisionLog(
  name: string,
  bundle: PolicyBundle,
  open: () => Promise<{ readonly world: ContractWorld; readonly log: DecisionLog }>,
): void {
  describe(`${name} keeps the contract of DecisionLog`, () => {
    let world: ContractWorld;
    let log: DecisionLog;
    let tenants: readonly [TenantId, TenantId];
    beforeAll(async () => {
      ({ world, log } = await open());
      tenants = [world.home.tenantId, world.other.tenantId];
    });
    afterAll(() => world.close());

    const inTenant = <T>(tenant: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(tenant, work);
    const logged = (about: DecisionSubject): LoggedDecision => sampleDecision(bundle, about);

    it('finds what it recorded, whole', async () => {
      const decision = logged({ planId: newId<PlanId>() });
      await inTenant(tenants[0], (tx) => log.record(tx, decision, bundle));
      expect(await inTenant(tenants[0], (tx) => log.find(tx, decision.id))).toEqual(decision);
    });

    it('keeps the bundle that decided', async () => {
      await inTenant(tenants[0], (tx) => log.record(tx, logged({}), bundle));
      const kept = await inTenant(tenants[1], (tx) => log.findBundle(tx, bundle.revision));
      expect(kept).toMatchObject({ revision: bundle.revision, wasmDigest: bundle.wasmDigest, sources: bundle.sources });
      expect(Buffer.from(kept?.wasm ?? []).equals(Buffer.from(bundle.wasm))).toBe(true);
      expect(await inTenant(tenants[1], (tx) => log.findBundle(tx, `sha256:${'f'.repeat(64)}`))).toBeNull();
    });

    it('shows a tenant only its own', async () => {
      const planId = newId<PlanId>();
      const decision = logged({ planId });
      await inTenant(tenants[0], (tx) => log.record(tx, decision, bundle));
      expect(await inTenant(tenants[1], (tx) => log.find(tx, decision.id))).toBeNull();
      expect(await inTenant(tenants[1], (tx) => log.list(tx, { planId }, { limit: 10, after: null }))).toEqual([]);
    });

    it('lists what is about a thing, newest first, page by page', async () => {
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
      expect(await inTenant(tenants[0], (tx) => log.lockBundleHead(tx, bundle))).toBe(bundle.revision);
      expect(await inTenant(tenants[1], (tx) => log.lockBundleHead(tx, bundle))).toBe(bundle.revision);
    });
  });
}
