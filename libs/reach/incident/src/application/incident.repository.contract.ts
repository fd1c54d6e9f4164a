import type { IncidentState } from '#lib/formats';
import {
  actorOf,
  newId,
  type DecisionId,
  type EnvironmentId,
  type IncidentId,
  type PlanId,
  type RunId,
  type TaskId,
  type Tx,
} from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleHeadline } from '../../../../stages/run/src/application/fake-run-samples.js';
import { acknowledge, resolve, review } from '../domain/incident-transitions.js';
import type { Incident, IncidentEvent, IncidentFacts, OpenIncident } from '../domain/incident.js';
import { sampleIncident, sampleOpen } from './fake-incident.js';
import type { IncidentFilter, IncidentRepository } from './incident.ports.js';

/** The rows that an incident refers to. */
export interface PlanWithDecision {
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly environmentId: EnvironmentId;
  readonly decisionId: DecisionId;
}

/** The repository of incidents, and the rows of other libraries, in the world's tenant `home`. */
export interface IncidentsOpened {
  readonly world: ContractWorld;
  readonly incidents: IncidentRepository;
  /** A plan in production, with its decision. */
  newPlan(): Promise<PlanWithDecision>;
  /** Keeps the cancelled run of a kept incident. */
  keepRun(incident: Incident): Promise<RunId>;
}

const START = Date.UTC(2026, 0, 5, 8);
const DAY_MS = 86_400_000;

