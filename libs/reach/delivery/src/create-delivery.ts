import type { ReadRequests, ReadNotifiedRequest } from '#lib/approval';
import type { AuditSink, EnclosingTransactions, JobQueue, Outbox, TenantId, UnitOfWork } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import { SqlRecipientDirectory } from './adapters/sql-recipient-directory.js';
import { SqlOutbox } from './adapters/sql-outbox.js';
import { SqlNotificationPreferences } from './adapters/sql-notification-preferences.js';
import { SqlOnDuty } from './adapters/sql-on-duty.js';
import type { ChannelRegistry } from './application/channel-registry.js';
import type {
  NoticeSources,
  OnDuty,
  OutboxRepository,
  PreferenceStore,
  RecipientDirectory,
} from './application/delivery.ports.js';
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
import type { Mailer } from './channels/mail/mail.ports.js';
import { SmtpMailer } from './channels/mail/smtp-mailer.js';
import type { PushSubscriptions } from './channels/push/push.ports.js';
import { SubscribePush } from './channels/push/subscribe-push.js';
import { SqlPushSubscriptions } from './channels/push/sql-push-subscriptions.js';

/** The outbox, to which every library writes its messages. */
export const createOutbox = (jobs: JobQueue): Outbox & OutboxRepository => new SqlOutbox(jobs);

/** People on duty. */
export const createOnDuty = (): OnDuty => new SqlOnDuty();

/** The stored preferences and browsers of people. */
export interface DeliveryRows {
  readonly preferences: PreferenceStore;
  readonly subscriptions: PushSubscriptions;
}

/** The ports of this library that keep rows of people, over PostgreSQL. */
export const createDeliveryStore = (wrapping: KeyWrapping): DeliveryRows => ({
  preferences: new SqlNotificationPreferences(),
  subscriptions: new SqlPushSubscriptions(wrapping),
});

/** The people whom messages are for. */
export const createRecipientDirectory = (): RecipientDirectory => new SqlRecipientDirectory();

/** The mail server of the installation; null if it has none. */
export const createMailer = (mail: { readonly url: string; readonly from: string } | null): Mailer | null =>
  mail === null ? null : new SmtpMailer(mail.url, mail.from);

export interface ContentDeps {
  readonly directory: RecipientDirectory;
  readonly told: ReadNotifiedRequest;
  readonly requests: Pick<ReadRequests, 'get' | 'list'>;
  readonly past: PastOfRequests;
  /** The notices of other libraries. */
  readonly notices: Omit<NoticeSources, 'operator.let_in' | 'log.follower_failing'>;
  readonly publicUrl: string;
}

/** The readers of messages, which channels are made of. */
export function createContents({ directory, told, requests, past, notices, publicUrl }: ContentDeps) {
  const all: NoticeSources = {
    ...notices,
    'operator.let_in': new OperatorNotices(directory, publicUrl),
    'log.follower_failing': new LogNotices(directory, publicUrl),
  };
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
  readonly rows: DeliveryRows;
  readonly audit: AuditSink;
  readonly outbox: OutboxRepository;
  readonly onDuty: OnDuty;
  readonly reading: {
    readonly directory: RecipientDirectory;
    readonly notices: NoticeSources;
    readonly requests: Pick<ReadRequestMessage, 'opened'>;
  };
  readonly channels: ChannelRegistry;
  readonly mailer: Mailer | null;
  /** Whether the rules for outbound addresses allow a push service's address by name. */
  readonly mayConnect: (tenantId: TenantId, hostname: string, port: number) => Promise<boolean>;
}

/** The delivery of messages. */
export type Delivering = ReturnType<typeof createDelivery>;

export function createDelivery(deps: DeliveryDeps) {
  const { uow, audit, outbox, channels, mailer } = deps;
  const { preferences, subscriptions } = deps.rows;
  const { directory, notices, requests } = deps.reading;
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
