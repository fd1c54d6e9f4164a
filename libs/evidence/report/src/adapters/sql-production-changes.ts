import { z } from 'zod';
import {
  CHANGE_EXCEPTIONS,
  type ChangeException,
  type ProductionChangeReportView,
  type ProductionChangeView,
} from '#lib/api-schemas';
import { reviewEntity } from '#lib/approval';
import { parsedValue, sqlOf } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import { type Tx, toTimestamp, toTimestampOrNull } from '#lib/kernel';
import { planEntity, planToolEntity } from '#lib/plan';
import { runEntity } from '#lib/run';
import { taskEntity } from '#lib/task';
import type { ChangeCursor, Period, ProductionChangeReader } from '../application/report.ports.js';
import { exceptionsOf } from '../domain/production-change.js';

const TASK = taskEntity.as('task');
const PLAN = planEntity.as('plan');
const RUN = runEntity.as('run');
const AGENT = agentEntity.as('agent');
const REQUESTER = personEntity.as('requester');
const PRINCIPAL = personEntity.as('principal');
const USED = planToolEntity.as('used');
const REVIEW = reviewEntity.as('review');
const PERSON = personEntity.as('person');

interface TotalRow extends Readonly<Record<ChangeException, number>> {
  readonly state: ProductionChangeView['state'];
  readonly runs: number;
  readonly exceptional: number;
  readonly changing_calls: number;
}

interface ChangeRow {
  readonly run_id: string;
  readonly plan_id: string;
  readonly task_id: string;
  readonly occurred_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly environment_name: string;
  readonly state: ProductionChangeView['state'];
  readonly scope: ProductionChangeView['scope'];
  readonly break_glass: boolean;
  readonly without_approval: boolean;
  readonly rolled_back: boolean;
  readonly failed: boolean;
  readonly unknown_effects: number;
  readonly voided_approvals: number;
  readonly changing_calls: number;
  readonly approval_request_id: string | null;
  readonly incident_id: string | null;
  readonly plan_digest: string;
  readonly headline: string | null;
  readonly goal: string;
  readonly agent_id: string | null;
  readonly person_id: string | null;
  readonly requester: string;
  readonly on_behalf_of: string | null;
  readonly tools: readonly string[];
  readonly targets: number;
  readonly approvers: unknown;
}

const approversSchema = z.array(z.object({ id: z.string(), name: z.string(), at: z.number() }));

const IN_PERIOD = 'fact.tenant_id = $1 and fact.occurred_at >= $2 and fact.occurred_at < $3';

