import { z } from 'zod';
import { absenceEntity, approvalRequestEntity, reviewEntity } from '#lib/approval';
import { ANY_ROLE, type RunState } from '#lib/formats';
import { parsedValue, sqlOf } from '#lib/database';
import { agentEntity, personEntity, roleAssignmentEntity } from '#lib/identity';
import type { ApprovalRequestId, PersonId, RunId, Tx } from '#lib/kernel';
import { runEntity } from '#lib/run';
import { environmentEntity } from '#lib/tenancy';
import type {
  Recipient,
  HeldBy,
  RecipientDirectory,
  MessageRecipients,
  RequestRecipients,
  RequestContext,
  NotifiedRun,
} from '../application/delivery.ports.js';
import { preferencesOf } from '../domain/preferences.js';
import {
  notificationPreferenceEntity,
  onDutyEntity,
  outboxMessageEntity,
  pushSubscriptionEntity,
} from './delivery.entity.js';

const ENVIRONMENT = environmentEntity.as('environment');
const RUN = runEntity.as('run');
const REQUEST = approvalRequestEntity.as('request');
const AGENT = agentEntity.as('agent');
const PERSON = personEntity.as('person');
const REVIEW = reviewEntity.as('review');
const EARLIER = approvalRequestEntity.as('earlier');
const ON_DUTY = onDutyEntity.as('on_duty');
const NOTIFICATION_PREFERENCE = notificationPreferenceEntity.as('notification_preference');
const PUSH_SUBSCRIPTION = pushSubscriptionEntity.as('push_subscription');
const MESSAGE = outboxMessageEntity.as('message');
const HELD = roleAssignmentEntity.as('held');
const AWAY = absenceEntity.as('away');

const PREFERENCE = notificationPreferenceEntity.pick('personId', 'channel', 'requests', 'reminders', 'comments');
const BROWSER = pushSubscriptionEntity.pick('id', 'personId');

const openedSchema = z
  .object({
    preferences: z.array(z.unknown().transform((row) => PREFERENCE.parse(row))),
    browsers: z.array(z.unknown().transform((row) => BROWSER.parse(row))),
    past: z.unknown(),
  })
  .nullable();

const END = runEntity.pick('id', 'approvalRequestId', 'state', 'reason', 'outcome');

interface StoredRun {
  readonly environment: string;
}

const runs = `select ${END.columns('run')}, ${ENVIRONMENT.name} as environment
  from run join environment on environment.tenant_id = run.tenant_id and ${ENVIRONMENT.id} = ${RUN.environmentId}`;

const requestColumns = `${REQUEST.id}, ${ENVIRONMENT.name} as environment,
  coalesce(${REQUEST.personId}, ${REQUEST.onBehalfOf}, ${AGENT.ownerPersonId}) as "requesterPersonId"`;
/** The name of an enabled person, as an expression. @param id an expression. */
const nameOf = (id: string): string =>
  `(select countersign_shown_name(person) from person
     where person.tenant_id = $1 and ${PERSON.id} = ${id} and ${PERSON.disabledAt} is null)`;
const names = `coalesce(${AGENT.name}, ${nameOf(REQUEST.personId)}, '') as "requesterName",
  case when ${REQUEST.onBehalfOf} is not null then coalesce(${nameOf(REQUEST.onBehalfOf)}, '') end as "onBehalfOfName"`;
/** Whether an earlier request of the task has an approval. */
const approvedBefore = `exists (
  select from approval_request earlier
    join review on review.tenant_id = earlier.tenant_id and ${REVIEW.requestId} = ${EARLIER.id}
   where earlier.tenant_id = $1 and ${EARLIER.taskId} = ${REQUEST.taskId}
     and (${EARLIER.openedAt}, ${EARLIER.id}) < (${REQUEST.openedAt}, ${REQUEST.id})
     and ${REVIEW.verdict} = 'approve' and ${REVIEW.replacedAt} is null)`;
/** The joins that these need. */
const around = `join environment on environment.tenant_id = request.tenant_id and ${ENVIRONMENT.id} = ${REQUEST.environmentId}
  left join agent on agent.tenant_id = request.tenant_id and ${AGENT.id} = ${REQUEST.agentId}`;

