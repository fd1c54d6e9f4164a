import { sqlOf } from '#lib/database';
import { agentEntity, credentialEntity, personEntity } from '#lib/identity';
import type { Tx } from '#lib/kernel';
import type {
  ApprovalStatistic,
  StatisticsBy,
  StatisticsPeriod,
  StatisticsRepository,
} from '../application/approval.ports.js';
import { approvalLookEntity, approvalRequestEntity, reviewEntity } from './approval.entity.js';

const AGENT = agentEntity.as('agent');
const PERSON = personEntity.as('person');
const REVIEW = reviewEntity.as('review');
const REQUEST = approvalRequestEntity.as('request');
const LOOK = approvalLookEntity.as('look');
const SLACK = credentialEntity.as('slack');

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
  agent: `select asked.id, ${AGENT.id}::text as key, ${AGENT.name} as name, ${BY_ALL}
            from asked join agent on agent.tenant_id = asked.tenant_id and ${AGENT.id} = asked.agent_id`,
  // The last verdict of this person, apart from those of others.
  person: `select asked.id, ${PERSON.id}::text as key, ${PERSON.displayName} as name, ${REVIEW.createdAt} as decided_at,
             ${REVIEW.verdict} = 'reject' as rejected, ${REVIEW.verdict} <> 'approve' as overridden, ${REVIEW.personId} as person_id
             from asked
             join review on review.tenant_id = asked.tenant_id and ${REVIEW.requestId} = asked.id and ${REVIEW.replacedAt} is null
             join person on person.tenant_id = review.tenant_id and ${PERSON.id} = ${REVIEW.personId}`,
};

const MAX_GROUPS = 1_000;

/**
 * Statistics about approvals, in one query over approval_request, review and approval_look. The time
 * of a first look at a message in Slack is unknown, but never before it was posted.
 */
export class SqlStatistics implements StatisticsRepository {
  async read(tx: Tx, by: StatisticsBy, { from, until }: StatisticsPeriod): Promise<readonly ApprovalStatistic[]> {
    const rows = await sqlOf(tx).query<StatisticRow>(
      `with asked as (
         select request.*,
           case when ${REQUEST.approvedAt} is not null then ${REQUEST.approvedAt}
                when ${REQUEST.state} in ('denied', 'changes_requested') then ${REQUEST.closedAt} end as decided_at
           from approval_request request
          where tenant_id = $1 and ${REQUEST.openedAt} >= $2 and ${REQUEST.openedAt} < $3
       ),
       approved as (
         select ${REVIEW.requestId} as request_id, ${REVIEW.personId} as person_id, count(*)::integer as approvals, count(${LOOK.firstAt})::integer as after_look,
           count(*) filter (where ${REVIEW.createdAt} - ${LOOK.firstAt} < interval '5 seconds')::integer as fast,
           count(*) filter (where ${SLACK.id} is not null)::integer as in_slack,
           count(*) filter (where ${SLACK.id} is not null and ${REVIEW.createdAt} - posted.first_at < interval '5 seconds')::integer
             as in_slack_fast
           from asked
           join review on review.tenant_id = asked.tenant_id and ${REVIEW.requestId} = asked.id and ${REVIEW.verdict} = 'approve'
           left join approval_look look on look.tenant_id = review.tenant_id and ${LOOK.requestId} = ${REVIEW.requestId}
             and ${LOOK.personId} = ${REVIEW.personId}
           left join credential slack on slack.tenant_id = review.tenant_id and ${SLACK.id} = ${REVIEW.credentialId}
             and ${SLACK.kind} = 'slack_link'
           left join lateral (
             select min(message.posted_at) as first_at from slack_message message
              where message.tenant_id = $1 and message.subject = 'request:' || ${REVIEW.requestId}) posted on true
          group by ${REVIEW.requestId}, ${REVIEW.personId}
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
