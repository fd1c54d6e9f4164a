import { newId, type SubjectRef, type TenantId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { DecisionLog, LoggedDecision } from './decision-log.js';
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
    const logged = (...within: readonly SubjectRef[]): LoggedDecision => sampleDecision(bundle, { within });
    const thing = (type: string): SubjectRef => ({ type, id: newId() });

    it('finds a recorded decision, whole', async () => {
      const decision = logged(thing('task'), thing('plan'));
      await inTenant(tenants[0], (tx) => log.record(tx, decision, bundle));
      expect(await inTenant(tenants[0], (tx) => log.find(tx, decision.id))).toEqual(decision);
    });

    it('keeps the bundle that decided', async () => {
      await inTenant(tenants[0], (tx) => log.record(tx, logged(), bundle));
      const kept = await inTenant(tenants[1], (tx) => log.findBundle(tx, bundle.revision));
      expect(kept).toMatchObject({ revision: bundle.revision, wasmDigest: bundle.wasmDigest, sources: bundle.sources });
      expect(Buffer.from(kept?.wasm ?? []).equals(Buffer.from(bundle.wasm))).toBe(true);
      expect(await inTenant(tenants[1], (tx) => log.findBundle(tx, `sha256:${'f'.repeat(64)}`))).toBeNull();
    });

    it('shows a tenant only its own', async () => {
      const plan = thing('plan');
      const decision = logged(plan);
      await inTenant(tenants[0], (tx) => log.record(tx, decision, bundle));
      expect(await inTenant(tenants[1], (tx) => log.find(tx, decision.id))).toBeNull();
      expect(await inTenant(tenants[1], (tx) => log.list(tx, [plan], { limit: 10, after: null }))).toEqual([]);
    });

    it('lists the decisions about a thing, newest first, page by page', async () => {
      const [task, plan, run] = [thing('task'), thing('plan'), thing('run')];
      const all = [logged(task, plan), logged(task, plan, run), logged(task, thing('plan')), logged(task, plan)];
      await inTenant(tenants[0], async (tx) => {
        for (const decision of all) await log.record(tx, decision, bundle);
      });
      const list = (within: readonly SubjectRef[], limit: number, after: LoggedDecision | null) =>
        inTenant(tenants[0], async (tx) =>
          (
            await log.list(tx, within, { limit, after: after === null ? null : { at: after.decidedAt, id: after.id } })
          ).map(({ id }) => id),
        );
      const [first, second, third, fourth] = all;
      expect(await list([task], 3, null)).toEqual([fourth?.id, third?.id, second?.id]);
      expect(await list([task], 3, second ?? null)).toEqual([first?.id]);
      expect(await list([plan], 10, null)).toEqual([fourth?.id, second?.id, first?.id]);
      expect(await list([run], 10, null)).toEqual([second?.id]);
      expect(await list([plan, run], 10, null)).toEqual([second?.id]);
      expect(await list([{ type: 'task', id: plan.id }], 10, null)).toEqual([]);
    });

    it('names the bundle in force', async () => {
      expect(await inTenant(tenants[0], (tx) => log.lockBundleHead(tx, bundle))).toBe(bundle.revision);
      expect(await inTenant(tenants[1], (tx) => log.lockBundleHead(tx, bundle))).toBe(bundle.revision);
    });
  });
}
