import type { JsonObject } from '#lib/canonical';
import type { IncidentEventKind, IncidentState, RunState } from '#lib/contracts';
import { sqlOf } from '#lib/database';
import type {
  Actor,
  CredentialId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  MfaMethod,
  PageRequest,
  PersonId,
  PlanId,
  RunId,
  TaskId,
  Tx,
} from '#lib/kernel';
import { plansOfAgent, plansOfPerson, WorkConditions, type WorkRow } from '#lib/task';
import type { IncidentFilter, IncidentRepository, IncidentSeen } from '../application/incident.ports.js';
import type { Done, Incident, IncidentEvent } from '../domain/incident.js';

interface IncidentRow {
  readonly id: string;
  readonly state: IncidentState;
  readonly task_id: string;
  readonly plan_id: string;
  readonly plan_digest: string;
  readonly environment_id: string;
  readonly decision_id: string;
  readonly invoked_by: string;
  readonly credential_id: string;
  readonly justification: string;
  readonly mfa: { readonly method: MfaMethod; readonly proved_at: number };
  readonly notifies: readonly string[];
  readonly event_count: number;
  readonly opened_at: Date;
  readonly review_due_at: Date;
  readonly acknowledged_at: Date | null;
  readonly acknowledged_by: string | null;
  readonly resolved_at: Date | null;
  readonly resolved_by: string | null;
  readonly post_mortem: string | null;
  readonly reviewed_at: Date | null;
  readonly reviewed_by: string | null;
  readonly review_comment: string | null;
  readonly escalated_at: Date | null;
  readonly escalations: number;
  readonly escalate_at: Date;
}

interface SeenRow extends IncidentRow {
  readonly run_id: string;
  readonly run_state: RunState;
  readonly environment: string;
  readonly production: boolean;
  readonly people: Readonly<Record<string, string>>;
  readonly overdue: boolean;
}

interface EventRow {
  readonly seq: number;
  readonly kind: IncidentEventKind;
  readonly actor: Actor;
  readonly text: string;
  readonly data: JsonObject;
  readonly at: Date;
}

const COLUMNS = `incident.id, incident.state, incident.task_id, incident.plan_id, incident.plan_digest, incident.environment_id,
  incident.decision_id, incident.invoked_by, incident.credential_id, incident.justification, incident.mfa, incident.notifies,
  incident.event_count, incident.opened_at, incident.review_due_at, incident.acknowledged_at, incident.acknowledged_by,
  incident.resolved_at, incident.resolved_by, incident.post_mortem, incident.reviewed_at, incident.reviewed_by,
  incident.review_comment, incident.escalated_at, incident.escalations, incident.escalate_at`;

const SEEN = `select ${COLUMNS}, run.id as run_id, run.state as run_state, environment.name as environment, environment.production,
    incident.state <> 'reviewed' and incident.review_due_at <= clock_timestamp() as overdue,
    (select coalesce(jsonb_object_agg(person.id, countersign_shown_name(person)), '{}') from person
      where person.tenant_id = incident.tenant_id
        and person.id in (incident.invoked_by, incident.acknowledged_by, incident.resolved_by, incident.reviewed_by)) as people
  from incident
  join run on run.tenant_id = incident.tenant_id and run.incident_id = incident.id
  join environment on environment.tenant_id = incident.tenant_id and environment.id = incident.environment_id`;

const ROW: WorkRow = {
  table: 'incident',
  at: 'incident.opened_at',
  task: 'incident.task_id',
  plan: 'incident.plan_id',
  environment: 'incident.environment_id',
  agent: (parameter) => `incident.plan_id in (${plansOfAgent(parameter)})`,
  person: (parameter) => [
    `select acted.id from incident acted where acted.tenant_id = $1
       and ${parameter}::uuid in (acted.invoked_by, acted.acknowledged_by, acted.resolved_by, acted.reviewed_by)`,
    `select theirs.id from incident theirs where theirs.tenant_id = $1 and theirs.plan_id in (${plansOfPerson(parameter)})`,
  ],
};