/** Production changes in PostgreSQL: lists and counts come from the view `production_change_fact` alike. */
export class SqlProductionChanges implements ProductionChangeReader {
  async totals(tx: Tx, { from, until }: Period): Promise<ProductionChangeReportView['totals']> {
    const rows = await sqlOf(tx).query<TotalRow>(
      `select fact.state, count(*)::integer as runs,
              count(*) filter (where fact.exceptional)::integer as exceptional,
              sum(fact.changing_calls)::integer as changing_calls,
              count(*) filter (where fact.break_glass)::integer as break_glass,
              count(*) filter (where fact.without_approval)::integer as without_approval,
              count(*) filter (where fact.rolled_back)::integer as rolled_back,
              count(*) filter (where fact.failed)::integer as failed,
              count(*) filter (where fact.unknown_effects > 0)::integer as unknown_effect,
              count(*) filter (where fact.voided_approvals > 0)::integer as voided_approval
         from production_change_fact fact where ${IN_PERIOD}
        group by fact.state order by fact.state`,
      [tx.tenantId, new Date(from), new Date(until)],
    );
    const sum = (of: (row: TotalRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
    const runs = sum((row) => row.runs);
    const exceptional = sum((row) => row.exceptional);
    return {
      runs,
      ordinary: runs - exceptional,
      exceptional,
      changing_calls: sum((row) => row.changing_calls),
      by_state: rows.map(({ state, runs: count }) => ({ state, runs: count })),
      by_exception: CHANGE_EXCEPTIONS.map((exception) => ({ exception, runs: sum((row) => row[exception]) })),
    };
  }

  async list(
    tx: Tx,
    { from, until }: Period,
    { limit, after }: { readonly limit: number; readonly after: ChangeCursor | null },
  ): Promise<readonly ProductionChangeView[]> {
    const rows = await sqlOf(tx).query<ChangeRow>(
      `select fact.*, ${TASK.spec}::jsonb ->> 'goal' as goal, ${PLAN.headline} as headline, ${PLAN.agentId} as agent_id, ${PLAN.personId} as person_id, ${RUN.incidentId} as incident_id,
              coalesce(${AGENT.name}, ${REQUESTER.displayName}) as requester, ${PRINCIPAL.displayName} as on_behalf_of,
              array(select distinct ${USED.toolName} from plan_tool used
                     where used.tenant_id = fact.tenant_id and ${USED.planId} = fact.plan_id order by ${USED.toolName}) as tools,
              (select count(*)::integer from plan_target target
                where target.tenant_id = fact.tenant_id and target.plan_id = fact.plan_id) as targets,
              (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', ${REVIEW.personId}, 'name', ${PERSON.displayName},
                        'at', floor(extract(epoch from ${REVIEW.createdAt}) * 1000)) order by ${REVIEW.createdAt}), '[]')
                 from review join person on person.tenant_id = review.tenant_id and ${PERSON.id} = ${REVIEW.personId}
                where review.tenant_id = fact.tenant_id and ${REVIEW.requestId} = fact.approval_request_id
                  and ${REVIEW.verdict} = 'approve' and ${REVIEW.replacedAt} is null) as approvers
         from (
           select * from production_change_fact fact
            where ${IN_PERIOD} and ($4::timestamptz is null or (fact.occurred_at, fact.run_id) > ($4, $5::uuid))
            order by fact.occurred_at, fact.run_id limit $6
         ) fact
         join run on run.tenant_id = fact.tenant_id and ${RUN.id} = fact.run_id
         join plan on plan.tenant_id = fact.tenant_id and ${PLAN.id} = fact.plan_id
         join task on task.tenant_id = fact.tenant_id and ${TASK.id} = fact.task_id
         left join agent on agent.tenant_id = fact.tenant_id and ${AGENT.id} = ${PLAN.agentId}
         left join person requester on requester.tenant_id = fact.tenant_id and ${REQUESTER.id} = ${PLAN.personId}
         left join person principal on principal.tenant_id = fact.tenant_id and ${PRINCIPAL.id} = ${PLAN.onBehalfOf}
        order by fact.occurred_at, fact.run_id`,
      [
        tx.tenantId,
        new Date(from),
        new Date(until),
        after === null ? null : new Date(after.occurredAt),
        after?.runId ?? null,
        limit,
      ],
    );
    return rows.map(viewOf);
  }
}

const timeOrNull = (at: Date | null): string | null => toTimestampOrNull(at === null ? null : at.getTime());

function viewOf(row: ChangeRow): ProductionChangeView {
  return {
    run_id: row.run_id,
    plan_id: row.plan_id,
    task_id: row.task_id,
    occurred_at: toTimestamp(row.occurred_at.getTime()),
    started_at: timeOrNull(row.started_at),
    finished_at: timeOrNull(row.finished_at),
    environment: row.environment_name,
    state: row.state,
    scope: row.scope,
    exceptions: exceptionsOf({
      breakGlass: row.break_glass,
      withoutApproval: row.without_approval,
      rolledBack: row.rolled_back,
      failed: row.failed,
      unknownEffects: row.unknown_effects,
      voidedApprovals: row.voided_approvals,
    }),
    tools: [...row.tools],
    targets: row.targets,
    changing_calls: row.changing_calls,
    requester: {
      kind: row.agent_id === null ? 'person' : 'agent',
      id: row.agent_id ?? row.person_id ?? '',
      name: row.requester,
    },
    on_behalf_of: row.on_behalf_of,
    approvers: parsedValue(approversSchema, row.approvers, { question: 'the approvers of a run', id: row.run_id }).map(
      ({ id, name, at }) => ({ id, name, at: toTimestamp(at) }),
    ),
    approval_request_id: row.approval_request_id,
    incident_id: row.incident_id,
    plan_digest: row.plan_digest,
    headline: row.headline,
    goal: row.goal,
  };
}
