import { isDeepStrictEqual } from 'node:util';
import type { RunState } from '#lib/formats';
import type { EnvironmentId, IncidentId, PageRequest, PersonId, PlanId, RunId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import type { SampleEnvironment } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { sampleHeadline } from '../../../../stages/run/src/application/fake-run-samples.js';
import { INCIDENT_TRANSITIONS } from '../domain/incident-transitions.js';
import { isOverdue, stepsOf, type Incident, type IncidentEvent, type OpenIncident } from '../domain/incident.js';
import type { IncidentFilter, IncidentRepository, IncidentSeen } from './incident.ports.js';

const LIFECYCLE = INCIDENT_TRANSITIONS.map(([from, , to]) => ({ from, to }));

/** The filters of a fake list. The others need rows of other libraries. */
const FILTERS: ReadonlySet<string> = new Set<keyof IncidentFilter>([
  'state',
  'planId',
  'unreviewed',
  'overdue',
  'from',
  'until',
]);

/** The run of an incident. */
interface RunOfIncident {
  readonly runId: RunId;
  readonly runState: RunState;
}

/** Keeps incidents in memory. The test sets their runs. */
export class FakeIncidentRepository implements IncidentRepository {
  /** By incident. */
  readonly runs: FakeTable<RunOfIncident>;
  readonly #incidents: FakeTable<Incident>;
  readonly #events: FakeTable<readonly IncidentEvent[]>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly environmentOf: (id: EnvironmentId) => SampleEnvironment,
  ) {
    this.runs = new FakeTable(database);
    this.#incidents = new FakeTable(database);
    this.#events = new FakeTable(database);
  }

  insert(tx: Tx, incident: OpenIncident): Promise<void> {
    requireTransition(LIFECYCLE, '', incident.state);
    if (this.#incidents.of(tx).has(incident.id)) throw new FakeRefusal('23505', 'incident_pk');
    this.#incidents.of(tx).set(incident.id, incident);
    return Promise.resolve();
  }

  lock(tx: Tx, id: IncidentId): Promise<Incident | null> {
    return Promise.resolve(this.#incidents.of(tx).get(id) ?? null);
  }

  async save(tx: Tx, incident: Incident): Promise<void> {
    const before = await this.lock(tx, incident.id);
    if (before === null) return;
    requireSteps(before, incident);
    requireTransition(LIFECYCLE, before.state, incident.state);
    if (incident.state === 'reviewed' && incident.reviewed.by === before.invokedBy)
      throw new FakeRefusal('23514', 'incident_reviewer_check');
    const { eventCount, escalatedAt, escalations, escalateAt } = incident;
    const changed = { eventCount, escalatedAt, escalations, escalateAt };
    this.#incidents.of(tx).set(incident.id, { ...incident, ...factsOf(before), ...changed });
  }

  async find(tx: Tx, id: IncidentId): Promise<IncidentSeen | null> {
    const incident = await this.lock(tx, id);
    return incident && this.#seen(tx, incident);
  }

  list(tx: Tx, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]> {
    const unknown = Object.keys(filter).find((name) => !FILTERS.has(name));
    if (unknown !== undefined) throw new Error(`a fake list cannot be filtered by ${unknown}`);
    const { state, planId, from, until } = filter;
    const wanted = [...this.#incidents.of(tx).values()].filter(
      (incident) =>
        (state === undefined || incident.state === state) &&
        (planId === undefined || incident.planId === planId) &&
        (filter.unreviewed === undefined || incident.state !== 'reviewed') &&
        (filter.overdue === undefined || isOverdue(incident, this.database.now)) &&
        (from === undefined || incident.openedAt >= from) &&
        (until === undefined || incident.openedAt < until),
    );
    return Promise.resolve(
      fakePage(wanted, ({ openedAt }) => openedAt, page).flatMap((incident) => this.#seen(tx, incident) ?? []),
    );
  }

  ofPlan(tx: Tx, planId: PlanId): Promise<readonly { readonly incident: Incident; readonly runId: RunId }[]> {
    const found = [...this.#incidents.of(tx).values()]
      .filter((incident) => incident.planId === planId)
      .sort((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1));
    return Promise.resolve(
      found.flatMap((incident) => {
        const run = this.runs.of(tx).get(incident.id);
        return run === undefined ? [] : [{ incident, runId: run.runId }];
      }),
    );
  }

  async appendEvent(tx: Tx, id: IncidentId, event: IncidentEvent): Promise<void> {
    const before = await this.events(tx, id);
    if (before.some(({ seq }) => seq === event.seq)) throw new FakeRefusal('23505', 'incident_event_pk');
    this.#events.of(tx).set(id, [...before, event]);
  }

  events(tx: Tx, id: IncidentId): Promise<readonly IncidentEvent[]> {
    return Promise.resolve((this.#events.of(tx).get(id) ?? []).toSorted((a, b) => a.seq - b.seq));
  }

  /** Null for an incident without a run, as the join of the statement leaves it out. */
  #seen(tx: Tx, incident: Incident): IncidentSeen | null {
    const run = this.runs.of(tx).get(incident.id);
    if (run === undefined) return null;
    const { name: environment, production } = this.environmentOf(incident.environmentId);
    const acted = Object.values(stepsOf(incident)).flatMap((step) => step?.by ?? []);
    const people = new Map([incident.invokedBy, ...acted].map((id): [PersonId, string] => [id, `name of ${id}`]));
    const overdue = isOverdue(incident, this.database.now);
    return { incident, ...run, headline: sampleHeadline, environment, production, people, overdue };
  }
}

/** Refuses (CS001) to take back or rewrite a step. */
function requireSteps(before: Incident, after: Incident): void {
  const steps = stepsOf(after);
  for (const [name, step] of Object.entries(stepsOf(before)) as [keyof typeof steps, object | null][])
    if (step !== null && !isDeepStrictEqual(step, steps[name])) throw new FakeRefusal('CS001', `${name} is set once`);
}

/** The columns that no statement changes. */
function factsOf(before: Incident) {
  const { id, taskId, planId, planDigest, environmentId, decisionId, invokedBy, credentialId } = before;
  const { justification, mfa, notifies, openedAt, reviewDueAt } = before;
  const origin = { id, taskId, planId, planDigest, environmentId, decisionId, invokedBy, credentialId };
  return { ...origin, justification, mfa, notifies, openedAt, reviewDueAt };
}
