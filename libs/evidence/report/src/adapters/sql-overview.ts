import { z } from 'zod';
import { overviewSchema, type OverviewView } from '#lib/api-schemas';
import { approvalRequestEntity } from '#lib/approval';
import { decisionMonthsAway } from '#lib/audit';
import { parsedValue, sqlOf } from '#lib/database';
import { haltEntity } from '#lib/halt';
import { incidentEntity } from '#lib/incident';
import { type Tx, toTimestamp } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { decisionEntity } from '#lib/policy';
import { runEntity, runStepEntity } from '#lib/run';
import { taskEntity } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import type { OverviewReader, Period } from '../application/report.ports.js';

const RUN = runEntity.as('run');
const REQUEST = approvalRequestEntity.as('request');
const STEP = runStepEntity.as('step');
const HALT = haltEntity.as('halt');
const INCIDENT = incidentEntity.as('incident');
const ENVIRONMENT = environmentEntity.as('environment');
const TASK = taskEntity.as('task');
const PLAN = planEntity.as('plan');
const DECISION = decisionEntity.as('decision');

interface StandingRow {
  readonly approvals: number;
  readonly next_expiry: Date | null;
  readonly starts: number;
  readonly unknown_effects: number;
  readonly paused_runs: number;
  readonly live_runs: number;
  readonly active_halts: number;
  readonly open_incidents: number;
  readonly overdue_incidents: number;
  readonly runs: unknown;
}

const runsSchema = z.array(overviewSchema.shape.running.shape.runs.element.extend({ created_at: z.number() }));

const LIVE = `run.tenant_id = $1 and ${RUN.finishedAt} is null`;
const DAY = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`;

/** The overview's metrics in PostgreSQL. Reads live rows, and those of the requested days. */
export class SqlOverview implements OverviewReader {
  async standing(tx: Tx): Promise<Pick<OverviewView, 'waiting' | 'running' | 'active_halts' | 'incidents'>> {
    const [row] = await sqlOf(tx).query<StandingRow>(
      `select
         (select count(*)::integer from approval_request request
           where request.tenant_id = $1 and ${REQUEST.state} = 'open' and ${REQUEST.expiresAt} > statement_timestamp()) as approvals,
         (select min(${REQUEST.expiresAt}) from approval_request request
           where request.tenant_id = $1 and ${REQUEST.state} = 'open' and ${REQUEST.expiresAt} > statement_timestamp()) as next_expiry,
         (select count(*)::integer from approval_request request
           where request.tenant_id = $1 and ${REQUEST.state} = 'approved'
             and ${REQUEST.approvalExpiresAt} > statement_timestamp()) as starts,
         (select count(*)::integer from run join run_step step on step.tenant_id = run.tenant_id and ${STEP.runId} = ${RUN.id}
           where ${LIVE} and ${STEP.state} = 'unknown') as unknown_effects,
         (select count(*)::integer from run where ${LIVE} and ${RUN.state} = 'paused') as paused_runs,
         (select count(*)::integer from run where ${LIVE}) as live_runs,
         (select count(*)::integer from halt where halt.tenant_id = $1 and ${HALT.liftedAt} is null) as active_halts,
         (select count(*)::integer from incident
           where incident.tenant_id = $1 and ${INCIDENT.state} in ('open', 'acknowledged')) as open_incidents,
         (select count(*)::integer from incident
           where incident.tenant_id = $1 and ${INCIDENT.reviewedAt} is null
             and ${INCIDENT.reviewDueAt} <= statement_timestamp()) as overdue_incidents,
         (select coalesce(jsonb_agg(to_jsonb(newest) - 'at' order by newest.at desc), '[]') from (
            select ${RUN.id}, ${RUN.state} as state, ${ENVIRONMENT.name} as environment, ${ENVIRONMENT.production} as production, ${RUN.createdAt} as at,
                   floor(extract(epoch from ${RUN.createdAt}) * 1000) as created_at, ${TASK.spec}::jsonb ->> 'goal' as goal,
                   ${PLAN.headline} as headline
              from run
              join environment on environment.tenant_id = run.tenant_id and ${ENVIRONMENT.id} = ${RUN.environmentId}
              join task on task.tenant_id = run.tenant_id and ${TASK.id} = ${RUN.taskId}
              join plan on plan.tenant_id = run.tenant_id and ${PLAN.id} = ${RUN.planId}
             where ${LIVE}
             order by ${RUN.createdAt} desc, ${RUN.id} desc limit 10
          ) newest) as runs`,
      [tx.tenantId],
    );
    if (row === undefined) throw new Error('a query of one row answered none');
    return {
      waiting: {
        approvals: row.approvals,
        next_expiry: row.next_expiry === null ? null : toTimestamp(row.next_expiry.getTime()),
        starts: row.starts,
        unknown_effects: row.unknown_effects,
        paused_runs: row.paused_runs,
      },
      running: {
        total: row.live_runs,
        runs: parsedValue(runsSchema, row.runs, { question: 'the live runs of the overview' }).map((run) => ({
          ...run,
          created_at: toTimestamp(run.created_at),
        })),
      },
      active_halts: row.active_halts,
      incidents: { open: row.open_incidents, overdue: row.overdue_incidents },
    };
  }

  async approvalTimes(tx: Tx, since: number): Promise<OverviewView['approval_times']> {
    const rows = await sqlOf(tx).query<OverviewView['approval_times'][number]>(
      `select day, count(*)::integer as approved,
              percentile_cont(0.5) within group (order by seconds) as p50_seconds,
              percentile_cont(0.9) within group (order by seconds) as p90_seconds
         from (
           select ${DAY(REQUEST.approvedAt)} as day,
                  extract(epoch from ${REQUEST.approvedAt} - ${REQUEST.openedAt})::double precision as seconds
             from approval_request request
            where request.tenant_id = $1 and ${REQUEST.openedAt} >= $2 and ${REQUEST.approvedAt} is not null
         ) approved
        group by day order by day`,
      [tx.tenantId, new Date(since)],
    );
    return [...rows];
  }

  async decisions(tx: Tx, since: number): Promise<OverviewView['decisions']> {
    const rows = await sqlOf(tx).query<OverviewView['decisions'][number]>(
      `select ${DAY(DECISION.decidedAt)} as day,
              count(*) filter (where ${DECISION.outcome} = 'allow')::integer as allow,
              count(*) filter (where ${DECISION.outcome} = 'require_approval')::integer as require_approval,
              count(*) filter (where ${DECISION.outcome} = 'deny')::integer as deny
         from decision where decision.tenant_id = $1 and ${DECISION.decidedAt} >= $2
        group by day order by day`,
      [tx.tenantId, new Date(since)],
    );
    return [...rows];
  }

  monthsAway(tx: Tx, { from, until }: Period): Promise<readonly string[]> {
    return decisionMonthsAway(tx, from, until);
  }
}
