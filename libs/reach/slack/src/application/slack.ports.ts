import type { ApprovalRequest, SubjectKey } from '#lib/approval';
import type { Verdict } from '#lib/formats';
import type {
  Actor,
  ApprovalRequestId,
  ChangeRequestId,
  CredentialId,
  Digest,
  PersonId,
  PersonPrincipal,
  PlanId,
  Result,
  TenantId,
  Tx,
} from '#lib/kernel';
import type { WrappedBytes } from '#lib/tenancy';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { SlackContent } from '../domain/block-kit.js';
import type { Interaction } from '../domain/interaction.js';

/** The workspace of a tenant, with its secrets in plain. */
export interface SlackWorkspace {
  readonly tenantId: TenantId;
  readonly teamId: string;
  readonly teamName: string;
  readonly appId: string;
  readonly botUserId: string;
  readonly botToken: string;
  readonly signingSecret: string;
}

export const slackAppSecretsSchema = z.strictObject({
  clientId: z.string(),
  clientSecret: z.string(),
  signingSecret: z.string(),
});
export type SlackApp = Readonly<z.infer<typeof slackAppSecretsSchema>>;

/** The Slack settings without secrets. */
export interface SlackSettings {
  readonly app: { readonly clientId: string } | null;
  readonly installation: { readonly teamId: string; readonly teamName: string; readonly installedAt: number } | null;
  /** By environment; the empty name stands for every other one. */
  readonly channels: Readonly<Record<string, string>>;
  readonly onDuty: readonly PersonId[];
}

