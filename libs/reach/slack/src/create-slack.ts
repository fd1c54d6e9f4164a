import type { SystemQuery } from '#lib/database';
import type { OnDuty, ReadContent } from '#lib/delivery';
import type { Authenticator, CredentialRepository, MintCredential } from '#lib/identity';
import type { AuditSink, JobQueue, SecretDigests, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import { SlackWebApi } from './adapters/slack-web-api.js';
import { SqlSlackInstallations } from './adapters/sql-slack-installations.js';
import { SqlSlackInteractions } from './adapters/sql-slack-interactions.js';
import { SqlSlackLinks } from './adapters/sql-slack-links.js';
import { SqlSlackMessages } from './adapters/sql-slack-messages.js';
import { SqlSlackPace } from './adapters/sql-slack-pace.js';
import { TypeormWaitingSlackApps } from './adapters/typeorm-waiting-slack-apps.js';
import { AnswerCommand } from './application/answer-command.js';
import { PutSlackApp } from './application/put-slack-app.js';
import { PutSlackMessage } from './application/put-slack-message.js';
import { ReceiveEvent } from './application/receive-event.js';
import { ReceiveInteraction } from './application/receive-interaction.js';
import { RouteSlack } from './application/route-slack.js';
import { SlackChannel } from './application/slack-channel.js';
import { LinkSlackUser } from './application/slack-links.js';
import { SlackSetUp } from './application/slack-set-up.js';
import type {
  FreshSignIn,
  Reviews,
  Runs,
  SlackApi,
  SlackFollower,
  SlackInstallations,
  SlackInteractions,
  SlackLinks,
  SlackMessages,
  SlackPace,
  ThreadReplies,
  WaitingSlackSecrets,
} from './application/slack.ports.js';
import { TestChannel } from './application/test-channel.js';
import { TestSlack } from './application/test-slack.js';
import { WorkInteraction } from './application/work-interaction.js';

/** The stored installations, links, messages and interactions, and the pace of the messages. */
export interface SlackRows {
  readonly installations: SlackInstallations;
  readonly links: SlackLinks;
  readonly messages: SlackMessages;
  readonly pace: SlackPace;
  readonly interactions: SlackInteractions;
  readonly waiting: WaitingSlackSecrets;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createSlackStore = ({
  system,
  wrapping,
  onDuty,
  jobs,
}: {
  readonly system: SystemQuery;
  readonly wrapping: KeyWrapping;
  readonly onDuty: OnDuty;
  readonly jobs: JobQueue;
}): SlackRows => ({
  installations: new SqlSlackInstallations(system, wrapping, onDuty),
  links: new SqlSlackLinks(),
  messages: new SqlSlackMessages(),
  pace: new SqlSlackPace(),
  interactions: new SqlSlackInteractions(jobs),
  waiting: new TypeormWaitingSlackApps(wrapping),
});

/** The way to Slack. */
export const createSlackApi = (slackUrl: string): SlackApi => new SlackWebApi(slackUrl);

export interface SlackDeps {
  readonly uow: UnitOfWork;
  readonly rows: SlackRows;
  readonly api: SlackApi;
  readonly digests: SecretDigests;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly credentials: Pick<CredentialRepository, 'stillGood'>;
  readonly identity: {
    readonly authenticator: Pick<Authenticator, 'authenticateSlackLink'>;
    readonly mintCredential: Pick<MintCredential, 'execute'>;
  };
  readonly freshSignIn: FreshSignIn;
  readonly reviews: Reviews;
  readonly runs: Runs;
  readonly follower: SlackFollower;
  readonly replies: ThreadReplies;
  readonly contents: Pick<ReadContent, 'requestOf' | 'request' | 'run' | 'notice'>;
  readonly publicUrl: string;
  /** The address of Slack, or of a local server that stands in for it. */
  readonly slackUrl: string;
}

export function createSlack(deps: SlackDeps) {
  const { uow, api, digests, audit, twoPersonRule, follower, publicUrl, slackUrl } = deps;
  const { installations, links, messages, pace, interactions, waiting } = deps.rows;
  const receiveInteraction = new ReceiveInteraction(uow, installations, interactions);
  const linkSlackUser = new LinkSlackUser({
    uow,
    installations,
    links,
    slack: api,
    mint: deps.identity.mintCredential,
    credentials: deps.credentials,
    authenticator: deps.identity.authenticator,
    digests,
    fresh: deps.freshSignIn,
    audit,
    publicUrl,
  });
  return {
    receiveInteraction,
    linkSlackUser,
    channel: new SlackChannel({
      put: new PutSlackMessage(installations, messages, pace, api),
      installations,
      links,
      messages,
      contents: deps.contents,
      testing: new TestChannel(uow, installations, api, publicUrl),
      publicUrl,
    }),
    receiveEvent: new ReceiveEvent(uow, receiveInteraction, messages, interactions),
    answerCommand: new AnswerCommand(receiveInteraction, linkSlackUser),
    workInteraction: new WorkInteraction({
      uow,
      installations,
      interactions,
      links: linkSlackUser,
      slack: api,
      fresh: deps.freshSignIn,
      reviews: deps.reviews,
      runs: deps.runs,
      replies: deps.replies,
      contents: deps.contents,
      audit,
      publicUrl,
    }),
    putSlackApp: new PutSlackApp({ uow, installations, links, waiting, twoPersonRule, follower, audit }),
    routeSlack: new RouteSlack(uow, installations, twoPersonRule, audit),
    slackSetUp: new SlackSetUp({
      uow,
      installations,
      waiting,
      slack: api,
      digests,
      twoPersonRule,
      follower,
      audit,
      addresses: {
        publicUrl,
        slackUrl,
      },
    }),
    testSlack: new TestSlack(uow, installations, api),
  };
}
