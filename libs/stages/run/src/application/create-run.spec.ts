import type { ApprovedPlan } from '#lib/approval';
import type { Decision } from '#lib/formats';
import { type DecisionId, type IncidentId, newId, type PlanId } from '#lib/kernel';
import { BreakGlassAuthority } from '../domain/break-glass-authority.js';
import { healthCheck, newHost, phase, step, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const allowed: Decision = {
  outcome: 'allow',
  reasons: [{ code: 'break_glass.allowed', message: 'allowed', rule: 'break_glass' }],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'critical', valid_minutes: 60 },
  effective: { mode: 'plan_only', source: 'default' },
};

const planned = (): Promise<PlanId> => world().plan({ phases: [phase('one', [newHost()], [step('a')])] });

it('creates a run under break-glass, which names its incident and no approval', async () => {
  const planId = await planned();
  const incidentId = newId<IncidentId>();
  const run = await world().tx(async (tx) => {
    const subject = await world().subjects.read(tx, planId);
    if (subject === null) throw new Error('no subject');
    const decision = { id: newId<DecisionId>(), decision: allowed };
    const authority = valueOf(BreakGlassAuthority.byDecision(subject, decision, incidentId, await tx.now()));
    return valueOf(await world().parts.create.execute(tx, authority, world().person));
  });
  expect(run).toMatchObject({ state: 'queued', authority: { kind: 'break_glass', incidentId }, simulationId: null });
  const plan = await world().tx((tx) => world().plans.find(tx, planId));
  expect(run.headline).toEqual(plan?.headline);
  expect(await world().events(run.id)).toMatchObject([{ type: 'run.created', data: { incident_id: incidentId } }]);
  const [entry] = world()
    .audit.of(world())
    .filter(({ action }) => action === 'run.created');
  expect(entry?.level).toBe('critical');
});

it('creates none under a break-glass that promotes a plan of canary phases alone', async () => {
  const canary = phase('one', [newHost()], [step('a')], {
    canary: true,
    health_checks: [healthCheck],
    wait_seconds: 1,
  });
  const planId = await world().plan({ phases: [canary] });
  const created = await world().tx(async (tx) => {
    const subject = await world().subjects.read(tx, planId);
    if (subject === null) throw new Error('no subject');
    const decision = { id: newId<DecisionId>(), decision: allowed };
    const promoted = { ...subject, promotion: true };
    const at = await tx.now();
    const authority = valueOf(BreakGlassAuthority.byDecision(promoted, decision, newId<IncidentId>(), at));
    return world().parts.create.execute(tx, authority, world().person);
  });
  expect(created).toMatchObject({ ok: false, error: { code: 'run.nothing_to_run' } });
});

it('creates none from a look-alike of an authority', async () => {
  const planId = await planned();
  const forged = world().tx(async (tx) => {
    const subject = await world().subjects.read(tx, planId);
    // The type forbids a forgery: only a cast makes one.
    const authority = { subject, plan: subject?.plan, phases: 'all', at: 0 } as unknown as ApprovedPlan;
    return world().parts.create.execute(tx, authority, world().person);
  });
  await expect(forged).rejects.toThrow('a run needs a genuine authority');
});
