import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type {
  ApprovalStatistic,
  StatisticsBy,
  StatisticsPeriod,
  StatisticsRepository,
} from '../application/approval.ports.js';

interface StatisticRow {
  readonly key: string;
  readonly name: string;
  readonly requests: number;
  readonly decided: number;
  readonly overridden: number;
  readonly rejected: number;
  readonly median_seconds: number | null;
  readonly slowest_tenth_seconds: number | null;
  readonly approvals: number;
  readonly approvals_after_look: number;
  readonly under_five_seconds: number;
  readonly in_slack: number;
  readonly in_slack_within_five_seconds: number;
}

/** How people together brought a request to its end. */
const BY_ALL = `asked.decided_at, asked.state = 'denied' as rejected, asked.state in ('denied', 'changes_requested') as overridden,
  null::uuid as person_id`;

const GROUPED: Readonly<Record<StatisticsBy, string>> = {
  tool: `select distinct asked.id, split_part(bound.tool, '@', 1) as key, split_part(bound.tool, '@', 1) as name, ${BY_ALL}
           from asked cross join lateral jsonb_object_keys(asked.binding::jsonb -> 'tools') bound (tool)`,
  agent: `select asked.id, agent.id::text as key, agent.name, ${BY_ALL}
            from asked join agent on agent.tenant_id = asked.tenant_id and agent.id = asked.agent_id`,
  // The last verdict of this person, apart from those of others.
  person: `select asked.id, person.id::text as key, person.display_name as name, review.created_at as decided_at,
             review.verdict = 'reject' as rejected, review.verdict <> 'approve' as overridden, review.person_id
             from asked
             join review on review.tenant_id = asked.tenant_id and review.request_id = asked.id and review.replaced_at is null
             join person on person.tenant_id = review.tenant_id and person.id = review.person_id`,
};

const MAX_GROUPS = 1_000;

/**
 * Figures about approvals, in one query over approval_request, review and approval_look. The time
 * of a first look at a message in Slack is unknown, but never before it was posted.
 */
export class SqlStatistics implements StatisticsRepository {
  async read(tx: Tx, by: StatisticsBy, { from, until }: StatisticsPeriod): Promise<readonly ApprovalStatistic[]> {
    const rows = await sqlOf(tx).query<StatisticRow>(
      `with asked as (
         select request.*,
           case when approved_at is not null then approved_at
                when state in ('denied', 'changes_requested') then closed_at end as decided_at
           from approval_request request
          where tenant_id = $1 and opened_at >= $2 and opened_at < $3
       ),
       approved as (
         select review.request_id, review.person_id, count(*)::integer as approvals, count(look.first_at)::integer as after_look,
           count(*) filter (where review.created_at - look.first_at < interval '5 seconds')::integer as fast,
           count(*) filter (where slack.id is not null)::integer as in_slack,
           count(*) filter (where slack.id is not null and review.created_at - posted.first_at < interval '5 seconds')::integer
             as in_slack_fast
           from asked
           join review on review.tenant_id = asked.tenant_id and review.request_id = asked.id and review.verdict = 'approve'
           left join approval_look look on look.tenant_id = review.tenant_id and look.request_id = review.request_id
             and look.person_id = review.person_id
           left join credential slack on slack.tenant_id = review.tenant_id and slack.id = review.credential_id
             and slack.kind = 'slack_link'
           left join lateral (
             select min(message.posted_at) as first_at from slack_message message
              where message.tenant_id = $1 and message.subject = 'request:' || review.request_id) posted on true
          group by review.request_id, review.person_id
       ),
       grouped as (${GROUPED[by]})
       select grouped.key, grouped.name,
         count(*)::integer as requests,
         count(grouped.decided_at)::integer as decided,
         count(*) filter (where grouped.overridden)::integer as overridden,
         count(*) filter (where grouped.rejected)::integer as rejected,
         (percentile_cont(0.5) within group (order by extract(epoch from grouped.decided_at - asked.opened_at)::float8))
           as median_seconds,
         (percentile_cont(0.9) within group (order by extract(epoch from grouped.decided_at - asked.opened_at)::float8))
           as slowest_tenth_seconds,
         coalesce(sum(approved.approvals), 0)::integer as approvals,
         coalesce(sum(approved.after_look), 0)::integer as approvals_after_look,
         coalesce(sum(approved.fast), 0)::integer as under_five_seconds,
         coalesce(sum(approved.in_slack), 0)::integer as in_slack,
         coalesce(sum(approved.in_slack_fast), 0)::integer as in_slack_within_five_seconds
         from grouped
         join asked on asked.id = grouped.id
         left join lateral (
           select sum(approvals) as approvals, sum(after_look) as after_look, sum(fast) as fast, sum(in_slack) as in_slack,
             sum(in_slack_fast) as in_slack_fast
             from approved
            where approved.request_id = asked.id and (grouped.person_id is null or approved.person_id = grouped.person_id)
         ) approved on true
        group by grouped.key, grouped.name
        order by requests desc, grouped.key
        limit ${String(MAX_GROUPS)}`,
      [tx.tenantId, new Date(from), new Date(until)],
    );
    return rows.map((row) => ({
      key: row.key,
      name: row.name,
      requests: row.requests,
      decided: row.decided,
      overridden: row.overridden,
      rejected: row.rejected,
      medianSeconds: row.median_seconds,
      slowestTenthSeconds: row.slowest_tenth_seconds,
      approvals: row.approvals,
      approvalsAfterLook: row.approvals_after_look,
      underFiveSeconds: row.under_five_seconds,
      inSlack: row.in_slack,
      inSlackWithinFiveSeconds: row.in_slack_within_five_seconds,
    }));
  }
}
