import type {
  Actor,
  ChangeRequestId,
  CredentialId,
  Digest,
  PersonId,
  PersonPrincipal,
  Result,
  TenantId,
  Tx,
} from '#lib/kernel';
import type { WrappedBytes } from '#lib/tenancy';
import type { ModalView } from '@slack/types';
import type { SlackContent } from '../domain/block-kit.js';
import type { Interaction } from '../domain/interaction.js';

/** The workspace of a tenant, opened. */
export interface SlackWorkspace {
  readonly tenantId: TenantId;
  readonly teamId: string;
  readonly teamName: string;
  readonly appId: string;
  readonly botUserId: string;
  readonly botToken: string;
  readonly signingSecret: string;
}

export interface SlackApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** What of the Slack settings may be shown. */
export interface SlackSettings {
  readonly app: { readonly clientId: string } | null;
  readonly installation: { readonly teamId: string; readonly teamName: string; readonly installedAt: number } | null;
  /** By environment name; the empty name is for every other. */
  readonly channels: Readonly<Record<string, string>>;
  readonly onDuty: readonly PersonId[];
}

/** The tenant's app and workspace. Secrets are decrypted here, and nowhere else. */
export interface SlackInstallations {
  /** Whose installation a request names; nothing is believed by that. */
  locate(app: string, team: string): Promise<TenantId | null>;
  workspace(tx: Tx): Promise<SlackWorkspace | null>;
  app(tx: Tx): Promise<SlackApp | null>;
  /** The app and when it was written (epoch milliseconds), against every other change until the transaction ends. */
  lockApp(tx: Tx): Promise<{ readonly app: SlackApp; readonly writtenAt: number } | null>;
  /** What Slack signs its requests with. */
  signingSecret(tx: Tx): Promise<string | null>;
  saveApp(tx: Tx, app: SlackApp, by: PersonId): Promise<void>;
  beginInstall(
    tx: Tx,
    state: Uint8Array,
    by: { readonly personId: PersonId; readonly credentialId: CredentialId; readonly reason?: string },
    lifetimeMs: number,
  ): Promise<void>;
  /** @param states digests of the state, under each key that it may have been stored with. */
  locateInstall(states: readonly Uint8Array[]): Promise<{ readonly tenantId: TenantId; readonly id: string } | null>;
  /** Uses the state up. @returns who began, with which credential, or null where it was used or is too old. */
  useInstall(
    tx: Tx,
    id: string,
  ): Promise<{
    readonly personId: PersonId;
    readonly credentialId: CredentialId;
    readonly displayName: string;
    readonly reason?: string;
  } | null>;
  /** @returns false where another tenant has this app in this workspace. */
  saveInstallation(tx: Tx, installed: Installed, by: PersonId): Promise<boolean>;
  removeInstallation(tx: Tx): Promise<void>;
  /** The channel of each environment; null if Slack is not installed. */
  channels(tx: Tx): Promise<Readonly<Record<string, string>> | null>;
  settings(tx: Tx): Promise<SlackSettings>;
  setChannels(tx: Tx, channels: Readonly<Record<string, string>>): Promise<void>;
  setOnDuty(tx: Tx, people: readonly PersonId[]): Promise<void>;
  /** What those of them who are there are called. */
  namesOf(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, string>>;
}

/** Secrets of an app or an installation, encrypted. */
export interface SealedSlackSecrets extends WrappedBytes {
  /** Over the ciphertext: names these very secrets and tells nothing of them. */
  readonly digest: Digest;
}

/** Secrets that wait for a second person. They go with the end of their change. */
export interface WaitingSlackSecrets {
  seal(tx: Tx, secrets: SlackApp | Installed): Promise<SealedSlackSecrets>;
  keep(tx: Tx, changeId: ChangeRequestId, sealed: SealedSlackSecrets): Promise<void>;
  /** What was sealed, of the kind that the change is of. Throws where it is not what has the digest. */
  open<Secrets extends SlackApp | Installed>(tx: Tx, changeId: ChangeRequestId, digest: Digest): Promise<Secrets>;
}

/** What Slack answers to an OAuth code. */
export interface Installed {
  readonly teamId: string;
  readonly teamName: string;
  readonly appId: string;
  readonly botUserId: string;
  readonly botToken: string;
  readonly scopes: string;
}

/** Which person a Slack user is. */
export interface SlackLinks {
  /** The digest of the credential that stands for the user; null where nobody has claimed them. */
  credentialOf(tx: Tx, user: { readonly team: string; readonly user: string }): Promise<Uint8Array | null>;
  /** A person's live Slack users. */
  usersOf(
    tx: Tx,
    people: readonly PersonId[],
  ): Promise<readonly { readonly personId: PersonId; readonly user: string }[]>;
  writeCode(tx: Tx, digest: Uint8Array, user: string, lifetimeMs: number): Promise<void>;
  /** The user who asked for it, where it is still good. */
  readCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null>;
  /** Uses it up. @returns the user who asked for it, or null. */
  useCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null>;
  /** Ends links of the user that no longer hold. @returns false where one still does. */
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
  /** Ends every link of the tenant, with its credential. @returns how many there were. */
  endAll(tx: Tx): Promise<number>;
}

/** Whether somebody has signed in recently enough to decide; refused with `sign_in.not_fresh`. */
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

/** A message of ours in Slack, held by one worker. */
export interface HeldMessage {
  readonly id: string;
  /** Where it is, once it is known to be there. */
  readonly posted: { readonly channel: string; readonly ts: string } | null;
  readonly renderedDigest: string | null;
  /** When posting was first tried; null where it never was. Epoch milliseconds. */
  readonly triedAt: number | null;
  /** The message in whose thread it stands; null for one that stands alone. */
  readonly thread: { readonly channel: string; readonly ts: string } | null;
}

export interface SlackMessages {
  /**
   * Locks the message of a subject at a target for the transaction; the first call makes it. `busy` while another worker
   * has it, or while the message of its thread is not posted yet.
   */
  lock(
    tx: Tx,
    about: { readonly subject: string; readonly target: string; readonly threadOf: string | null },
  ): Promise<HeldMessage | 'busy'>;
  /** Leases the message and marks it as possibly posted. Call before posting, so a crash cannot post it twice. */
  take(tx: Tx, id: string, leaseMs: number): void;
  posted(tx: Tx, id: string, at: { readonly channel: string; readonly ts: string }, digest: string): Promise<void>;
  /** Forgets a post that somebody deleted: the message is posted again. */
  lost(tx: Tx, id: string): Promise<void>;
  release(tx: Tx, id: string): Promise<void>;
  /** The conversation of a subject's message at a target; `channel` is null until it is posted. Null if there is none. */
  postedAt(tx: Tx, subject: string, target: string): Promise<{ readonly channel: string | null } | null>;
  /** The subject of a post; null if it is not one of ours. */
  subjectAt(tx: Tx, at: { readonly channel: string; readonly ts: string }): Promise<string | null>;
}

/** A call to Slack that is paced: a message that is posted, alone or in a thread, or the edit of one. */
export interface PacedCall {
  readonly kind: 'message' | 'reply' | 'edit';
  /** Where it goes: a channel, or a user for a direct message. */
  readonly target: string;
}

/**
 * The pace of calls to Slack, over all workers: held by rows, not by memory. A message a second is posted in each channel, new
 * messages before replies; edits have a pace of their own in the workspace.
 */
export interface SlackPace {
  /** @returns 0 if the call may be made now, which counts it; else how long to wait, in milliseconds. */
  take(tx: Tx, call: PacedCall): Promise<number>;
  /** Slack said to wait. */
  hold(tx: Tx, call: PacedCall, delayMs: number): Promise<void>;
}

/** What went wrong with a call to Slack. */
export class SlackCallError extends Error {
  constructor(
    readonly code: string,
    /** Whether the same may work later. */
    readonly transient: boolean,
    /** Milliseconds that Slack asked to wait; null where it did not. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`Slack: ${code}`);
    this.name = 'SlackCallError';
  }
}

/** The calls to Slack that are made. Each throws {@link SlackCallError}. */
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
  /** One's own message by its metadata, since a moment; null where it is not there. */
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
  /** @returns its id, or null where the same body came before. */
  receive(tx: Tx, bodyDigest: Uint8Array, interaction: Interaction): Promise<string | null>;
  claim(tx: Tx, id: string, leaseMs: number): Promise<ReceivedInteraction | null>;
  done(tx: Tx, id: string, outcome: string): Promise<void>;
}

/** Takes what people write in the threads of our messages. */
export interface ThreadReplies {
  /** @param subject what the message shows in whose thread it stands, as {@link SlackMessages} keeps it. */
  comment(by: PersonPrincipal, subject: string, text: string, channel: string): Promise<Result<unknown>>;
}

/** Hears of changes of the Slack set-up, in their transaction and behind their lock of the tenant's row. */
export interface SlackFollower {
  /** The app has other credentials, or the bot another token or workspace. */
  changed(tx: Tx): Promise<void>;
  /** There is no workspace any more. */
  removed(
    tx: Tx,
    by: { readonly actor: Actor; readonly personId: PersonId },
    workspace: { readonly teamName: string },
  ): Promise<void>;
}