/** Recipients of messages about requests and runs, from the tables of the stages. */
export class SqlRecipientDirectory implements RecipientDirectory {
  async ofMessage(tx: Tx, messageId: string, held: HeldBy): Promise<MessageRecipients | null> {
    const [row] = await sqlOf(tx).query<Omit<MessageRecipients, 'opened'> & { readonly opened: unknown }>(
      `select ${requestColumns}, ${names}, told.reviewers,
              about.opening and ${REQUEST.state} = 'open' and not ${approvedBefore}
                and not exists (select from review where review.tenant_id = $1 and ${REVIEW.requestId} = ${REQUEST.id}) as "asOpened",
              array(select ${ON_DUTY.personId} from on_duty where tenant_id = $1 order by ${ON_DUTY.since},
                ${ON_DUTY.personId}) as "onDuty",
              case when about.opening then jsonb_build_object(
                'preferences', (
                  select coalesce(jsonb_agg(${PREFERENCE.document('notification_preference')}), '[]')
                    from notification_preference where tenant_id = $1 and ${NOTIFICATION_PREFERENCE.personId} = any (told.reviewers)),
                'browsers', (
                  select coalesce(jsonb_agg(${BROWSER.document('push_subscription')} order by ${PUSH_SUBSCRIPTION.id}), '[]')
                    from push_subscription where tenant_id = $1 and ${PUSH_SUBSCRIPTION.personId} = any (told.reviewers)
                      and ${PUSH_SUBSCRIPTION.endedAt} is null),
                'past', precedent_past_of_open(${REQUEST.id})) end as opened
         from outbox_message message
        cross join lateral (
          select coalesce(${MESSAGE.topic} = 'approval_request.changed' and ${MESSAGE.payload} ->> 'event' = 'opened',
            false) as opening) about
         join approval_request request
           on request.tenant_id = message.tenant_id and ${REQUEST.id} = (${MESSAGE.payload} ->> 'request_id')::uuid
         ${around}
         cross join lateral (
           select array(select jsonb_array_elements_text(slot -> 'roles')
                          from jsonb_array_elements(${REQUEST.decision} -> 'obligations' -> 'approvals') slot) as roles) asked
         cross join lateral (
           select case when about.opening or ${MESSAGE.topic} = 'approval_request.reminder' then array(
             select ${PERSON.id} from person
              where person.tenant_id = $1 and ${PERSON.disabledAt} is null
                and not ${REQUEST.excluded} @> jsonb_build_array(jsonb_build_object('person_id', ${PERSON.id}))
                and (exists (select from role_assignment held
                              where held.tenant_id = $1 and ${HELD.personId} = ${PERSON.id} and ${HELD.revokedAt} is null
                                and (asked.roles @> array[$3] or ${HELD.role} = any (asked.roles)))
                  or exists (select from absence away
                               join role_assignment held on held.tenant_id = away.tenant_id
                                 and ${HELD.personId} = ${AWAY.personId} and ${HELD.role} = any (${AWAY.roles})
                                 and ${HELD.revokedAt} is null
                              where away.tenant_id = $1 and ${AWAY.delegateId} = ${PERSON.id} and ${AWAY.endedAt} is null
                                and ${AWAY.fromAt} <= clock_timestamp() and ${AWAY.untilAt} > clock_timestamp()
                                and (asked.roles @> array[$3] or ${HELD.role} = any (asked.roles))
                                and not ${REQUEST.excluded}
                                  @> jsonb_build_array(jsonb_build_object('person_id', ${AWAY.personId}))))
              order by ${PERSON.id}) else '{}' end as reviewers
           -- They are found once, and not again for each use.
           offset 0) told
        where message.tenant_id = $1 and ${MESSAGE.id} = $2 and ${MESSAGE.destination} is null
          -- A savepoint has a transaction id of its own.
          and ($4 or message.xmin = pg_current_xact_id_if_assigned()::xid)
          and ${MESSAGE.topic} in ('approval_request.changed', 'approval_request.reminder')`,
      [tx.tenantId, messageId, ANY_ROLE, held === 'written'],
    );
    if (row === undefined) return null;
    const { opened: stored, ...told } = row;
    const opened = parsedValue(openedSchema, stored, {
      question: 'the recipients of an opened request',
      id: messageId,
    });
    if (opened === null) return told;
    return { ...told, opened: { ...opened, preferences: preferencesOf(opened.preferences) } };
  }

