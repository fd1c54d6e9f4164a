import type { SubmitReview } from '#lib/approval';
import type { SystemQuery } from '#lib/database';
import type { OnDuty, ReadContent } from '#lib/delivery';
import type { Authenticator, CredentialRepository, MintCredential } from '#lib/identity';
import type { AuditSink, JobQueue, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { StartRun } from '#lib/run';
import type { RequireFreshSignIn } from '#lib/sign-in';
import type { Keys } from '#lib/tenancy';
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
import type { SlackFollower, ThreadReplies } from './application/slack.ports.js';
import { TestChannel } from './application/test-channel.js';
import { TestSlack } from './application/test-slack.js';
import { WorkInteraction } from './application/work-interaction.js';

export interface SlackDeps {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly jobs: JobQueue;
  readonly keys: Pick<Keys, 'wrapping' | 'digests'>;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly credentials: CredentialRepository;
  readonly identity: { readonly authenticator: Authenticator; readonly mintCredential: MintCredential };
  readonly freshSignIn: RequireFreshSignIn;
  readonly reviews: SubmitReview;
  readonly runs: StartRun;
  readonly follower: SlackFollower;
  readonly replies: ThreadReplies;
  readonly contents: ReadContent;
  readonly onDuty: OnDuty;
  readonly publicUrl: string;
  /** The address of Slack, or of a local server that stands in for it. */
  readonly slackUrl: string;
}

export function createSlack(deps: SlackDeps) {
  const { uow, system, jobs, audit, twoPersonRule, follower, onDuty, publicUrl, slackUrl } = deps;
  const { wrapping, digests } = deps.keys;
  const api = new SlackWebApi(slackUrl);
  const links = new SqlSlackLinks();
  const messages = new SqlSlackMessages();
  const installations = new SqlSlackInstallations(system, wrapping, onDuty);
  const waiting = new TypeormWaitingSlackApps(wrapping);
  const interactions = new SqlSlackInteractions(jobs);
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
      put: new PutSlackMessage(installations, messages, new SqlSlackPace(), api),
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
