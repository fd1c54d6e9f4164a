import { z } from 'zod';
import { TOOL_LEVELS, type RunState } from '#lib/formats';
import { parsedValue, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { personEntity } from '#lib/identity';
import type { IncidentId, PageRequest, PersonId, PlanId, RunId, Tx } from '#lib/kernel';
import { runEntity } from '#lib/run';
import { plansOfAgent, plansOfPerson, SqlWorkConditions, type WorkRow } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import type { IncidentFilter, IncidentRepository, IncidentSeen } from '../application/incident.ports.js';
import { stepsOf, type Incident, type IncidentEvent, type OpenIncident } from '../domain/incident.js';
import { incidentEntity, incidentEventEntity } from './incident.entity.js';

const RUN = runEntity.as('run');
const ENVIRONMENT = environmentEntity.as('environment');
const INCIDENT = incidentEntity.as('incident');
const PERSON = personEntity.as('person');
const ACTED = incidentEntity.as('acted');
const THEIRS = incidentEntity.as('theirs');

type Row = RowOf<typeof incidentEntity>;

interface StoredIncident {
  readonly runId: RunId;
  readonly runState: RunState;
  readonly headline: string;
  readonly risk: number;
  readonly environment: string;
  readonly production: boolean;
  readonly people: unknown;
  readonly overdue: boolean;
}

const ALL = incidentEntity.all;

/** Names by id. */
const peopleSchema = z
  .record(z.string(), z.string())
  .transform((names) => new Map(Object.entries(names).map(([id, name]) => [id as PersonId, name])));

const SEEN = `select ${ALL.columns('incident')}, ${RUN.id} as "runId", ${RUN.state} as "runState", ${RUN.headline} as headline, ${RUN.risk} as risk,
    ${ENVIRONMENT.name} as environment, ${ENVIRONMENT.production} as production,
    ${INCIDENT.state} <> 'reviewed' and ${INCIDENT.reviewDueAt} <= clock_timestamp() as overdue,
    (select coalesce(jsonb_object_agg(${PERSON.id}, countersign_shown_name(person)), '{}') from person
      where person.tenant_id = incident.tenant_id
        and ${PERSON.id} in (${INCIDENT.invokedBy}, ${INCIDENT.acknowledgedBy}, ${INCIDENT.resolvedBy}, ${INCIDENT.reviewedBy})) as people
  from incident
  join run on run.tenant_id = incident.tenant_id and ${RUN.incidentId} = ${INCIDENT.id}
  join environment on environment.tenant_id = incident.tenant_id and ${ENVIRONMENT.id} = ${INCIDENT.environmentId}`;

const ROW: WorkRow = {
  table: 'incident',
  at: INCIDENT.openedAt,
  task: INCIDENT.taskId,
  plan: INCIDENT.planId,
  environment: INCIDENT.environmentId,
  agent: (parameter) => `${INCIDENT.planId} in (${plansOfAgent(parameter)})`,
  person: (parameter) => [
    `select ${ACTED.id} from incident acted where acted.tenant_id = $1
       and ${parameter}::uuid in (${ACTED.invokedBy}, ${ACTED.acknowledgedBy}, ${ACTED.resolvedBy}, ${ACTED.reviewedBy})`,
    `select ${THEIRS.id} from incident theirs where theirs.tenant_id = $1 and ${THEIRS.planId} in (${plansOfPerson(parameter)})`,
  ],
};

/** Incidents and their timelines, in PostgreSQL. */
export class SqlIncidentRepository implements IncidentRepository {
  insert(tx: Tx, incident: OpenIncident): Promise<void> {
    const { method, provedAt } = incident.mfa;
    const row = { ...incident, ...changing(incident), mfa: { method, proved_at: provedAt } };
    return rowsOf(tx, incidentEntity).insert(row);
  }

  async lock(tx: Tx, id: IncidentId): Promise<Incident | null> {
    const row = await rowsOf(tx, incidentEntity).findOne({ id }, { lock: 'no key update' });
    return row && incidentOf(row);
  }

  async save(tx: Tx, incident: Incident): Promise<void> {
    await rowsOf(tx, incidentEntity).update({ id: incident.id }, changing(incident));
  }

  async find(tx: Tx, id: IncidentId): Promise<IncidentSeen | null> {
    const [row] = await sqlOf(tx).query<StoredIncident>(
      `${SEEN} where incident.tenant_id = $1 and ${INCIDENT.id} = $2`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : seenOf(row);
  }

  async list(tx: Tx, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]> {
    const wanted = new SqlWorkConditions(tx.tenantId, ROW)
      .equal(INCIDENT.state, filter.state)
      .equal(INCIDENT.planId, filter.planId);
    await wanted.filtered(tx, filter);
    if (filter.unreviewed === true) wanted.add(`${INCIDENT.state} <> 'reviewed'`);
    if (filter.overdue === true)
      wanted.add(`${INCIDENT.state} <> 'reviewed' and ${INCIDENT.reviewDueAt} <= clock_timestamp()`);
    const rest = wanted.page(page);
    const rows = await sqlOf(tx).query<StoredIncident>(`${SEEN} ${rest}`, wanted.parameters);
    return rows.map(seenOf);
  }

  async ofPlan(tx: Tx, planId: PlanId): Promise<readonly { readonly incident: Incident; readonly runId: RunId }[]> {
    const rows = await sqlOf(tx).query<{ readonly runId: RunId }>(
      `select ${ALL.columns('incident')}, ${RUN.id} as "runId" from incident
         join run on run.tenant_id = incident.tenant_id and ${RUN.incidentId} = ${INCIDENT.id}
        where incident.tenant_id = $1 and ${INCIDENT.planId} = $2 order by ${INCIDENT.openedAt}, ${INCIDENT.id}`,
      [tx.tenantId, planId],
    );
    return rows.map((stored) => {
      const { runId, ...row } = ALL.row(stored);
      return { incident: incidentOf(row), runId };
    });
  }

  appendEvent(tx: Tx, incidentId: IncidentId, event: IncidentEvent): Promise<void> {
    return rowsOf(tx, incidentEventEntity).insert({ ...event, incidentId });
  }

  async events(tx: Tx, incidentId: IncidentId): Promise<readonly IncidentEvent[]> {
    return rowsOf(tx, incidentEventEntity).find({ incidentId }, { order: { seq: 'asc' } });
  }
}

/** The columns that change after an incident was opened. */
function changing(incident: Incident) {
  const { state, eventCount, escalatedAt, escalations, escalateAt } = incident;
  const { acknowledged, resolved, reviewed } = stepsOf(incident);
  return {
    state,
    eventCount,
    acknowledgedAt: acknowledged?.at ?? null,
    acknowledgedBy: acknowledged?.by ?? null,
    resolvedAt: resolved?.at ?? null,
    resolvedBy: resolved?.by ?? null,
    postMortem: resolved?.postMortem ?? null,
    reviewedAt: reviewed?.at ?? null,
    reviewedBy: reviewed?.by ?? null,
    reviewComment: reviewed?.comment ?? null,
    escalatedAt,
    escalations,
    escalateAt,
  } satisfies Partial<Row>;
}

/** @throws {Error} if a row breaks the table's constraints. */
function incidentOf(row: Row): Incident {
  const { state, mfa, acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy, postMortem, ...others } = row;
  const { reviewedAt, reviewedBy, reviewComment, ...rest } = others;
  const facts = { ...rest, mfa: { method: mfa.method, provedAt: mfa.proved_at } };
  const there = <T>(value: T | null): T => {
    if (value === null) throw new Error(`incident ${row.id} is ${state} and lacks what belongs to it`);
    return value;
  };
  if (state === 'open') return { ...facts, state };
  const acknowledged = { at: there(acknowledgedAt), by: there(acknowledgedBy) };
  if (state === 'acknowledged') return { ...facts, state, acknowledged };
  const resolved = { at: there(resolvedAt), by: there(resolvedBy), postMortem: there(postMortem) };
  if (state === 'resolved') return { ...facts, state, acknowledged, resolved };
  const reviewed = { at: there(reviewedAt), by: there(reviewedBy), comment: there(reviewComment) };
  return { ...facts, state, acknowledged, resolved, reviewed };
}

function seenOf(stored: StoredIncident): IncidentSeen {
  const { runId, runState, headline, risk, environment, production, people, overdue, ...row } = ALL.row(stored);
  return {
    incident: incidentOf(row),
    runId,
    runState,
    headline: { headline, risk: TOOL_LEVELS[risk] ?? 'critical' },
    environment,
    production,
    people: parsedValue(peopleSchema, people, { question: 'the people of an incident', id: row.id }),
    overdue,
  };
}