  async request(tx: Tx, id: ApprovalRequestId): Promise<RequestRecipients | null> {
    const [row] = await sqlOf(tx).query<RequestRecipients>(
      `select ${requestColumns} from approval_request request ${around} where request.tenant_id = $1 and ${REQUEST.id} = $2`,
      [tx.tenantId, id],
    );
    return row ?? null;
  }

  async run(tx: Tx, id: RunId): Promise<NotifiedRun | null> {
    const [row] = await sqlOf(tx).query<StoredRun>(`${runs} where run.tenant_id = $1 and ${RUN.id} = $2`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : toRun(row);
  }

  async context(tx: Tx, id: ApprovalRequestId): Promise<RequestContext | null> {
    const [row] = await sqlOf(tx).query<
      Omit<RequestContext, 'run'> & { readonly runId: RunId | null; readonly runState: RunState | null }
    >(
      `select ${names}, ${approvedBefore} as "approvedBefore", latest.id as "runId", latest.state as "runState"
         from approval_request request
         left join agent on agent.tenant_id = request.tenant_id and ${AGENT.id} = ${REQUEST.agentId}
         left join lateral (select ${RUN.id}, ${RUN.state} as state from run
                             where run.tenant_id = $1 and ${RUN.approvalRequestId} = ${REQUEST.id}
                             order by ${RUN.createdAt} desc limit 1) latest on true
        where request.tenant_id = $1 and ${REQUEST.id} = $2`,
      [tx.tenantId, id],
    );
    if (row === undefined) return null;
    const { runId, runState: state, ...around } = row;
    return { ...around, run: runId === null || state === null ? null : { id: runId, state } };
  }

  async holders(tx: Tx, roles: readonly string[]): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `select distinct ${PERSON.id} from person
         join role_assignment held on held.tenant_id = person.tenant_id and ${HELD.personId} = ${PERSON.id} and ${HELD.revokedAt} is null
        where person.tenant_id = $1 and ${PERSON.disabledAt} is null and ($3 or ${HELD.role} = any ($2::text[]))
        order by ${PERSON.id}`,
      [tx.tenantId, roles, roles.includes(ANY_ROLE)],
    );
    return rows.map(({ id }) => id);
  }

  async people(tx: Tx, ids: readonly PersonId[]): Promise<readonly Recipient[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId; display_name: string; email: string }>(
      `select ${PERSON.id}, countersign_shown_name(person) as display_name, ${PERSON.email} as email from person
        where tenant_id = $1 and ${PERSON.id} = any ($2::uuid[]) and ${PERSON.disabledAt} is null order by ${PERSON.id}`,
      [tx.tenantId, ids],
    );
    return rows.map((row) => ({ id: row.id, displayName: row.display_name, email: row.email }));
  }
}

function toRun(stored: StoredRun): NotifiedRun {
  const { approvalRequestId: requestId, reason, outcome, ...run } = END.row(stored);
  return { ...run, requestId, reason: reason?.message ?? null, outcome: outcomeOf(outcome) };
}

const countOf = (count: number, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`;

const inMinutes = (minutes: number): string =>
  minutes < 1 ? 'less than a minute' : countOf(Math.round(minutes), 'minute');

function outcomeOf(outcome: NonNullable<typeof END.holds>['outcome']): string | null {
  if (outcome === null) return null;
  const { affected_assets: affected, duration_minutes: minutes, calls, not_undone: left } = outcome;
  const parts = Object.entries(calls)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${String(count)} ${what.replaceAll('_', ' ')}`);
  const standing = left.length === 0 ? '' : ` ${countOf(left.length, 'call')} not undone.`;
  return `${countOf(affected, 'asset')} changed in ${inMinutes(minutes)}; calls: ${parts.join(', ')}.${standing}`;
}
