import type { IncidentState, RunState } from '#lib/formats';
import { newId, type IncidentId, type PersonId, type PersonPrincipal, type Tx } from '#lib/kernel';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeStandings } from '../../../../people/identity/src/application/fake-standings.js';
import { MAX_EVENTS, type Incident } from '../domain/incident.js';
import type { IncidentAction } from './act-on-incident.js';
import { sampleIncident } from './fake-incident.js';
import { fakeIncidents } from './fake-incidents.js';

const DAY_MS = 86_400_000;

const ACKNOWLEDGE: IncidentAction = { kind: 'acknowledge', note: 'I am on it.' };
const NOTE: IncidentAction = { kind: 'note', text: 'Customers can pay again.' };
const RESOLVE: IncidentAction = { kind: 'resolve', postMortem: 'The failover is automatic now.' };
const REVIEW: IncidentAction = { kind: 'review', comment: 'Agreed.' };

/** An incident of `owner` that the admin took to this state. Its run has completed. */
async function incidentIn(
  state: IncidentState,
  more: { readonly eventCount?: number; readonly overdueMs?: number; readonly runState?: RunState } = {},
) {
  const { eventCount = 1, overdueMs = -DAY_MS, runState = 'completed' } = more;
  const { uow, home, other } = fakeWorld();
  const seats = new FakeStandings();
  const { parts, incidents, settings, pages, audit, outbox } = fakeIncidents(uow, home, { seats });
  const due = uow.now - overdueMs;
  const facts = { invokedBy: home.owner.personId, eventCount, openedAt: due - DAY_MS, reviewDueAt: due };
  const steps = (['open', 'acknowledged', 'resolved', 'reviewed'] as const).map((each) =>
    sampleIncident(each, { ...facts, escalateAt: due, id: ID }, home.admin.personId),
  );
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  await inTx(async (tx) => {
    const [opened] = steps;
    if (opened?.state !== 'open') throw new Error('an incident begins open');
    await incidents.insert(tx, opened);
    for (const step of steps.slice(1, steps.findIndex((each) => each.state === state) + 1))
      await incidents.save(tx, step);
    incidents.runs.of(tx).set(ID, { runId: newId(), runState });
  });
  const pagerDuty = { secret: 'pagerduty@1', url: 'https://events.example/' };
  return {
    uow,
    home,
    other,
    seats,
    reviewer: samplePerson(home.tenantId, ['SecurityReviewer']),
    act: (by: PersonPrincipal, action: IncidentAction, id: IncidentId = ID) =>
      parts.actOnIncident.execute(by, id, action),
    found: () => inTx((tx) => incidents.lock(tx, ID)),
    timeline: () => inTx((tx) => incidents.events(tx, ID)),
    pages: () => inTx((tx) => pages.of(tx, ID)),
    /** PagerDuty, with the event that opened the incident. */
    page: () =>
      inTx(async (tx) => {
        await settings.save(tx, { destinations: {}, reviewDays: 5, pagerDuty }, home.admin.personId);
        await pages.write(tx, ID, 'trigger');
      }),
    audited: () => audit.of(home),
    notices: () => outbox.of(home),
  };
}

const ID = newId<IncidentId>();

type World = Awaited<ReturnType<typeof incidentIn>>;

/** Expects the refusal, and that nothing was written. */
async function refuses(world: World, by: PersonPrincipal, action: IncidentAction, code: string): Promise<void> {
  const before = await world.found();
  expect(await world.act(by, action)).toMatchObject({ ok: false, error: { code } });
  expect(await world.found()).toEqual(before);
  expect([await world.timeline(), world.audited(), world.notices(), await world.pages()]).toEqual([[], [], [], []]);
}

