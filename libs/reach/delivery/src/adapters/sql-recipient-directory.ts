import { z } from 'zod';
import { ANY_ROLE, type RunState } from '#lib/formats';
import { parsedValue, sqlOf } from '#lib/database';
import type { ApprovalRequestId, PersonId, RunId, Tx } from '#lib/kernel';
import { runEntity } from '#lib/run';
import type {
  Addressee,
  HeldBy,
  RecipientDirectory,
  MessageRecipients,
  RequestRecipients,
  RequestContext,
  ToldRun,
} from '../application/delivery.ports.js';
import { preferencesOf } from '../domain/preferences.js';
import { notificationPreferenceEntity, pushSubscriptionEntity } from './delivery.entity.js';

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

interface Place {
  readonly environment: string;
}

const runs = `select ${END.columns('run')}, environment.name as environment
  from run join environment on environment.tenant_id = run.tenant_id and environment.id = run.environment_id`;

const requestColumns = `request.id, environment.name as environment,
  coalesce(request.person_id, request.on_behalf_of, agent.owner_person_id) as "requesterPersonId"`;
/** The name of an enabled person, as an expression. @param id an expression. */
const nameOf = (id: string): string =>
  `(select countersign_shown_name(person) from person
     where person.tenant_id = $1 and person.id = ${id} and person.disabled_at is null)`;
const names = `coalesce(agent.name, ${nameOf('request.person_id')}, '') as "requesterName",
  case when request.on_behalf_of is not null then coalesce(${nameOf('request.on_behalf_of')}, '') end as "onBehalfOfName"`;
/** Whether an earlier request of the task has an approval. */
const approvedBefore = `exists (
  select from approval_request earlier
    join review on review.tenant_id = earlier.tenant_id and review.request_id = earlier.id
   where earlier.tenant_id = $1 and earlier.task_id = request.task_id
     and (earlier.opened_at, earlier.id) < (request.opened_at, request.id)
     and review.verdict = 'approve' and review.replaced_at is null)`;
/** The joins that these need. */
const around = `join environment on environment.tenant_id = request.tenant_id and environment.id = request.environment_id
  left join agent on agent.tenant_id = request.tenant_id and agent.id = request.agent_id`;

/** Recipients of messages about requests and runs, from the tables of the stages. */
export class SqlRecipientDirectory implements RecipientDirectory {
  async ofMessage(tx: Tx, messageId: string, held: HeldBy): Promise<MessageRecipients | null> {
    const [row] = await sqlOf(tx).query<Omit<MessageRecipients, 'opened'> & { readonly opened: unknown }>(
      `select ${requestColumns}, ${names}, told.reviewers,
              about.opening and request.state = 'open' and not ${approvedBefore}
                and not exists (select from review where review.tenant_id = $1 and review.request_id = request.id) as "asOpened",
              array(select person_id from on_duty where tenant_id = $1 order by since, person_id) as "onDuty",
              case when about.opening then jsonb_build_object(
                'preferences', (
                  select coalesce(jsonb_agg(${PREFERENCE.document('notification_preference')}), '[]')
                    from notification_preference where tenant_id = $1 and person_id = any (told.reviewers)),
                'browsers', (
                  select coalesce(jsonb_agg(${BROWSER.document('push_subscription')} order by id), '[]')
                    from push_subscription where tenant_id = $1 and person_id = any (told.reviewers) and ended_at is null),
                'past', precedent_past_of_open(request.id)) end as opened
         from outbox_message message
        cross join lateral (
          select coalesce(message.topic = 'approval_request.changed' and message.payload ->> 'event' = 'opened', false) as opening) about
         join approval_request request
           on request.tenant_id = message.tenant_id and request.id = (message.payload ->> 'request_id')::uuid
         ${around}
         cross join lateral (
           select array(select jsonb_array_elements_text(slot -> 'roles')
                          from jsonb_array_elements(request.decision -> 'obligations' -> 'approvals') slot) as roles) asked
         cross join lateral (
           select case when about.opening or message.topic = 'approval_request.reminder' then array(
             select person.id from person
              where person.tenant_id = $1 and person.disabled_at is null
                and not request.excluded @> jsonb_build_array(jsonb_build_object('person_id', person.id))
                and (exists (select from role_assignment held
                              where held.tenant_id = $1 and held.person_id = person.id and held.revoked_at is null
                                and (asked.roles @> array[$3] or held.role = any (asked.roles)))
                  or exists (select from absence away
                               join role_assignment held on held.tenant_id = away.tenant_id
                                 and held.person_id = away.person_id and held.role = any (away.roles)
                                 and held.revoked_at is null
                              where away.tenant_id = $1 and away.delegate_id = person.id and away.ended_at is null
                                and away.from_at <= clock_timestamp() and away.until_at > clock_timestamp()
                                and (asked.roles @> array[$3] or held.role = any (asked.roles))
                                and not request.excluded
                                  @> jsonb_build_array(jsonb_build_object('person_id', away.person_id))))
              order by person.id) else '{}' end as reviewers
           -- They are found once, and not again for each use.
           offset 0) told
        where message.tenant_id = $1 and message.id = $2 and message.destination is null
          -- A savepoint has a transaction id of its own.
          and ($4 or message.xmin = pg_current_xact_id_if_assigned()::xid)
          and message.topic in ('approval_request.changed', 'approval_request.reminder')`,
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
      `select ${requestColumns} from approval_request request ${around} where request.tenant_id = $1 and request.id = $2`,
      [tx.tenantId, id],
    );
    return row ?? null;
  }

  async run(tx: Tx, id: RunId): Promise<ToldRun | null> {
    const [row] = await sqlOf(tx).query<Place>(`${runs} where run.tenant_id = $1 and run.id = $2`, [tx.tenantId, id]);
    return row === undefined ? null : toRun(row);
  }

  async context(tx: Tx, id: ApprovalRequestId): Promise<RequestContext | null> {
    const [row] = await sqlOf(tx).query<
      Omit<RequestContext, 'run'> & { readonly runId: RunId | null; readonly runState: RunState | null }
    >(
      `select ${names}, ${approvedBefore} as "approvedBefore", latest.id as "runId", latest.state as "runState"
         from approval_request request
         left join agent on agent.tenant_id = request.tenant_id and agent.id = request.agent_id
         left join lateral (select run.id, run.state from run
                             where run.tenant_id = $1 and run.approval_request_id = request.id
                             order by run.created_at desc limit 1) latest on true
        where request.tenant_id = $1 and request.id = $2`,
      [tx.tenantId, id],
    );
    if (row === undefined) return null;
    const { runId, runState: state, ...around } = row;
    return { ...around, run: runId === null || state === null ? null : { id: runId, state } };
  }

  async holders(tx: Tx, roles: readonly string[]): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `select distinct person.id from person
         join role_assignment held on held.tenant_id = person.tenant_id and held.person_id = person.id and held.revoked_at is null
        where person.tenant_id = $1 and person.disabled_at is null and ($3 or held.role = any ($2::text[]))
        order by person.id`,
      [tx.tenantId, roles, roles.includes(ANY_ROLE)],
    );
    return rows.map(({ id }) => id);
  }

  async people(tx: Tx, ids: readonly PersonId[]): Promise<readonly Addressee[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId; display_name: string; email: string }>(
      `select id, countersign_shown_name(person) as display_name, email from person
        where tenant_id = $1 and id = any ($2::uuid[]) and disabled_at is null order by id`,
      [tx.tenantId, ids],
    );
    return rows.map((row) => ({ id: row.id, displayName: row.display_name, email: row.email }));
  }
}

function toRun(stored: Place): ToldRun {
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
