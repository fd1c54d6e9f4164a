import type { ReadRequests, SubmitReview } from '#lib/approval';
import type { SystemQuery } from '#lib/database';
import type { GuardedFetch } from '#lib/dispatch';
import type { Authenticator, CredentialRepository, MintCredential } from '#lib/identity';
import type { AuditSink, TwoPersonRule, JobQueue, Outbox, TenantId, UnitOfWork } from '#lib/kernel';
import type { StartRun } from '#lib/run';
import type { RequireFreshSignIn } from '#lib/sign-in';
import type { Keys } from '#lib/tenancy';
import { SlackWebApi } from './adapters/slack-web-api.js';
import { SmtpMailer } from './adapters/smtp-mailer.js';
import { SqlAudience } from './adapters/sql-audience.js';
import { SqlNotificationPreferences } from './adapters/sql-notification-preferences.js';
import { SqlOutbox } from './adapters/sql-outbox.js';
import { SqlPushSubscriptions } from './adapters/sql-push-subscriptions.js';
import { SqlSlackInstallations } from './adapters/sql-slack-installations.js';
import { SqlSlackInteractions } from './adapters/sql-slack-interactions.js';
import { SqlSlackLinks } from './adapters/sql-slack-links.js';
import { SqlSlackMessages } from './adapters/sql-slack-messages.js';
import { SqlSlackPace } from './adapters/sql-slack-pace.js';
import { SqlWaitingSlackApps } from './adapters/sql-waiting-slack-apps.js';
import { WebPushSender } from './adapters/web-push-sender.js';
import { AnswerCommand } from './application/answer-command.js';
import { DeliverMail } from './application/deliver-mail.js';
import { DeliverOutbox } from './application/deliver-outbox.js';
import { DeliverPush } from './application/deliver-push.js';
import { DeliverToSlack } from './application/deliver-to-slack.js';
import { MailInvitations } from './application/mail-invitations.js';
import { SetNotificationPreferences } from './application/notification-preferences.js';
import type { NoticeSource, OutboxRepository, SlackFollower, ThreadReplies } from './application/notify.ports.js';
import { OperatorNotices } from './application/operator-notices.js';
import { SubscribePush } from './application/push-subscriptions.js';
import { PutSlackApp } from './application/put-slack-app.js';
import { PutSlackMessage } from './application/put-slack-message.js';
import { ReadContent } from './application/read-content.js';
import { ReadRequestMessage } from './application/read-request-message.js';
import { ReceiveEvent } from './application/receive-event.js';
import { ReceiveInteraction } from './application/receive-interaction.js';
import { ResendOutbox } from './application/resend-outbox.js';
import { RouteSlack } from './application/route-slack.js';
import { LinkSlackUser } from './application/slack-links.js';
import { SlackSetUp } from './application/slack-set-up.js';
import { SpreadMessage } from './application/spread-message.js';
import { TestAddress } from './application/test-address.js';
import { TestSlack } from './application/test-slack.js';
import { WorkInteraction } from './application/work-interaction.js';

/** Where every library writes what people outside are to be told. */
export const createOutbox = (jobs: JobQueue): Outbox & OutboxRepository => new SqlOutbox(jobs);

export interface NotifyDeps {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly jobs: JobQueue;
  readonly keys: Pick<Keys, 'wrapping' | 'digests'>;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly outbox: OutboxRepository;
  readonly fetch: GuardedFetch;
  readonly credentials: CredentialRepository;
  readonly identity: { readonly authenticator: Authenticator; readonly mintCredential: MintCredential };
  readonly freshSignIn: RequireFreshSignIn;
  readonly requests: ReadRequests;
  readonly reviews: SubmitReview;
  readonly runs: StartRun;
  readonly follower: SlackFollower;
  readonly replies: ThreadReplies;
  /** What the other libraries tell people. */
  readonly notices: readonly NoticeSource[];
  readonly publicUrl: string;
  /** Slack itself, or what stands for it. */
  readonly slackUrl: string;
  /** Null where no mail is sent. */
  readonly mail: { readonly url: string; readonly from: string } | null;
  /** Whether a push service's address may be connected to, by its spelling. */
  readonly mayConnect: (tenantId: TenantId, hostname: string, port: number) => Promise<boolean>;
}

