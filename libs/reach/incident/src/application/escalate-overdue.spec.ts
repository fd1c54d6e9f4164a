import { newId, type IncidentId, type Tx } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleOpen } from './fake-incident.js';
import { fakeIncidents } from './fake-incidents.js';

const DAY_MS = 86_400_000;

/** An open incident with a review that is due when the clock stands at the start. */
async function due() {
  const { uow, home, other } = fakeWorld();
  const { parts, incidents, settings, audit, outbox } = fakeIncidents(uow, home);
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const incident = sampleOpen({ notifies: ['security'], reviewDueAt: uow.now, escalateAt: uow.now });
  const destinations = { security: ['C1'], board: ['b@example.com'] };
  await inTx(async (tx) => {
    await incidents.insert(tx, incident);
    await settings.save(tx, { destinations, reviewDays: 5, pagerDuty: null }, home.admin.personId);
  });
  return {
    uow,
    escalate: (tenantId = home.tenantId, id: IncidentId = incident.id) => parts.escalateOverdue.execute(tenantId, id),
    elsewhere: other.tenantId,
    incident,
    found: () => inTx((tx) => incidents.lock(tx, incident.id)),
    timeline: () => inTx((tx) => incidents.events(tx, incident.id)),
    audited: () => audit.of(home),
    notices: () => outbox.of(home),
  };
}

describe('an overdue review', () => {
  it('is escalated once a day, each further time to one destination more', async () => {
    const world = await due();
    await world.escalate();
    await world.escalate();
    expect(await world.found()).toMatchObject({ escalations: 1, escalatedAt: world.uow.now, eventCount: 2 });
    world.uow.now += DAY_MS;
    await world.escalate();
    expect(await world.found()).toMatchObject({ escalations: 2, escalateAt: world.uow.now + DAY_MS, eventCount: 3 });
    expect(await world.timeline()).toMatchObject([
      { kind: 'overdue', data: { state: 'open', escalations: 1, notifies: ['security'] } },
      { kind: 'overdue', data: { state: 'open', escalations: 2, notifies: ['security', 'board'] } },
    ]);
    const entry = { action: 'incident.escalated', actor: { kind: 'system' }, level: 'critical' };
    expect(world.audited()).toMatchObject([entry, entry]);
    const notice = { topic: 'incident.changed', payload: { incident_id: world.incident.id, event: 'overdue' } };
    expect(world.notices()).toEqual([notice, notice]);
  });

  it('is not escalated before it is due, under another id, or for another tenant', async () => {
    const world = await due();
    await world.escalate(world.elsewhere);
    await world.escalate(undefined, newId<IncidentId>());
    world.uow.now -= 1;
    await world.escalate();
    expect(await world.found()).toEqual(world.incident);
    expect([await world.timeline(), world.audited(), world.notices()]).toEqual([[], [], []]);
  });
});