/** The contract of a repository of incidents. */
export function describeIncidentRepository(name: string, open: () => Promise<IncidentsOpened>): void {
  describe(`${name} keeps the contract of IncidentRepository`, () => {
    let opened: IncidentsOpened;
    let world: ContractWorld;
    let incidents: IncidentRepository;
    beforeAll(async () => {
      opened = await open();
      ({ world, incidents } = opened);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (facts: Partial<IncidentFacts> = {}): Promise<OpenIncident> => {
      const { personId, credentialId } = world.home.owner;
      const plan = facts.planId === undefined ? await opened.newPlan() : {};
      const at = facts.openedAt ?? START;
      const times = { openedAt: at, reviewDueAt: at + DAY_MS, escalateAt: at + DAY_MS };
      const incident = sampleOpen({ ...plan, invokedBy: personId, credentialId, ...times, ...facts });
      await atHome((tx) => incidents.insert(tx, incident));
      return incident;
    };
    const withRun = async (facts?: Partial<IncidentFacts>): Promise<OpenIncident> => {
      const incident = await kept(facts);
      await opened.keepRun(incident);
      return incident;
    };
    const locked = (id: IncidentId): Promise<Incident | null> => atHome((tx) => incidents.lock(tx, id));
    const save = (incident: Incident): Promise<void> => atHome((tx) => incidents.save(tx, incident));
    /** The incident as the admin took it to this state. */
    const inState = (incident: OpenIncident, state: IncidentState): Incident =>
      sampleIncident(state, incident, world.home.admin.personId);
    const event = (seq: number, more: Partial<IncidentEvent> = {}): IncidentEvent => ({
      seq,
      kind: 'note',
      actor: actorOf(world.home.admin),
      text: `Note ${String(seq)}`,
      data: { seq },
      at: START + seq,
      ...more,
    });

    it('finds an inserted incident, whole, with its run, its environment and its people', async () => {
      const incident = await kept({ notifies: ['security-team'], justification: 'The database is down.' });
      expect(await atHome((tx) => incidents.find(tx, incident.id))).toBeNull();
      const runId = await opened.keepRun(incident);
      expect(await locked(incident.id)).toEqual(incident);
      const seen = await atHome((tx) => incidents.find(tx, incident.id));
      const { name: environment, production } = world.home.production;
      const run = { runId, runState: 'cancelled', headline: sampleHeadline };
      expect(seen).toMatchObject({ incident, ...run, environment, production, overdue: true });
      expect([...(seen?.people.keys() ?? [])]).toEqual([world.home.owner.personId]);
    });

    it('names everybody who acted on it', async () => {
      const incident = await withRun();
      await save(inState(incident, 'acknowledged'));
      const { owner, admin } = world.home;
      const seen = await atHome((tx) => incidents.find(tx, incident.id));
      expect([...(seen?.people.keys() ?? [])].sort()).toEqual([owner.personId, admin.personId].sort());
    });

    it('shows nothing under another id, and nothing to another tenant', async () => {
      const { id, planId } = await withRun();
      await atHome((tx) => incidents.appendEvent(tx, id, event(1)));
      expect(await locked(newId())).toBeNull();
      expect(await atHome((tx) => incidents.find(tx, newId()))).toBeNull();
      expect(await elsewhere((tx) => incidents.lock(tx, id))).toBeNull();
      expect(await elsewhere((tx) => incidents.find(tx, id))).toBeNull();
      expect(await elsewhere((tx) => incidents.events(tx, id))).toEqual([]);
      expect(await elsewhere((tx) => incidents.ofPlan(tx, planId))).toEqual([]);
      expect(await elsewhere((tx) => incidents.list(tx, {}, { limit: 9, after: null }))).toEqual([]);
    });

    it('refuses an id that is taken (23505)', async () => {
      const incident = await kept();
      await expect(atHome((tx) => incidents.insert(tx, incident))).rejects.toMatchObject({ code: '23505' });
    });

    it('saves each step of people, and no other incident', async () => {
      const { admin } = world.home;
      const [incident, bystander] = [await kept(), await kept()];
      const by = admin.personId;
      const acknowledged = acknowledge({ ...incident, eventCount: 2 }, { at: START + 1, by });
      await save(acknowledged);
      expect(await locked(incident.id)).toEqual(acknowledged);
      const escalation = { escalatedAt: START + DAY_MS, escalations: 1, escalateAt: START + 2 * DAY_MS };
      const resolved = resolve({ ...acknowledged, ...escalation }, { at: START + 2, by, postMortem: 'It is over.' });
      await save(resolved);
      expect(await locked(incident.id)).toEqual(resolved);
      const reviewed = review(resolved, { at: START + 3, by, comment: 'Fine.' });
      await save(reviewed);
      expect(await locked(incident.id)).toEqual(reviewed);
      expect(await locked(bystander.id)).toEqual(bystander);
    });

    it('never changes the facts of the invocation', async () => {
      const incident = await kept();
      await save({ ...incident, justification: 'Another reason.', notifies: ['managers'], invokedBy: newId() });
      expect(await locked(incident.id)).toEqual(incident);
    });

    it("does not save another tenant's incident", async () => {
      const incident = await kept();
      await elsewhere((tx) => incidents.save(tx, inState(incident, 'acknowledged')));
      expect(await locked(incident.id)).toEqual(incident);
    });

    it('refuses a state that the lifecycle does not lead to (CS002)', async () => {
      const incident = await kept();
      for (const state of ['resolved', 'reviewed'] as const)
        await expect(save(inState(incident, state))).rejects.toMatchObject({ code: 'CS002' });
      await save(inState(incident, 'acknowledged'));
      await expect(save(inState(incident, 'reviewed'))).rejects.toMatchObject({ code: 'CS002' });
      expect(await locked(incident.id)).toEqual(inState(incident, 'acknowledged'));
    });

    it('takes back and rewrites no step of a person (CS001)', async () => {
      const incident = await kept();
      await save(inState(incident, 'acknowledged'));
      const others = sampleIncident('resolved', incident, world.home.owner.personId);
      for (const changed of [incident, others]) await expect(save(changed)).rejects.toMatchObject({ code: 'CS001' });
      expect(await locked(incident.id)).toEqual(inState(incident, 'acknowledged'));
    });

    it('refuses a review by the invoker (23514)', async () => {
      const incident = await kept({ invokedBy: world.home.admin.personId });
      await save(inState(incident, 'acknowledged'));
      await save(inState(incident, 'resolved'));
      await expect(save(inState(incident, 'reviewed'))).rejects.toMatchObject({ code: '23514' });
      expect(await locked(incident.id)).toEqual(inState(incident, 'resolved'));
    });

    it('lets one transaction at a time hold an incident', async () => {
      const { id } = await kept();
      expect(await waitsBehind(world, (tx) => incidents.lock(tx, id))).toBe(true);
    });

    it('reads the entries of a timeline in order, each of them written once (23505)', async () => {
      const [{ id }, { id: another }] = [await kept(), await kept()];
      const entries = [event(1, { kind: 'opened' }), event(2), event(3, { kind: 'overdue', data: {} })];
      for (const seq of [2, 0, 1])
        await atHome(async (tx) => {
          const entry = entries[seq];
          if (entry !== undefined) await incidents.appendEvent(tx, id, entry);
        });
      await atHome((tx) => incidents.appendEvent(tx, another, event(1)));
      expect(await atHome((tx) => incidents.events(tx, id))).toMatchObject(entries);
      const again = atHome((tx) => incidents.appendEvent(tx, id, event(2, { text: 'Another text.' })));
      await expect(again).rejects.toMatchObject({ code: '23505' });
      expect(await atHome((tx) => incidents.events(tx, id))).toMatchObject(entries);
      expect(await atHome((tx) => incidents.events(tx, newId()))).toEqual([]);
    });

    it('reads the incidents of a plan in the order in which they were opened, each with its run', async () => {
      const first = await kept({ openedAt: START + 1 });
      const { taskId, planId, environmentId, decisionId } = first;
      const second = await kept({ taskId, planId, environmentId, decisionId, openedAt: START });
      await withRun();
      const runs = [await opened.keepRun(second), await opened.keepRun(first)];
      expect(await atHome((tx) => incidents.ofPlan(tx, planId))).toEqual([
        { incident: second, runId: runs[0] },
        { incident: first, runId: runs[1] },
      ]);
    });

    describe('lists', () => {
      const from = Date.UTC(2020, 0, 1);
      const until = from + DAY_MS;
      let oldest: OpenIncident;
      let reviewed: OpenIncident;
      let undue: OpenIncident;
      let latest: OpenIncident;
      beforeAll(async () => {
        oldest = await withRun({ openedAt: from });
        reviewed = await withRun({ openedAt: from + 1 });
        for (const state of ['acknowledged', 'resolved', 'reviewed'] as const) await save(inState(reviewed, state));
        const due = Date.UTC(2099, 0, 1);
        undue = await withRun({ openedAt: from + 2, reviewDueAt: due, escalateAt: due });
        latest = await withRun({ openedAt: from + 2 });
        await withRun({ openedAt: until });
      });

      const listed = (filter: IncidentFilter, limit = 9, after: Incident | null = null) =>
        atHome(async (tx) => {
          const page = { limit, after: after === null ? null : { at: after.openedAt, id: after.id } };
          return (await incidents.list(tx, { from, until, ...filter }, page)).map(({ incident }) => incident.id);
        });

      it('the newest first, from the first moment of a period to before its last, page by page', async () => {
        expect(await listed({})).toEqual([latest.id, undue.id, reviewed.id, oldest.id]);
        expect(await listed({ from: from + 1, until: from + 2 })).toEqual([reviewed.id]);
        expect(await listed({}, 2)).toEqual([latest.id, undue.id]);
        expect(await listed({}, 2, undue)).toEqual([reviewed.id, oldest.id]);
      });

      it('by state and plan, those without a review, and those with an overdue one', async () => {
        expect(await listed({ state: 'reviewed' })).toEqual([reviewed.id]);
        expect(await listed({ planId: oldest.planId })).toEqual([oldest.id]);
        expect(await listed({ unreviewed: true })).toEqual([latest.id, undue.id, oldest.id]);
        expect(await listed({ overdue: true })).toEqual([latest.id, oldest.id]);
      });

      it('each as it is found alone', async () => {
        const one = await atHome((tx) => incidents.list(tx, { planId: reviewed.planId }, { limit: 1, after: null }));
        expect(one).toEqual([await atHome((tx) => incidents.find(tx, reviewed.id))]);
      });
    });
  });
}
