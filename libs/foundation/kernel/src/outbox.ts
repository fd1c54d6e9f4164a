import type { Tx } from './unit-of-work.js';

/** The topics of the outbox, and the ids that each message carries. The text is read at the time of sending. */
export interface OutboxPayloads {
  /** `event`: opened, reviewed, or the state that the request came to. */
  readonly 'approval_request.changed': { readonly request_id: string; readonly event: string };
  /** `which`: half_time, near_end or escalated. */
  readonly 'approval_request.reminder': { readonly request_id: string; readonly which: string };
  /** `event` is the type of the run's own event, `run.paused`. */
  readonly 'run.changed': { readonly run_id: string; readonly event: string };
  /** `event` is `impact` if only the impact of the change is new. A message that is kept up to date tells of it. */
  readonly 'change_request.changed': { readonly change_id: string; readonly event?: 'impact' };
  /** A comment of a person: comments of agents are never sent out. */
  readonly 'comment.added': { readonly comment_id: string };
  /** `event` is that of its timeline, or the type of its run's event: opened, overdue, run.paused. */
  readonly 'incident.changed': { readonly incident_id: string; readonly event: string };
  /** An address of a destination of incidents that answered before and does not now. */
  readonly 'incident_destination.failed': { readonly address: string };
  /** A follower of the audit log keeps failing at one entry; `at` is when it was noticed, in ISO 8601. */
  readonly 'log.follower_failing': { readonly follower: string; readonly at: string };
  /** Countersign switched off an endpoint that is gone or keeps failing. */
  readonly 'webhook.switched_off': { readonly webhook_id: string };
  /** Somebody removed the Slack workspace; `at` is when, in ISO 8601. Its name is kept nowhere else. */
  readonly 'slack.removed': { readonly person_id: string; readonly team_name: string; readonly at: string };
  /** The message of a notify step of an automation. */
  readonly 'automation.notified': { readonly run_id: string; readonly step: string };
  /** An admin changed an automation that another person is accountable for; `done` is the change. */
  readonly 'automation.changed': {
    readonly automation_id: string;
    readonly done: string;
    readonly by_id: string;
    readonly by: string;
  };
  /** An automation was paused, since it kept failing or cannot be read; `why` holds no secrets. */
  readonly 'automation.paused': { readonly automation_id: string; readonly why: string };
  /** The operator made a link on the server. `as_admin` is `yes` for `--admin`; `until` is when it expires, in ISO 8601. */
  readonly 'operator.let_in': { readonly person_id: string; readonly as_admin: string; readonly until: string };
}

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
