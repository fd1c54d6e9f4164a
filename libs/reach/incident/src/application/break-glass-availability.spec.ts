import { newId, type PersonPrincipal, type PlanId } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { codeOf, valueOf } from '../../../../stages/run/src/fake-run-documents.js';
import { FakeBreakGlassWorld, LACKING } from './fake-break-glass-world.js';

let world: FakeBreakGlassWorld;
let lead: PersonPrincipal;
let plan: Awaited<ReturnType<FakeBreakGlassWorld['planned']>>;
beforeEach(async () => {
  world = await FakeBreakGlassWorld.open();
  lead = world.person('SRELead');
  plan = await world.planned();
});

const asked = async (by = lead, justification?: string) =>
  valueOf(await world.availability.execute(by, plan.planId, justification));
const reasons = async (by = lead, justification?: string) =>
  (await asked(by, justification)).reasons.map(({ code }) => code);

describe('the question whether break-glass is available', () => {
  it('is answered with the plan, and with the second factor taken for proved', async () => {
    expect(await asked()).toMatchObject({
      reasons: [],
      planId: plan.planId,
      planDigest: plan.digest,
      planStatus: 'validated',
      emergencyOverride: { enabled: true, allowed_roles: ['SRELead'] },
      secondFactorEnrolled: true,
    });
    const unenrolled = world.stages.approvals.person(lead, 'SRELead');
    expect(await asked(unenrolled)).toMatchObject({ reasons: [], secondFactorEnrolled: false });
  });

  it.each(LACKING)('is answered with the reason if %s', async (_when, reason, change) => {
    await change(world, lead);
    expect(await reasons()).toEqual([reason]);
  });

  it('judges the words of the person, once there are any', async () => {
    expect(await reasons(lead, 'it is down')).toEqual(['break_glass.justification']);
    expect(await reasons(lead, 'The primary database is down')).toEqual([]);
  });

  it('is refused for an unknown plan, and for the plan of another tenant', async () => {
    expect(codeOf(await world.availability.execute(lead, newId<PlanId>()))).toBe('resource.not_found');
    expect(codeOf(await world.availability.execute(sampleTenant().owner, plan.planId))).toBe('resource.not_found');
  });

  it('leaves no record, if it is available and if it is not', async () => {
    const recorded = async () =>
      world.stages.tx(async (tx) => [
        await world.stages.decisions.list(tx, [], { limit: 99, after: null }),
        world.stages.audit.of(tx),
        world.stages.outbox.of(tx),
      ]);
    const before = await recorded();
    await asked();
    world.override({ enabled: false });
    await asked();
    expect(await recorded()).toEqual(before);
  });
});

describe('the notified of a break-glass', () => {
  it('are the destinations that the document names, each with its reach, and people', async () => {
    world.override({ notifies: ['security-team', 'managers', 'board'] });
    const destinations = { 'security-team': ['C1', 's@example.com'], managers: ['C2'], others: ['C3'] };
    const at = world.stages.uow.now;
    await world.stages.tx(async (tx) => {
      await world.settings.save(tx, { destinations, reviewDays: 5, pagerDuty: null }, lead.personId);
      await world.checks.save(tx, { address: 's@example.com', checkedAt: at, answeredAt: at, error: null });
      await world.checks.save(tx, { address: 'C2', checkedAt: at, answeredAt: null, error: 'channel_not_found' });
    });
    world.notified.push(
      { id: newId(), displayName: 'Ada', by: ['email'] },
      { id: newId(), displayName: 'Rita', by: [] },
    );
    const { notified } = await asked();
    expect(notified.destinations).toMatchObject([
      { name: 'security-team', reach: 'answers', addresses: [{ channel: 'slack', check: null }, { channel: 'email' }] },
      { name: 'managers', reach: 'silent' },
      { name: 'board', reach: 'unmapped' },
    ]);
    expect(notified.people).toEqual({ count: 2, reached: 1 });
  });

  it('are people alone if the document names no destination, or has no break-glass', async () => {
    world.override({ notifies: [] });
    expect((await asked()).notified).toEqual({ destinations: [], people: { count: 0, reached: 0 } });
    world.stages.autonomy({ autonomy: { mode: 'plan_only' } });
    expect(await asked()).toMatchObject({ emergencyOverride: null, notified: { destinations: [] } });
  });
});