/** The tenant's app and workspace. Only this port decrypts their secrets. */
export interface SlackInstallations {
  /** The tenant of the installation that a request names. The request is not trusted by that. */
  locate(app: string, team: string): Promise<TenantId | null>;
  /** One statement reads it with the {@link channels}, once in a transaction until the transaction changes them. */
  workspace(tx: Tx): Promise<SlackWorkspace | null>;
  app(tx: Tx): Promise<SlackApp | null>;
  /** The app and the time of its last change (epoch milliseconds). Locks the set-up until the transaction ends. */
  lockApp(tx: Tx): Promise<{ readonly app: SlackApp; readonly writtenAt: number } | null>;
  /** The secret with which Slack signs its requests. */
  signingSecret(tx: Tx): Promise<string | null>;
  saveApp(tx: Tx, app: SlackApp, by: PersonId): Promise<void>;
  beginInstall(
    tx: Tx,
    state: Uint8Array,
    by: { readonly personId: PersonId; readonly credentialId: CredentialId; readonly reason?: string },
    lifetimeMs: number,
  ): Promise<void>;
  /** @param states digests of the state, one for each key that may have stored it. */
  locateInstall(states: readonly Uint8Array[]): Promise<{ readonly tenantId: TenantId; readonly id: string } | null>;
  /** Uses the state up. @returns the admin who began, and their credential; null if the state is used or too old. */
  useInstall(
    tx: Tx,
    id: string,
  ): Promise<{
    readonly personId: PersonId;
    readonly credentialId: CredentialId;
    readonly displayName: string;
    readonly reason?: string;
  } | null>;
  /** @returns false if another tenant has this app in this workspace. */
  saveInstallation(tx: Tx, installed: Installed, by: PersonId): Promise<boolean>;
  removeInstallation(tx: Tx): Promise<void>;
  /** The channel of each environment; null if Slack is not installed. Read as the {@link workspace} is. */
  channels(tx: Tx): Promise<Readonly<Record<string, string>> | null>;
  settings(tx: Tx): Promise<SlackSettings>;
  setChannels(tx: Tx, channels: Readonly<Record<string, string>>): Promise<void>;
  setOnDuty(tx: Tx, people: readonly PersonId[]): Promise<void>;
  /** The names of those people that exist. */
  namesOf(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, string>>;
}

/** Secrets of an app or an installation, encrypted. */
export interface SealedSlackSecrets extends WrappedBytes {
  /** A digest of the ciphertext: it identifies the secrets and reveals nothing of them. */
  readonly digest: Digest;
}

/** Secrets that wait for a second person. The end of their change deletes them. */
export interface WaitingSlackSecrets {
  seal(tx: Tx, secrets: SlackApp | Installed): Promise<SealedSlackSecrets>;
  keep(tx: Tx, changeId: ChangeRequestId, sealed: SealedSlackSecrets): Promise<void>;
  /** The plain secrets. @throws {Error} if their digest or their shape is another. */
  open<Secrets extends SlackApp | Installed>(
    tx: Tx,
    changeId: ChangeRequestId,
    digest: Digest,
    schema: z.ZodType<Secrets>,
  ): Promise<Secrets>;
}

/** Slack's answer to an OAuth code. */
export const installedSchema = z.strictObject({
  teamId: z.string(),
  teamName: z.string(),
  appId: z.string(),
  botUserId: z.string(),
  botToken: z.string(),
  scopes: z.string(),
});
export type Installed = Readonly<z.infer<typeof installedSchema>>;

/** Links of Slack users to people. */
export interface SlackLinks {
  /** The digest of the credential of the user's link; null without a link. */
  credentialOf(tx: Tx, user: { readonly team: string; readonly user: string }): Promise<Uint8Array | null>;
  /** The Slack users of people, by links that hold. */
  usersOf(
    tx: Tx,
    people: readonly PersonId[],
  ): Promise<readonly { readonly personId: PersonId; readonly user: string }[]>;
  writeCode(tx: Tx, digest: Uint8Array, user: string, lifetimeMs: number): Promise<void>;
  /** The user who asked for the code; null if it is used or too old. */
  readCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null>;
  /** Uses the code up. @returns the user who asked for it, or null. */
  useCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null>;
  /** Ends links of the user that no longer hold. @returns false if one still does. */
  clear(tx: Tx, user: { readonly team: string; readonly user: string }): Promise<boolean>;
  link(
    tx: Tx,
    link: {
      readonly team: string;
      readonly user: string;
      readonly personId: PersonId;
      readonly credentialId: CredentialId;
    },
  ): Promise<void>;
  mine(tx: Tx, personId: PersonId): Promise<readonly LinkedUser[]>;
  /** Ends every link of the tenant, with its credential. @returns their number. */
  endAll(tx: Tx): Promise<number>;
}

/** Whether a person has signed in recently enough to decide. Failures: `sign_in.not_fresh`. */
export interface FreshSignIn {
  execute(by: PersonPrincipal): Promise<Result<void>>;
}

export interface LinkedUser {
  readonly id: string;
  readonly teamId: string;
  readonly userId: string;
  readonly credentialId: CredentialId;
  readonly linkedAt: number;
}

/** A message of ours in Slack, locked by one worker. */
export interface HeldMessage {
  readonly id: string;
  /** The post in Slack; null if it is not known to be there. */
  readonly posted: { readonly channel: string; readonly ts: string } | null;
  readonly renderedDigest: string | null;
  /** The time of the first attempt to post; null before it. Epoch milliseconds. */
  readonly triedAt: number | null;
  /** The post that begins its thread; null for a message of its own. */
  readonly thread: { readonly channel: string; readonly ts: string } | null;
}

/** A message, its destination and its thread. */
export interface MessageAbout {
  /** A target has one message for each subject. */
  readonly subject: string;
  /** A channel, or a user for a direct message. */
  readonly target: string;
  /** The subject of the thread; null for a message of its own. */
  readonly threadOf: string | null;
}

/** A reply without a thread: the message that begins the thread is not posted. */
export interface WaitingReply {
  /** The milliseconds since the reply was first locked. */
  readonly waitedMs: number;
}

/** A message that is to be posted, and has to wait for its turn. */
export interface WaitingPost {
  readonly delayMs: number;
}

export interface SlackMessages {
  /**
   * Takes the message of a subject at a target, in one statement; the first call makes it. One that is not in Slack is to be
   * posted, and takes a turn of its channel. If the turn is now, the message is leased and marked as possibly posted.
   * So a crash cannot post it twice. A message in Slack is locked for the transaction, and takes no turn and no lease.
   *
   * @returns `busy` while another worker has it, and if a message is to be posted without an installation of Slack.
   */
  take(tx: Tx, about: MessageAbout, leaseMs: number): Promise<HeldMessage | WaitingReply | WaitingPost | 'busy'>;
  /** Leases a message that is edited. */
  lease(tx: Tx, id: string, leaseMs: number): void;
  posted(tx: Tx, id: string, at: { readonly channel: string; readonly ts: string }, digest: string): Promise<void>;
  /** Forgets a post that somebody deleted: the message is posted again. */
  lost(tx: Tx, id: string): Promise<void>;
  release(tx: Tx, id: string): Promise<void>;
  /** The conversation of a subject's message at a target; `channel` is null until it is posted. Null if there is none. */
  postedAt(tx: Tx, subject: string, target: string): Promise<{ readonly channel: string | null } | null>;
  /** The subject of a post; null if it is not one of ours. */
  subjectAt(tx: Tx, at: { readonly channel: string; readonly ts: string }): Promise<string | null>;
}

/** A call to Slack with a pace: a post in a channel or in a thread, or an edit. */
export interface PacedCall {
  readonly kind: 'message' | 'reply' | 'edit';
  /** A channel, or a user for a direct message. */
  readonly target: string;
}

/**
 * The pace of calls to Slack over all workers, in rows. Each channel takes a message a second, new messages before replies.
 * Edits have a pace of their own in the workspace.
 */
export interface SlackPace {
  /**
   * Counts the call if it may be made now.
   *
   * @returns the milliseconds until the turn of the call; 0 if the call is counted.
   */
  take(tx: Tx, call: PacedCall): Promise<number>;
  /** Slack asked to wait. */
  hold(tx: Tx, call: PacedCall, delayMs: number): Promise<void>;
}

/** A failed call to Slack. */
export class SlackCallError extends Error {
  constructor(
    readonly code: string,
    /** Whether a later attempt may work. */
    readonly transient: boolean,
    /** The milliseconds that Slack asked to wait, or null. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`Slack: ${code}`);
    this.name = 'SlackCallError';
  }
}

/** Calls to Slack. Each throws {@link SlackCallError}. */
export interface SlackApi {
  post(
    token: string,
    message: {
      readonly channel: string;
      readonly threadTs: string | null;
      readonly content: SlackContent;
      readonly id: string;
    },
  ): Promise<{ readonly channel: string; readonly ts: string }>;
  update(
    token: string,
    at: { readonly channel: string; readonly ts: string },
    content: SlackContent,
    id: string,
  ): Promise<void>;
  /** Finds our message by its metadata, since a moment; null if it is not there. */
  findOwn(
    token: string,
    where: { readonly channel: string; readonly threadTs: string | null; readonly since: number },
    id: string,
  ): Promise<string | null>;
  openDirect(token: string, user: string): Promise<string>;
  postEphemeral(
    token: string,
    to: { readonly channel: string; readonly user: string },
    content: SlackContent,
  ): Promise<void>;
  openModal(token: string, trigger: string, view: ModalView): Promise<void>;
  userName(token: string, user: string): Promise<string>;
  /** Whether the token is good, and for which workspace. */
  workspaceOf(token: string): Promise<{ readonly teamId: string; readonly teamName: string }>;
  /** Whether the bot can write and read in a channel: fails as {@link SlackCallError}. @returns its name, if Slack tells it. */
  channelName(token: string, channel: string): Promise<string | null>;
  exchangeCode(app: SlackApp, code: string, redirectUrl: string): Promise<Installed>;
}

export interface ReceivedInteraction {
  readonly id: string;
  readonly interaction: Interaction;
  readonly attempts: number;
}

export interface SlackInteractions {
  /** @returns its id; null if the same body came before. */
  receive(tx: Tx, bodyDigest: Uint8Array, interaction: Interaction): Promise<string | null>;
  claim(tx: Tx, id: string, leaseMs: number): Promise<ReceivedInteraction | null>;
  /** Ends the lease of this attempt: the next may begin after so many milliseconds. Nothing if another attempt counts by now. */
  giveBack(tx: Tx, claimed: Pick<ReceivedInteraction, 'id' | 'attempts'>, afterMs: number): Promise<void>;
  done(tx: Tx, id: string, outcome: string): Promise<void>;
}

/** A request after a review. */
export interface Reviewed {
  readonly state: ApprovalRequest['state'];
  readonly subject: SubjectKey;
}

/** Submits reviews. Approval and policy decide whether a review counts. */
export interface Reviews {
  execute(
    by: PersonPrincipal,
    id: ApprovalRequestId,
    given: {
      readonly verdict: Verdict;
      readonly subject_digest: string;
      readonly comment?: string;
      readonly always?: boolean;
      readonly confirm_word?: string;
    },
  ): Promise<Result<{ readonly request: Reviewed }>>;
}

/** Starts the run of a plan. */
export interface Runs {
  execute(by: PersonPrincipal, planId: PlanId): Promise<Result<unknown>>;
}

/** Takes replies in the threads of our messages. */
export interface ThreadReplies {
  /** @param subject the stored subject of the message that begins the thread. */
  comment(by: PersonPrincipal, subject: string, text: string, channel: string): Promise<Result<unknown>>;
}

/** Follows changes of the Slack set-up, in their transaction and under their lock of the tenant's row. */
export interface SlackFollower {
  /** The app has other credentials, or the bot has another token or workspace. */
  changed(tx: Tx): Promise<void>;
  /** The workspace was removed. */
  removed(
    tx: Tx,
    by: { readonly actor: Actor; readonly personId: PersonId },
    workspace: { readonly teamName: string },
  ): Promise<void>;
}
