import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { ReadRequests, SubmitReview } from '#lib/approval';
import { AUDIT_SINK } from '#lib/audit';
import { JOB_QUEUE, SYSTEM_QUERY, UNIT_OF_WORK, type SystemQuery } from '#lib/database';
import { GUARDED_FETCH, type GuardedFetch } from '#lib/dispatch';
import {
  Authenticate,
  INVITATION_MAILER,
  MintCredential,
  nodeRandomBytes,
  PostgresCredentialFile,
  PostgresCredentialRepository,
} from '#lib/identity';
import {
  GUARDRAIL,
  OUTBOX,
  SECRET_DIGESTS,
  type AuditSink,
  type Guardrail,
  type JobQueue,
  type RowSeals,
  type SecretDigests,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import {
  AnswerCommand,
  DeliverMail,
  DeliverOutbox,
  DeliverPush,
  DeliverToSlack,
  LinkSlackUser,
  MailInvitations,
  NOTICE_SOURCES,
  SLACK_FOLLOWER,
  THREAD_REPLIES,
  OperatorNotices,
  PutSlackApp,
  PutSlackMessage,
  ReadContent,
  ReadRequestMessage,
  ReceiveEvent,
  ReceiveInteraction,
  ResendOutbox,
  RouteSlack,
  SlackSetUp,
  SlackWebApi,
  SmtpMailer,
  SpreadMessage,
  SqlAudience,
  SetNotificationPreferences,
  SqlNotificationPreferences,
  SqlOutbox,
  SqlPushSubscriptions,
  SqlSlackInstallations,
  SqlSlackInteractions,
  SqlSlackLinks,
  SqlSlackMessages,
  SqlSlackPace,
  SqlWaitingSlackApps,
  SubscribePush,
  TestSlack,
  TestAddress,
  WebPushSender,
  WorkInteraction,
  type NoticeSource,
  type SlackFollower,
  type ThreadReplies,
} from '#lib/notify';
import { StartRun } from '#lib/run';
import { RequireFreshSignIn } from '#lib/sign-in';
import { KEYRING, KeyringKeyWrapping, type Keyring } from '#lib/tenancy';

export interface NotifyConfig {
  readonly publicUrl: string;
  /** Slack itself, or what stands for it. */
  readonly slackUrl: string;
  /** Null where no mail is sent. */
  readonly mail: { readonly url: string; readonly from: string } | null;
  readonly seals: RowSeals;
  /** Whether a push service's address may be connected to, by its spelling. */
  readonly mayConnect: (tenantId: TenantId, hostname: string, port: number) => Promise<boolean>;
}

const OUTBOX_TABLE = Symbol('outbox table');
const INSTALLATIONS = Symbol('Slack installations');
const SUBSCRIPTIONS = Symbol('push subscriptions');

const audience = new SqlAudience();
const links = new SqlSlackLinks();
const messages = new SqlSlackMessages();
const preferences = new SqlNotificationPreferences();

/** The outbox and what it delivers to. Needs the modules of approval and run, which are global, as are NOTICE_SOURCES and SLACK_FOLLOWER. */
@Module({})
export class NotifyModule {
  static of(config: NotifyConfig): DynamicModule {
    const { publicUrl, slackUrl, mail } = config;
    const slack = new SlackWebApi(slackUrl);
    const mailer = mail === null ? null : new SmtpMailer(mail.url, mail.from);
    const shared: FactoryProvider[] = [
      { provide: OUTBOX_TABLE, inject: [JOB_QUEUE], useFactory: (jobs: JobQueue) => new SqlOutbox(jobs) },
      {
        provide: INSTALLATIONS,
        inject: [SYSTEM_QUERY, KEYRING],
        useFactory: (system: SystemQuery, keyring: Keyring) =>
          new SqlSlackInstallations(system, new KeyringKeyWrapping(keyring)),
      },
      {
        provide: SUBSCRIPTIONS,
        inject: [KEYRING],
        useFactory: (keyring: Keyring) => new SqlPushSubscriptions(new KeyringKeyWrapping(keyring)),
      },
      {
        provide: ReadRequestMessage,
        inject: [UNIT_OF_WORK, ReadRequests],
        useFactory: (uow: UnitOfWork, requests: ReadRequests) => new ReadRequestMessage(uow, requests, audience),
      },
    ];
    const offered: FactoryProvider[] = [
      { provide: OUTBOX, inject: [OUTBOX_TABLE], useFactory: (outbox: SqlOutbox) => outbox },
      {
        provide: DeliverOutbox,
        inject: [
          UNIT_OF_WORK,
          OUTBOX_TABLE,
          INSTALLATIONS,
          SUBSCRIPTIONS,
          ReadRequestMessage,
          NOTICE_SOURCES,
          GUARDED_FETCH,
        ],
        useFactory: (
          uow: UnitOfWork,
          outbox: SqlOutbox,
          installations: SqlSlackInstallations,
          subscriptions: SqlPushSubscriptions,
          requests: ReadRequestMessage,
          notices: readonly NoticeSource[],
          fetch: GuardedFetch,
        ) => {
          const put = new PutSlackMessage(uow, installations, messages, new SqlSlackPace(), slack);
          const contents = new ReadContent(uow, requests, audience, notices, publicUrl);
          const mails = new DeliverMail(uow, contents, audience, mailer);
          const spreading = new SpreadMessage(
            outbox,
            audience,
            installations,
            links,
            subscriptions,
            preferences,
            notices,
          );
          return new DeliverOutbox(uow, outbox, spreading, {
            slack: new DeliverToSlack(uow, put, messages, requests, audience, notices, publicUrl),
            email: mails,
            address: mails,
            push: new DeliverPush(uow, contents, subscriptions, new WebPushSender(fetch, subjectOf(publicUrl))),
          });
        },
      },
      { provide: INVITATION_MAILER, useFactory: () => new MailInvitations(mailer) },
      { provide: OperatorNotices, useFactory: () => new OperatorNotices(audience, publicUrl) },
      {
        provide: TestAddress,
        inject: [UNIT_OF_WORK, INSTALLATIONS],
        useFactory: (uow: UnitOfWork, installations: SqlSlackInstallations) =>
          new TestAddress(uow, installations, slack, mailer, publicUrl),
      },
      {
        provide: ResendOutbox,
        inject: [UNIT_OF_WORK, OUTBOX_TABLE, AUDIT_SINK],
        useFactory: (uow: UnitOfWork, outbox: SqlOutbox, audit: AuditSink) => new ResendOutbox(uow, outbox, audit),
      },
      {
        provide: ReceiveInteraction,
        inject: [UNIT_OF_WORK, INSTALLATIONS, JOB_QUEUE],
        useFactory: (uow: UnitOfWork, installations: SqlSlackInstallations, jobs: JobQueue) =>
          new ReceiveInteraction(uow, installations, new SqlSlackInteractions(jobs)),
      },
      {
        provide: ReceiveEvent,
        inject: [UNIT_OF_WORK, ReceiveInteraction, JOB_QUEUE],
        useFactory: (uow: UnitOfWork, receiving: ReceiveInteraction, jobs: JobQueue) =>
          new ReceiveEvent(uow, receiving, messages, new SqlSlackInteractions(jobs)),
      },
      {
        provide: LinkSlackUser,
        inject: [UNIT_OF_WORK, SYSTEM_QUERY, INSTALLATIONS, SECRET_DIGESTS, RequireFreshSignIn, AUDIT_SINK],
        useFactory: (
          uow: UnitOfWork,
          system: SystemQuery,
          installations: SqlSlackInstallations,
          digests: SecretDigests,
          fresh: RequireFreshSignIn,
          audit: AuditSink,
        ) => {
          const credentials = new PostgresCredentialRepository(config.seals);
          return new LinkSlackUser(
            uow,
            installations,
            links,
            slack,
            new MintCredential(credentials, digests, nodeRandomBytes),
            credentials,
            new Authenticate(uow, new PostgresCredentialFile(system, config.seals), digests),
            digests,
            fresh,
            audit,
            publicUrl,
          );
        },
      },
      {
        provide: AnswerCommand,
        inject: [ReceiveInteraction, LinkSlackUser],
        useFactory: (receiving: ReceiveInteraction, linking: LinkSlackUser) => new AnswerCommand(receiving, linking),
      },
      {
        provide: WorkInteraction,
        inject: [
          UNIT_OF_WORK,
          INSTALLATIONS,
          JOB_QUEUE,
          LinkSlackUser,
          RequireFreshSignIn,
          SubmitReview,
          StartRun,
          THREAD_REPLIES,
          AUDIT_SINK,
        ],
        useFactory: (
          uow: UnitOfWork,
          installations: SqlSlackInstallations,
          jobs: JobQueue,
          linking: LinkSlackUser,
          fresh: RequireFreshSignIn,
          reviews: SubmitReview,
          runs: StartRun,
          replies: ThreadReplies,
          audit: AuditSink,
        ) =>
          new WorkInteraction(
            uow,
            installations,
            new SqlSlackInteractions(jobs),
            linking,
            slack,
            fresh,
            reviews,
            runs,
            replies,
            audit,
            publicUrl,
          ),
      },
      {
        provide: PutSlackApp,
        inject: [UNIT_OF_WORK, INSTALLATIONS, KEYRING, GUARDRAIL, SLACK_FOLLOWER, AUDIT_SINK],
        useFactory: (
          uow: UnitOfWork,
          installations: SqlSlackInstallations,
          keyring: Keyring,
          guardrail: Guardrail,
          follower: SlackFollower,
          audit: AuditSink,
        ) => {
          const waiting = new SqlWaitingSlackApps(new KeyringKeyWrapping(keyring));
          return new PutSlackApp(uow, installations, links, waiting, guardrail, follower, audit);
        },
      },
      {
        provide: RouteSlack,
        inject: [UNIT_OF_WORK, INSTALLATIONS, GUARDRAIL, AUDIT_SINK],
        useFactory: (uow: UnitOfWork, installations: SqlSlackInstallations, guardrail: Guardrail, audit: AuditSink) =>
          new RouteSlack(uow, installations, guardrail, audit),
      },
      {
        provide: SlackSetUp,
        inject: [UNIT_OF_WORK, INSTALLATIONS, KEYRING, SECRET_DIGESTS, GUARDRAIL, SLACK_FOLLOWER, AUDIT_SINK],
        useFactory: (
          uow: UnitOfWork,
          installations: SqlSlackInstallations,
          keyring: Keyring,
          digests: SecretDigests,
          guardrail: Guardrail,
          follower: SlackFollower,
          audit: AuditSink,
        ) => {
          const waiting = new SqlWaitingSlackApps(new KeyringKeyWrapping(keyring));
          const addresses = { publicUrl, slackUrl };
          return new SlackSetUp(uow, installations, waiting, slack, digests, guardrail, follower, audit, addresses);
        },
      },
      {
        provide: TestSlack,
        inject: [UNIT_OF_WORK, INSTALLATIONS],
        useFactory: (uow: UnitOfWork, installations: SqlSlackInstallations) => new TestSlack(uow, installations, slack),
      },
      {
        provide: SetNotificationPreferences,
        inject: [UNIT_OF_WORK, AUDIT_SINK],
        useFactory: (uow: UnitOfWork, audit: AuditSink) => new SetNotificationPreferences(uow, preferences, audit),
      },
      {
        provide: SubscribePush,
        inject: [UNIT_OF_WORK, SUBSCRIPTIONS, AUDIT_SINK],
        useFactory: (uow: UnitOfWork, subscriptions: SqlPushSubscriptions, audit: AuditSink) =>
          new SubscribePush(uow, subscriptions, audit, config.mayConnect),
      },
    ];
    return {
      module: NotifyModule,
      global: true,
      providers: [...shared, ...offered],
      exports: offered.map(({ provide }) => provide),
    };
  }
}

/** Push services want somebody to turn to, by https or mail (RFC 8292, section 2.1). */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:countersign@localhost';