/** What delivers the outbox, and Slack. */
export type Notify = ReturnType<typeof createNotify>;

export function createNotify(deps: NotifyDeps) {
  const { uow, system, jobs, audit, twoPersonRule, outbox, follower, publicUrl, slackUrl, mail } = deps;
  const { wrapping, digests } = deps.keys;
  const slack = new SlackWebApi(slackUrl);
  const mailer = mail === null ? null : new SmtpMailer(mail.url, mail.from);
  const audience = new SqlAudience();
  const links = new SqlSlackLinks();
  const messages = new SqlSlackMessages();
  const preferences = new SqlNotificationPreferences();
  const installations = new SqlSlackInstallations(system, wrapping);
  const subscriptions = new SqlPushSubscriptions(wrapping);
  const waiting = new SqlWaitingSlackApps(wrapping);
  const interactions = new SqlSlackInteractions(jobs);
  const notices = [...deps.notices, new OperatorNotices(audience, publicUrl)];
  const requests = new ReadRequestMessage(uow, deps.requests, audience);
  const put = new PutSlackMessage(uow, installations, messages, new SqlSlackPace(), slack);
  const contents = new ReadContent(uow, requests, audience, notices, publicUrl);
  const mails = new DeliverMail(uow, contents, audience, mailer);
  const spreading = new SpreadMessage(outbox, audience, installations, links, subscriptions, preferences, notices);
  const receiveInteraction = new ReceiveInteraction(uow, installations, interactions);
  const linkSlackUser = new LinkSlackUser(
    uow,
    installations,
    links,
    slack,
    deps.identity.mintCredential,
    deps.credentials,
    deps.identity.authenticator,
    digests,
    deps.freshSignIn,
    audit,
    publicUrl,
  );
  return {
    receiveInteraction,
    linkSlackUser,
    deliverOutbox: new DeliverOutbox(uow, outbox, spreading, {
      slack: new DeliverToSlack(uow, put, messages, requests, audience, notices, publicUrl),
      email: mails,
      address: mails,
      push: new DeliverPush(uow, contents, subscriptions, new WebPushSender(deps.fetch, subjectOf(publicUrl))),
    }),
    mailInvitations: new MailInvitations(mailer),
    testAddress: new TestAddress(uow, installations, slack, mailer, publicUrl),
    resendOutbox: new ResendOutbox(uow, outbox, audit),
    receiveEvent: new ReceiveEvent(uow, receiveInteraction, messages, interactions),
    answerCommand: new AnswerCommand(receiveInteraction, linkSlackUser),
    workInteraction: new WorkInteraction(
      uow,
      installations,
      interactions,
      linkSlackUser,
      slack,
      deps.freshSignIn,
      deps.reviews,
      deps.runs,
      deps.replies,
      audit,
      publicUrl,
    ),
    putSlackApp: new PutSlackApp(uow, installations, links, waiting, twoPersonRule, follower, audit),
    routeSlack: new RouteSlack(uow, installations, twoPersonRule, audit),
    slackSetUp: new SlackSetUp(uow, installations, waiting, slack, digests, twoPersonRule, follower, audit, {
      publicUrl,
      slackUrl,
    }),
    testSlack: new TestSlack(uow, installations, slack),
    setNotificationPreferences: new SetNotificationPreferences(uow, preferences, audit),
    subscribePush: new SubscribePush(uow, subscriptions, audit, deps.mayConnect),
  };
}

/** Push services want somebody to turn to, by https or mail (RFC 8292, section 2.1). */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:countersign@localhost';
