import { z } from 'zod';
import {
  isUuid,
  type ApprovalRequestId,
  type AutomationRunId,
  type ChangeRequestId,
  type Id,
  type IncidentId,
  type PersonId,
  type RunId,
} from './ids.js';
import type { Tx } from './unit-of-work.js';

const id = <Of extends Id<string>>(): z.ZodType<Of> =>
  z.custom<Of>((value) => typeof value === 'string' && isUuid(value), 'must be a UUID in lower case');

const message = <Topic extends string, Payload extends z.ZodRawShape>(topic: Topic, payload: Payload) =>
  z.strictObject({ topic: z.literal(topic), payload: z.strictObject(payload) });

/** The topics of the outbox, and the ids that each message carries. The text is read at the time of sending. */
export const outboxMessageSchema = z.discriminatedUnion('topic', [
  /** `event`: opened, reviewed, or the state that the request came to. */
  message('approval_request.changed', { request_id: id<ApprovalRequestId>(), event: z.string() }),
  /** `which`: half_time, near_end or escalated. `roles`: those that it is escalated to, with spaces between them. */
  message('approval_request.reminder', {
    request_id: id<ApprovalRequestId>(),
    which: z.string(),
    roles: z.string().exactOptional(),
  }),
  /** `event` is the type of the run's own event, `run.paused`. */
  message('run.changed', { run_id: id<RunId>(), event: z.string() }),
  /** `event` is `impact` if only the impact of the change is new. A message that is kept up to date tells of it. */
  message('change_request.changed', { change_id: id<ChangeRequestId>(), event: z.literal('impact').exactOptional() }),
  /** A comment of a person: comments of agents are never sent out. */
  message('comment.added', { comment_id: id<Id<'CommentId'>>() }),
  /** `event` is that of its timeline, or the type of its run's event: opened, overdue, run.paused. */
  message('incident.changed', { incident_id: id<IncidentId>(), event: z.string() }),
  /** An address of a destination of incidents that answered before and does not now. */
  message('incident_destination.failed', { address: z.string() }),
  /** A follower of the audit log keeps failing at one entry; `at` is when it was noticed, in ISO 8601. */
  message('log.follower_failing', { follower: z.string(), at: z.string() }),
  /** Countersign switched off an endpoint that is gone or keeps failing. */
  message('webhook.switched_off', { webhook_id: id<Id<'WebhookEndpointId'>>() }),
  /** Somebody removed the Slack workspace; `at` is when, in ISO 8601. Its name is kept nowhere else. */
  message('slack.removed', { person_id: id<PersonId>(), team_name: z.string(), at: z.string() }),
  /** The message of a notify step of an automation. */
  message('automation.notified', { run_id: id<AutomationRunId>(), step: z.string() }),
  /** An admin changed an automation that another person is accountable for; `done` is the change. */
  message('automation.changed', {
    automation_id: id<Id<'AutomationId'>>(),
    done: z.string(),
    by_id: id<PersonId>(),
    by: z.string(),
  }),
  /** An automation was paused, since it kept failing or cannot be read; `why` holds no secrets. */
  message('automation.paused', { automation_id: id<Id<'AutomationId'>>(), why: z.string() }),
  /** The operator made a link on the server. `as_admin` is `yes` for `--admin`; `until` is when it expires, in ISO 8601. */
  message('operator.let_in', { person_id: id<PersonId>(), as_admin: z.string(), until: z.string() }),
]);

/** The payload of each topic. */
export type OutboxPayloads = {
  readonly [Message in z.infer<typeof outboxMessageSchema> as Message['topic']]: Readonly<Message['payload']>;
};

/** One message to the outside, as a stage writes it. */
export type OutboxMessage = {
  readonly [Topic in keyof OutboxPayloads]: { readonly topic: Topic; readonly payload: OutboxPayloads[Topic] };
}[keyof OutboxPayloads];

/**
 * Messages to people outside, written in the transaction that causes them and delivered afterwards. A rolled-back
 * message is never sent. A committed one is sent even if the process dies at once.
 */
export interface Outbox {
  /** @param first sends the message without a worker; if it cannot, a worker does. */
  write(tx: Tx, message: OutboxMessage, first?: FirstDelivery): Promise<void>;
}

/**
 * Takes a message at the end of the transaction that wrote it.
 *
 * @returns sends it; for after the commit.
 * @throws if it cannot be sent at once. Nothing of the attempt is kept.
 */
export type FirstDelivery = (tx: Tx, messageId: string) => Promise<() => Promise<unknown>>;
