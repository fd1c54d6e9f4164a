import { newId, type IncidentId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { runIn, sampleActor, sampleRun } from '../../../../stages/run/src/application/fake-run-samples.js';
import { sampleOpen } from './fake-incident.js';
import { fakeIncidents } from './fake-incidents.js';

/** A run that moves, and the incident that follows it. */
async function followed() {
  const { uow, home } = fakeWorld();
  const { parts, incidents, audit, outbox } = fakeIncidents(uow, home);
  const incident = sampleOpen();
  await uow.run(home.tenantId, (tx) => incidents.insert(tx, incident));
  return {
    incident,
    moves: (state: 'executing' | 'paused' | 'completed', incidentId: IncidentId | null = incident.id) => {
      const authority =
        incidentId === null ? ({ kind: 'policy' } as const) : ({ kind: 'break_glass', incidentId } as const);
      const run = runIn(sampleRun(incident, { authority }), state);
      const moved = { run, type: `run.${state}`, actor: sampleActor, at: 7 } as const;
      return uow.run(home.tenantId, (tx) => parts.followRun.runMoved(tx, moved));
    },
    count: () => uow.run(home.tenantId, async (tx) => (await incidents.lock(tx, incident.id))?.eventCount),
    timeline: () => uow.run(home.tenantId, (tx) => incidents.events(tx, incident.id)),
    audited: () => audit.of(home),
    notices: () => outbox.of(home),
  };
}

describe('the timeline of an incident', () => {
  it('has each move of its run, and notices of a pause and an end alone', async () => {
    const world = await followed();
    await world.moves('executing');
    await world.moves('paused');
    await world.moves('completed');
    expect(await world.timeline()).toMatchObject(
      ['executing', 'paused', 'completed'].map((state, index) => ({
        seq: index + 2,
        kind: 'run',
        actor: sampleActor,
        data: { event: `run.${state}`, state },
        at: 7,
      })),
    );
    expect(await world.count()).toBe(4);
    expect(world.audited()).toHaveLength(3);
    const told = ['run.paused', 'run.completed'];
    expect(world.notices()).toMatchObject(
      told.map((event) => ({ payload: { incident_id: world.incident.id, event } })),
    );
  });

  it('has nothing of a run without an incident; an incident that is gone is a fault', async () => {
    const world = await followed();
    await world.moves('completed', null);
    await expect(world.moves('completed', newId<IncidentId>())).rejects.toThrow('is gone');
    expect([await world.timeline(), world.audited(), world.notices()]).toEqual([[], [], []]);
  });
});