/** Incidents and their timelines in PostgreSQL, tables incident and incident_event. */
export class PostgresIncidentRepository implements IncidentRepository {
  async insert(tx: Tx, incident: Incident): Promise<void> {
    await sqlOf(tx).execute(
      `insert into incident (tenant_id, id, state, task_id, plan_id, plan_digest, environment_id, decision_id, invoked_by,
                             credential_id, justification, mfa, notifies, event_count, opened_at, review_due_at,
                             escalate_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
      [
        tx.tenantId,
        incident.id,
        incident.state,
        incident.taskId,
        incident.planId,
        incident.planDigest,
        incident.environmentId,
        incident.decisionId,
        incident.invokedBy,
        incident.credentialId,
        incident.justification,
        JSON.stringify({ method: incident.mfa.method, proved_at: incident.mfa.provedAt }),
        JSON.stringify(incident.notifies),
        incident.eventCount,
        new Date(incident.openedAt),
        new Date(incident.reviewDueAt),
        new Date(incident.escalateAt),
      ],
    );
  }

  async lock(tx: Tx, id: IncidentId): Promise<Incident | null> {
    const [row] = await sqlOf(tx).query<IncidentRow>(
      `select ${COLUMNS} from incident where tenant_id = $1 and id = $2 for no key update`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : incidentOf(row);
  }

  async save(tx: Tx, incident: Incident): Promise<void> {
    const { acknowledged, resolved, reviewed } = incident;
    await sqlOf(tx).execute(
      `update incident set state = $3, event_count = $4, acknowledged_at = $5, acknowledged_by = $6, resolved_at = $7,
                           resolved_by = $8, post_mortem = $9, reviewed_at = $10, reviewed_by = $11, review_comment = $12,
                           escalated_at = $13, escalations = $14, escalate_at = $15
        where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
        incident.id,
        incident.state,
        incident.eventCount,
        at(acknowledged),
        acknowledged?.by ?? null,
        at(resolved),
        resolved?.by ?? null,
        resolved?.postMortem ?? null,
        at(reviewed),
        reviewed?.by ?? null,
        reviewed?.comment ?? null,
        incident.escalatedAt === null ? null : new Date(incident.escalatedAt),
        incident.escalations,
        new Date(incident.escalateAt),
      ],
    );
  }

  async find(tx: Tx, id: IncidentId): Promise<IncidentSeen | null> {
    const [row] = await sqlOf(tx).query<SeenRow>(`${SEEN} where incident.tenant_id = $1 and incident.id = $2`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : seenOf(row);
  }

  async list(tx: Tx, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]> {
    const wanted = new WorkConditions(tx.tenantId, ROW)
      .equal('incident.state', filter.state)
      .equal('incident.plan_id', filter.planId);
    await wanted.filtered(tx, filter);
    if (filter.unreviewed === true) wanted.add("incident.state <> 'reviewed'");
    if (filter.overdue === true)
      wanted.add("incident.state <> 'reviewed' and incident.review_due_at <= clock_timestamp()");
    const rest = wanted.page(page);
    const rows = await sqlOf(tx).query<SeenRow>(`${SEEN} ${rest}`, wanted.parameters);
    return rows.map(seenOf);
  }

  async ofPlan(tx: Tx, planId: PlanId): Promise<readonly { readonly incident: Incident; readonly runId: RunId }[]> {
    const rows = await sqlOf(tx).query<IncidentRow & { readonly run_id: string }>(
      `select ${COLUMNS}, run.id as run_id from incident
         join run on run.tenant_id = incident.tenant_id and run.incident_id = incident.id
        where incident.tenant_id = $1 and incident.plan_id = $2 order by incident.opened_at, incident.id`,
      [tx.tenantId, planId],
    );
    return rows.map((row) => ({ incident: incidentOf(row), runId: row.run_id as RunId }));
  }

  async appendEvent(tx: Tx, id: IncidentId, event: IncidentEvent): Promise<void> {
    await sqlOf(tx).execute(
      `insert into incident_event (tenant_id, incident_id, seq, kind, actor, text, data, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        tx.tenantId,
        id,
        event.seq,
        event.kind,
        JSON.stringify(event.actor),
        event.text,
        JSON.stringify(event.data),
        new Date(event.at),
      ],
    );
  }

  async events(tx: Tx, id: IncidentId): Promise<readonly IncidentEvent[]> {
    const rows = await sqlOf(tx).query<EventRow>(
      'select seq, kind, actor, text, data, at from incident_event where tenant_id = $1 and incident_id = $2 order by seq',
      [tx.tenantId, id],
    );
    return rows.map((row) => ({ ...row, at: row.at.getTime() }));
  }
}

const at = (done: Done | null): Date | null => (done === null ? null : new Date(done.at));

const doneOf = (when: Date | null, by: string | null): Done | null =>
  when === null || by === null ? null : { at: when.getTime(), by: by as PersonId };

function incidentOf(row: IncidentRow): Incident {
  const resolved = doneOf(row.resolved_at, row.resolved_by);
  const reviewed = doneOf(row.reviewed_at, row.reviewed_by);
  return {
    id: row.id as IncidentId,
    state: row.state,
    taskId: row.task_id as TaskId,
    planId: row.plan_id as PlanId,
    planDigest: row.plan_digest as Digest,
    environmentId: row.environment_id as EnvironmentId,
    decisionId: row.decision_id as DecisionId,
    invokedBy: row.invoked_by as PersonId,
    credentialId: row.credential_id as CredentialId,
    justification: row.justification,
    mfa: { method: row.mfa.method, provedAt: row.mfa.proved_at },
    notifies: row.notifies,
    eventCount: row.event_count,
    openedAt: row.opened_at.getTime(),
    reviewDueAt: row.review_due_at.getTime(),
    acknowledged: doneOf(row.acknowledged_at, row.acknowledged_by),
    resolved: resolved === null ? null : { ...resolved, postMortem: row.post_mortem ?? '' },
    reviewed: reviewed === null ? null : { ...reviewed, comment: row.review_comment ?? '' },
    escalatedAt: row.escalated_at?.getTime() ?? null,
    escalations: row.escalations,
    escalateAt: row.escalate_at.getTime(),
  };
}

const seenOf = (row: SeenRow): IncidentSeen => ({
  incident: incidentOf(row),
  runId: row.run_id as RunId,
  runState: row.run_state,
  environment: row.environment,
  production: row.production,
  people: new Map(Object.entries(row.people) as [PersonId, string][]),
  overdue: row.overdue,
});
