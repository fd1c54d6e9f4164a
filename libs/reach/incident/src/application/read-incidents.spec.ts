import type { IncidentState, RunState } from '#lib/formats';
import { actorOf, newId, type IncidentId, type PersonPrincipal, type Tx } from '#lib/kernel';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeStandings } from '../../../../people/identity/src/application/fake-standings.js';
import type { IncidentFacts } from '../domain/incident.js';
import { FakeIncidentRepository } from './fake-incident.repository.js';
import { sampleIncident, sampleOpen } from './fake-incident.js';
import { FakePageQueue } from './fake-page-queue.js';
import { ReadIncidents } from './read-incidents.js';

/** Incidents of `owner`. Ada answers for incidents, and Ben is notified of all of them. */
function reading() {
  const { uow, home, other } = fakeWorld();
  const incidents = new FakeIncidentRepository(uow, () => home.production);
  const [pages, standings] = [new FakePageQueue(uow), new FakeStandings()];
  const person = (...roles: string[]): PersonPrincipal => ({
    ...samplePerson(home.tenantId, roles),
    scopes: ['read', 'review'],
  });
  const [ada, ben] = [person('SecurityReviewer'), person('PlatformAdmin')];
  const notified = [home.owner, ben].map(({ personId: id }) => ({ id, displayName: id, by: ['email'] }));
  const reads = new ReadIncidents(uow, incidents, pages, standings, { read: () => Promise.resolve(notified) });
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  return {
    reads,
    home,
    other,
    ada,
    ben,
    person,
    standings,
    inTx,
    incidents,
    pages,
    /** An incident in this state. Ada took its steps. */
    keep: async (
      state: IncidentState,
      { runState = 'completed', ...facts }: Partial<IncidentFacts> & { readonly runState?: RunState } = {},
    ): Promise<IncidentId> => {
      const id = newId<IncidentId>();
      const all = { invokedBy: home.owner.personId, ...facts, id };
      const states = ['open', 'acknowledged', 'resolved', 'reviewed'] as const;
      await inTx(async (tx) => {
        await incidents.insert(tx, sampleOpen(all));
        for (const step of states.slice(1, states.indexOf(state) + 1))
          await incidents.save(tx, sampleIncident(step, all, ada.personId));
        incidents.runs.of(tx).set(id, { runId: newId(), runState });
      });
      return id;
    },
    waiting: async (by: PersonPrincipal, limit = 10) =>
      (await reads.waitingFor(by, limit)).map(({ seen, duty }) => [seen.incident.id, duty]),
  };
}

describe('the incidents that wait for a person', () => {
  it('are those with a duty for them, newest first, and none that is reviewed', async () => {
    const { keep, waiting, ada, person } = reading();
    const open = await keep('open', { openedAt: 1 });
    const acknowledged = await keep('acknowledged', { openedAt: 2 });
    const resolved = await keep('resolved', { openedAt: 3 });
    await keep('reviewed', { openedAt: 4 });
    expect(await waiting(ada)).toEqual([
      [resolved, 'review'],
      [acknowledged, 'resolve'],
      [open, 'acknowledge'],
    ]);
    // The reviewed one takes no place of the page.
    expect(await waiting(ada, 1)).toEqual([[resolved, 'review']]);
    expect(await waiting(person('DevOpsEngineer'))).toEqual([]);
  });

  it('are to be resolved once their run has ended', async () => {
    const { keep, waiting, ada } = reading();
    await keep('acknowledged', { runState: 'executing' });
    expect(await waiting(ada)).toEqual([]);
  });

  it('are not to be reviewed by a person with the vote of the invoker', async () => {
    const { keep, waiting, ada, home, standings } = reading();
    const resolved = await keep('resolved');
    expect(await waiting(ada)).toEqual([[resolved, 'review']]);
    standings.sharedWith.set(ada.personId, [home.owner.personId]);
    expect(await waiting(ada)).toEqual([]);
    const open = await keep('open', { openedAt: 2 });
    expect(await waiting(ada)).toEqual([[open, 'acknowledge']]);
  });
});

describe('one incident', () => {
  it('comes with its timeline, its pages, and the people who hear of it but the invoker', async () => {
    const { keep, reads, home, ada, ben, inTx, incidents, pages } = reading();
    const id = await keep('open');
    const entry = { seq: 2, kind: 'note', actor: actorOf(ada), text: 'I am on it.', data: {}, at: 3 } as const;
    await inTx(async (tx) => {
      await incidents.appendEvent(tx, id, entry);
      await pages.write(tx, id, 'trigger');
      await pages.write(tx, newId<IncidentId>(), 'trigger');
    });
    const found = await reads.get(home.tenantId, id, ada.personId);
    expect(found).toMatchObject({
      ok: true,
      value: {
        seen: { incident: { id }, environment: 'production', runState: 'completed' },
        timeline: [entry],
        pages: [{ incidentId: id, action: 'trigger' }],
        notified: [{ id: ben.personId }],
        barred: null,
      },
    });
  });

  it('says why the reader may never review it', async () => {
    const { keep, reads, home, ada, ben, standings } = reading();
    const id = await keep('open');
    const barred = async ({ personId }: PersonPrincipal) => {
      const found = await reads.get(home.tenantId, id, personId);
      return found.ok ? (found.value.barred?.code ?? null) : found.error.code;
    };
    standings.sharedWith.set(ben.personId, [home.owner.personId]);
    expect([await barred(home.owner), await barred(ben), await barred(ada)]).toEqual([
      'incident.own_review',
      'incident.same_hand',
      null,
    ]);
  });

  it('is not there for another tenant', async () => {
    const { keep, reads, other, ada } = reading();
    const id = await keep('open');
    expect(await reads.get(other.tenantId, id, ada.personId)).toMatchObject({
      ok: false,
      error: { code: 'resource.not_found' },
    });
  });
});
