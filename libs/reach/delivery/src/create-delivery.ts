import type { ReadRequests, ReadNotifiedRequest } from '#lib/approval';
import type { GuardedFetch } from '#lib/dispatch';
import type { AuditSink, EnclosingTransactions, JobQueue, Outbox, TenantId, UnitOfWork } from '#lib/kernel';
import type { Keys } from '#lib/tenancy';
import { SqlRecipientDirectory } from './adapters/sql-recipient-directory.js';
import { SqlOutbox } from './adapters/sql-outbox.js';
import { SqlNotificationPreferences } from './adapters/sql-notification-preferences.js';
import { SqlOnDuty } from './adapters/sql-on-duty.js';
import type { Channel, NoticeSource, OnDuty, OutboxRepository } from './application/delivery.ports.js';
import { DeliverOutbox } from './application/deliver-outbox.js';
import { FanOutMessage } from './application/fan-out-message.js';
import { SetNotificationPreferences } from './application/notification-preferences.js';
import { LogNotices } from './application/log-notices.js';
import { OperatorNotices } from './application/operator-notices.js';
import { ReadContent } from './application/read-content.js';
import { ReadRequestMessage, type PastOfRequests } from './application/read-request-message.js';
import { ResendOutbox } from './application/resend-outbox.js';
import { TestAddress } from './application/test-address.js';
import { MailInvitations } from './channels/mail/mail-invitations.js';
import { SmtpMailer } from './channels/mail/smtp-mailer.js';
import { SubscribePush } from './channels/push/subscribe-push.js';
import { SqlPushSubscriptions } from './channels/push/sql-push-subscriptions.js';
import { WebPushSender } from './channels/push/web-push-sender.js';
import { channelsOf } from './channels/registry.js';

/** The outbox, to which every library writes its messages. */
export const createOutbox = (jobs: JobQueue): Outbox & OutboxRepository => new SqlOutbox(jobs);

/** People on duty. */
export const createOnDuty = (): OnDuty => new SqlOnDuty();

export interface ContentDeps {
  readonly told: ReadNotifiedRequest;
  readonly requests: Pick<ReadRequests, 'get' | 'list'>;
  readonly past: PastOfRequests;
  /** The notices of other libraries. */
  readonly notices: readonly NoticeSource[];
  readonly publicUrl: string;
}

/** The readers of messages, which channels are made of. */
export function createContents({ told, requests, past, notices, publicUrl }: ContentDeps) {
  const directory = new SqlRecipientDirectory();
  const all = [...notices, new OperatorNotices(directory, publicUrl), new LogNotices(directory, publicUrl)];
  const read = new ReadRequestMessage(told, requests, directory, past);
  return {
    directory,
    notices: all,
    requests: read,
    contents: new ReadContent(read, directory, all, publicUrl),
    publicUrl,
  };
}

export interface DeliveryDeps {
  readonly uow: UnitOfWork;
  readonly transactions: EnclosingTransactions;
  readonly keys: Pick<Keys, 'wrapping'>;
  readonly audit: AuditSink;
  readonly outbox: OutboxRepository;
  readonly onDuty: OnDuty;
  readonly fetch: GuardedFetch;
  readonly reading: ReturnType<typeof createContents>;
  /** Channels of other libraries. */
  readonly channels: readonly Channel[];
  /** Null if the installation has no mail server. */
  readonly mail: { readonly url: string; readonly from: string } | null;
  /** Whether the rules for outbound addresses allow a push service's address by name. */
  readonly mayConnect: (tenantId: TenantId, hostname: string, port: number) => Promise<boolean>;
}

/** The delivery of messages. */
export type Delivering = ReturnType<typeof createDelivery>;

export function createDelivery(deps: DeliveryDeps) {
  const { uow, audit, outbox } = deps;
  const { directory, notices, contents, publicUrl, requests } = deps.reading;
  const mailer = deps.mail === null ? null : new SmtpMailer(deps.mail.url, deps.mail.from);
  const preferences = new SqlNotificationPreferences();
  const subscriptions = new SqlPushSubscriptions(deps.keys.wrapping);
  const pushSender = new WebPushSender(deps.fetch, subjectOf(publicUrl));
  const channels = channelsOf({
    contents,
    directory,
    mailer,
    subscriptions,
    pushSender,
    publicUrl,
    further: deps.channels,
  });
  const fanOut = new FanOutMessage(outbox, directory, deps.onDuty, preferences, notices, channels);
  return {
    channels,
    deliverOutbox: new DeliverOutbox(uow, deps.transactions, outbox, fanOut, channels, requests),
    mailInvitations: new MailInvitations(mailer),
    resendOutbox: new ResendOutbox(uow, outbox, audit),
    setNotificationPreferences: new SetNotificationPreferences(uow, preferences, channels, audit),
    subscribePush: new SubscribePush(uow, subscriptions, audit, deps.mayConnect),
    testAddress: new TestAddress(channels),
  };
}

/** Push services want an address of the operator, by https or mail (RFC 8292, section 2.1). */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:countersign@localhost';