describe('an act on an incident', () => {
  it.each<[IncidentAction, IncidentState, Partial<Incident>, string, string | null]>([
    [ACKNOWLEDGE, 'open', { state: 'acknowledged' }, 'acknowledged', 'acknowledged'],
    [NOTE, 'open', { state: 'open' }, 'note', null],
    [RESOLVE, 'acknowledged', { state: 'resolved' }, 'resolved', 'resolved'],
    [REVIEW, 'resolved', { state: 'reviewed' }, 'reviewed', 'reviewed'],
  ])('%j leaves one entry in timeline, audit log and outbox', async (action, from, next, kind, notice) => {
    const world = await incidentIn(from);
    const acted = await world.act(world.reviewer, action);
    const incident = await world.found();
    expect(incident).toMatchObject({ ...next, eventCount: 2 });
    expect(acted).toMatchObject({ ok: true, value: { incident, runState: 'completed', environment: 'production' } });
    const [text] = Object.values(action).filter((words) => words !== action.kind);
    const actor = { kind: 'person', id: world.reviewer.personId };
    expect(await world.timeline()).toMatchObject([{ seq: 2, kind, actor, text, at: world.uow.now }]);
    expect(world.audited()).toMatchObject([
      {
        action: `incident.${kind === 'note' ? 'noted' : kind}`,
        actor,
        level: 'critical',
        subject: { type: 'incident', id: ID },
        within: [{ type: 'task' }, { type: 'plan', id: incident?.planId }],
        evidence: [{ kind: 'incident-event' }],
        payload: { seq: 2, text },
      },
    ]);
    expect(world.notices()).toEqual(
      notice === null ? [] : [{ topic: 'incident.changed', payload: { incident_id: ID, event: notice } }],
    );
  });

  it('names the person, the time and the words of each step', async () => {
    const world = await incidentIn('open');
    const { home, reviewer, uow } = world;
    await world.act(home.owner, ACKNOWLEDGE);
    uow.now += 5;
    await world.act(home.owner, RESOLVE);
    uow.now += 5;
    await world.act(reviewer, REVIEW);
    expect(await world.found()).toMatchObject({
      state: 'reviewed',
      acknowledged: { at: uow.now - 10, by: home.owner.personId },
      resolved: { at: uow.now - 5, by: home.owner.personId, postMortem: RESOLVE.postMortem },
      reviewed: { at: uow.now, by: reviewer.personId, comment: REVIEW.comment },
    });
  });

  it('sends PagerDuty the acknowledgement and the resolution, and neither notes nor the review', async () => {
    const world = await incidentIn('open');
    await world.page();
    for (const action of [NOTE, ACKNOWLEDGE, RESOLVE, REVIEW]) await world.act(world.reviewer, action);
    expect((await world.pages()).map(({ action }) => action)).toEqual(['trigger', 'acknowledge', 'resolve']);
  });

  it.each([
    { ...ACKNOWLEDGE, note: 'Use ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
    { ...NOTE, text: 'Use ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
    { ...RESOLVE, postMortem: 'Use ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
    { ...REVIEW, comment: 'Use ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
  ] satisfies IncidentAction[])('T32: keeps no secret of $kind', async (action) => {
    const from = { acknowledge: 'open', note: 'open', resolve: 'acknowledged', review: 'resolved' } as const;
    const world = await incidentIn(from[action.kind]);
    const acted = await world.act(world.reviewer, action);
    expect(acted.ok).toBe(true);
    const kept = JSON.stringify([acted, await world.found(), await world.timeline(), world.audited()]);
    expect(kept).toContain('Use ');
    expect(kept).not.toContain('ghp_');
  });

  it('is refused in a state that does not allow it', async () => {
    const cases = [
      ['open', RESOLVE],
      ['acknowledged', ACKNOWLEDGE],
      ['resolved', RESOLVE],
      ['reviewed', NOTE],
      ['reviewed', REVIEW],
    ] as const;
    for (const [state, action] of cases) {
      const world = await incidentIn(state);
      await refuses(world, world.reviewer, action, 'incident.wrong_state');
    }
  });

  it.each<RunState>(['queued', 'executing', 'paused', 'rolling_back'])(
    'does not resolve it while its run is %s',
    async (runState) => {
      const world = await incidentIn('acknowledged', { runState });
      await refuses(world, world.reviewer, RESOLVE, 'incident.run_not_ended');
    },
  );

  it('adds no note to a full timeline', async () => {
    const world = await incidentIn('open', { eventCount: MAX_EVENTS });
    await refuses(world, world.reviewer, NOTE, 'incident.timeline_full');
    expect(await world.act(world.reviewer, ACKNOWLEDGE)).toMatchObject({ ok: true });
  });

  it('is refused under another id, and to another tenant', async () => {
    const world = await incidentIn('open');
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await world.act(world.reviewer, ACKNOWLEDGE, newId<IncidentId>())).toMatchObject(missing);
    expect(await world.act(world.other.admin, ACKNOWLEDGE)).toMatchObject(missing);
    expect(await world.found()).toMatchObject({ state: 'open' });
  });

  it('is taken once: of two people who acknowledge it at the same moment, one does', async () => {
    const world = await incidentIn('open');
    const results = await Promise.all([world.home.admin, world.reviewer].map((by) => world.act(by, ACKNOWLEDGE)));
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
    expect(results[1]).toMatchObject({ error: { code: 'incident.wrong_state' } });
    expect(await world.found()).toMatchObject({ acknowledged: { by: world.home.admin.personId } });
    expect(await world.timeline()).toHaveLength(1);
  });
});

describe('the review of an incident', () => {
  it('is never by the invoker', async () => {
    const world = await incidentIn('resolved');
    await refuses(world, world.home.owner, REVIEW, 'incident.own_review');
  });

  it('is never by a person who shares the vote of the invoker, in either direction', async () => {
    const world = await incidentIn('resolved');
    const { reviewer, home, seats } = world;
    seats.sharedWith.set(reviewer.personId, [home.owner.personId]);
    await refuses(world, reviewer, REVIEW, 'incident.same_hand');
    seats.sharedWith.clear();
    seats.sharedWith.set(home.owner.personId, [reviewer.personId]);
    await refuses(world, reviewer, REVIEW, 'incident.same_hand');
    seats.sharedWith.clear();
    expect(await world.act(reviewer, REVIEW)).toMatchObject({ ok: true });
  });

  it('records how both people are known, for a check without the database', async () => {
    const world = await incidentIn('resolved');
    const hand = newId<PersonId>();
    world.seats.sharedWith.set(world.reviewer.personId, [hand]);
    await world.act(world.reviewer, REVIEW);
    const seats = {
      [world.home.owner.personId]: { shared_with: [], known_by: [] },
      [world.reviewer.personId]: { shared_with: [hand], known_by: [] },
    };
    expect((await world.timeline()).map(({ data }) => data)).toEqual([{ seats }]);
    expect(world.audited()).toMatchObject([{ payload: { seats } }]);
  });

  it("is not escalated for a day after a person acted on an overdue one, unless they share the invoker's vote", async () => {
    const acted = async (by: (world: World) => PersonPrincipal, sharing: boolean): Promise<number> => {
      const world = await incidentIn('open', { overdueMs: 5 });
      if (sharing) world.seats.sharedWith.set(world.reviewer.personId, [world.home.owner.personId]);
      expect(await world.act(by(world), NOTE)).toMatchObject({ ok: true });
      return ((await world.found())?.escalateAt ?? 0) - world.uow.now;
    };
    expect(await acted(({ reviewer }) => reviewer, false)).toBe(DAY_MS);
    expect(await acted(({ reviewer }) => reviewer, true)).toBe(-5);
    expect(await acted(({ home }) => home.owner, false)).toBe(-5);
  });
});
