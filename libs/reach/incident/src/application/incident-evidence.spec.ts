import { actorOf, newId, type PlanId, type RunId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { incidentDocument, incidentEventDocument, incidentEventId } from '../domain/evidence-documents.js';
import { FakeIncidentRepository } from './fake-incident.repository.js';
import { sampleOpen } from './fake-incident.js';
import { IncidentEvidence } from './incident-evidence.js';

describe('the incidents in the evidence of a plan', () => {
  it('are its own, each with its run and its timeline in order', async () => {
    const { uow, home } = fakeWorld();
    const incidents = new FakeIncidentRepository(uow, () => home.production);
    const evidence = new IncidentEvidence(incidents);
    const [incident, elsewhere] = [sampleOpen(), sampleOpen()];
    const runId = newId<RunId>();
    const events = [1, 2].map((seq) => {
      return { seq, kind: 'note', actor: actorOf(home.admin), text: `Note ${String(seq)}`, data: {}, at: seq } as const;
    });
    const collected = await uow.run(home.tenantId, async (tx) => {
      for (const one of [incident, elsewhere]) {
        await incidents.insert(tx, one);
        incidents.runs.of(tx).set(one.id, { runId, runState: 'executing' });
        for (const event of events.toReversed()) await incidents.appendEvent(tx, one.id, event);
      }
      return evidence.collect(tx, incident.planId);
    });
    expect(collected).toEqual([
      { kind: 'incident', id: incident.id, document: incidentDocument(incident, runId) },
      ...events.map((event) => ({
        kind: 'incident-event',
        id: incidentEventId(incident.id, event.seq),
        document: incidentEventDocument(incident.id, event),
      })),
    ]);
    expect(await uow.run(home.tenantId, (tx) => evidence.collect(tx, newId<PlanId>()))).toEqual([]);
  });
});
