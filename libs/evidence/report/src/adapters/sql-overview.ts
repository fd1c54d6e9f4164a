import { z } from 'zod';
import { overviewSchema, type OverviewView } from '#lib/api-schemas';
import { decisionMonthsAway } from '#lib/audit';
import { parsedValue, sqlOf } from '#lib/database';
import { type Tx, toTimestamp } from '#lib/kernel';
import type { OverviewReader, Period } from '../application/report.ports.js';

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

const LIVE = 'run.tenant_id = $1 and run.finished_at is null';
const DAY = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`;

/** The overview's metrics in PostgreSQL. Reads live rows, and those of the requested days. */
export class SqlOverview implements OverviewReader {
  async standing(tx: Tx): Promise<Pick<OverviewView, 'waiting' | 'running' | 'active_halts' | 'incidents'>> {
    const [row] = await sqlOf(tx).query<StandingRow>(
      `select
         (select count(*)::integer from approval_request request
           where request.tenant_id = $1 and request.state = 'open' and request.expires_at > statement_timestamp()) as approvals,
         (select min(request.expires_at) from approval_request request
           where request.tenant_id = $1 and request.state = 'open' and request.expires_at > statement_timestamp()) as next_expiry,
         (select count(*)::integer from approval_request request
           where request.tenant_id = $1 and request.state = 'approved'
             and request.approval_expires_at > statement_timestamp()) as starts,
         (select count(*)::integer from run join run_step step on step.tenant_id = run.tenant_id and step.run_id = run.id
           where ${LIVE} and step.state = 'unknown') as unknown_effects,
         (select count(*)::integer from run where ${LIVE} and run.state = 'paused') as paused_runs,
         (select count(*)::integer from run where ${LIVE}) as live_runs,
         (select count(*)::integer from halt where halt.tenant_id = $1 and halt.lifted_at is null) as active_halts,
         (select count(*)::integer from incident
           where incident.tenant_id = $1 and incident.state in ('open', 'acknowledged')) as open_incidents,
         (select count(*)::integer from incident
           where incident.tenant_id = $1 and incident.reviewed_at is null
             and incident.review_due_at <= statement_timestamp()) as overdue_incidents,
         (select coalesce(jsonb_agg(to_jsonb(newest) - 'at' order by newest.at desc), '[]') from (
            select run.id, run.state, environment.name as environment, environment.production, run.created_at as at,
                   floor(extract(epoch from run.created_at) * 1000) as created_at, task.spec::jsonb ->> 'goal' as goal,
                   plan.headline
              from run
              join environment on environment.tenant_id = run.tenant_id and environment.id = run.environment_id
              join task on task.tenant_id = run.tenant_id and task.id = run.task_id
              join plan on plan.tenant_id = run.tenant_id and plan.id = run.plan_id
             where ${LIVE}
             order by run.created_at desc, run.id desc limit 10
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
           select ${DAY('request.approved_at')} as day,
                  extract(epoch from request.approved_at - request.opened_at)::double precision as seconds
             from approval_request request
            where request.tenant_id = $1 and request.opened_at >= $2 and request.approved_at is not null
         ) approved
        group by day order by day`,
      [tx.tenantId, new Date(since)],
    );
    return [...rows];
  }

  async decisions(tx: Tx, since: number): Promise<OverviewView['decisions']> {
    const rows = await sqlOf(tx).query<OverviewView['decisions'][number]>(
      `select ${DAY('decision.decided_at')} as day,
              count(*) filter (where decision.outcome = 'allow')::integer as allow,
              count(*) filter (where decision.outcome = 'require_approval')::integer as require_approval,
              count(*) filter (where decision.outcome = 'deny')::integer as deny
         from decision where decision.tenant_id = $1 and decision.decided_at >= $2
        group by day order by day`,
      [tx.tenantId, new Date(since)],
    );
    return [...rows];
  }

  monthsAway(tx: Tx, { from, until }: Period): Promise<readonly string[]> {
    return decisionMonthsAway(tx, from, until);
  }
}
