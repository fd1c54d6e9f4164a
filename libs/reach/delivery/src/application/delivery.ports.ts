import type { RunState } from '#lib/formats';
import type { ApprovalRequestId, OutboxMessage, OutboxPayloads, PageRequest, PersonId, RunId, Tx } from '#lib/kernel';
import type { Destination } from '../domain/destination.js';
import type { Notice } from '../domain/notice.js';
import type { ChannelPreferences, MessageKind } from '../domain/preferences.js';
import type { RequestMessage } from '../domain/request-message.js';

export type OutboxState = 'pending' | 'delivered' | 'failed';

/** How a message of the outbox stands, without its topic and payload. Times are epoch milliseconds. */
export interface UnreadMessage {
  readonly id: string;
  /** Null for a message that a stage wrote: it is fanned out first. */
  readonly destination: string | null;
  readonly state: OutboxState;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly deliveredAt: number | null;
}

/** A message as it is stored. An admin also sees one whose payload is not that of its topic. */
export interface StoredMessage extends UnreadMessage {
  readonly topic: string;
  readonly payload: Readonly<Record<string, string>>;
}

/** A message of the outbox. */
export type OutboxEntry = UnreadMessage & OutboxMessage;

/** An attempt to deliver a message: its number tells it from an earlier one. */
export type OutboxAttempt = Pick<UnreadMessage, 'id' | 'attempts'>;

/** A message as an attempt to deliver it knows it. */
export type AttemptedEntry = OutboxAttempt & Pick<UnreadMessage, 'destination'> & OutboxMessage;

export interface OutboxRepository {
  /**
   * Writes a message for each destination. Each has a job of its own, except for the first if `leaseFirstMs` is a
   * number. The caller delivers that one, and its lease lasts for that time. Nothing waits for the rows. If a
   * destination has a message of that cause already, the transaction fails (23505), so no destination gets it twice.
   *
   * @returns the first message, leased; null if there is none, or none was to be leased.
   */
  fanOut(
    tx: Tx,
    cause: AttemptedEntry,
    destinations: readonly Destination[],
    leaseFirstMs: number | null,
  ): Promise<AttemptedEntry | null>;
  /** Takes a due message that no other worker has, counts the attempt, and leases it. Its topic and payload are not read. */
  claim(tx: Tx, id: string, leaseMs: number): Promise<UnreadMessage | null>;
  /**
   * The same, and reads the message. One without a destination counts as delivered: the caller fans it out in this transaction.
   *
   * @throws {FailureError} `record.malformed` if its payload is not that of its topic.
   */
  claimToDeliver(tx: Tx, id: string, leaseMs: number): Promise<OutboxEntry | null>;
  /**
   * Whether an earlier event of the same run is still pending for the same destination. A message that failed once holds up
   * no later one.
   */
  comesAfterPending(tx: Tx, entry: AttemptedEntry): Promise<boolean>;
  /** Whether a later message of the same subject waits for the same destination, and will show everything. */
  comesBeforeSame(tx: Tx, entry: AttemptedEntry): Promise<boolean>;
  delivered(tx: Tx, attempt: OutboxAttempt): void;
  /** Leases the message of an attempt anew. @returns false if another attempt began, or the message is settled. */
  renew(tx: Tx, attempt: OutboxAttempt, leaseMs: number): Promise<boolean>;
  /** Waits without an error: the attempt does not count. */
  postpone(tx: Tx, attempt: OutboxAttempt, delayMs: number): void;
  /** Failed, with another attempt to come. */
  failedOnce(tx: Tx, attempt: OutboxAttempt, error: string, delayMs: number): void;
  /** Failed for good, until an admin sends it again. */
  giveUp(tx: Tx, attempt: OutboxAttempt, error: string): void;
  list(tx: Tx, state: OutboxState, page: PageRequest): Promise<readonly StoredMessage[]>;
  lock(tx: Tx, id: string): Promise<StoredMessage | null>;
  retry(tx: Tx, id: string): Promise<void>;
}

/** The result of one attempt. */
export type Delivery =
  | { readonly kind: 'delivered' }
  /** The destination is busy, or asked to wait. */
  | { readonly kind: 'later'; readonly delayMs: number }
  | { readonly kind: 'failed'; readonly error: string; readonly final: boolean };

/** The result of sending, and the channel's own record of it, if it keeps one. */
export interface Sent {
  readonly delivery: Delivery;
  /** Runs in the transaction that settles the message. */
  readonly record?: (tx: Tx) => Promise<void>;
  /** Ends the channel's own lease if the record failed; absent if it has none. */
  readonly release?: (tx: Tx) => Promise<void>;
}

/** Sends a message, and has a lease of the channel's own renewed meanwhile. */
export type Sending = (renewing: (renew: (tx: Tx) => void) => void) => Promise<Sent>;

/** The readers of a message. Each channel turns them into destinations of its own. */
export interface Recipients {
  /** The destinations that all watchers of an environment share, and their messages. The empty name is for everything else. */
  readonly shared: { readonly environment: string; readonly showing: readonly Destination['showing'][] };
  /** People on duty: they are told directly in place of a shared destination, if they can be reached. */
  readonly onDuty: readonly PersonId[];
  readonly groups: readonly RecipientGroup[];
  /** Addresses of this channel that a document of the tenant names. */
  readonly addresses: readonly string[];
  /** The browsers of everybody in the groups, if they were read before. */
  readonly browsers?: OpenedFacts['browsers'];
}

export interface RecipientGroup {
  readonly people: readonly PersonId[];
  /** Their message on channels that bring each message alone, such as mail; null for none. */
  readonly alone: Destination['showing'] | null;
  /** Their message on channels with conversations, such as Slack; null for none. */
  readonly inConversation: Destination['showing'] | null;
  /** Leaves out people who see the message in the thread of a shared destination. */
  readonly unlessInThread?: true;
  /** The switch by which a person turns such messages off; null if they always get them. */
  readonly kind: MessageKind | null;
}

/** A destination, and the preference that it depends on. */
export interface Reachable {
  readonly to: Destination;
  /** Absent if the message cannot be switched off. */
  readonly ifWanted?: { readonly by: PersonId; readonly kind: MessageKind };
}

/** One way to reach people: Slack, mail, Web Push. Fan-out, delivery and preferences know a channel from the registry alone. */
export interface Channel {
  /** The first part of its destinations: 1 to 20 letters, a to z. It never changes: stored messages name it. */
  readonly name: string;
  /** Its name for people, as it stands in a list: `e-mail`. */
  readonly title: string;
  /** The shape of its addresses. */
  readonly address: RegExp;
  /**
   * Begins reads of {@link destinations} that depend on no recipients. They travel with the claim of each message, before
   * its destinations are known.
   */
  lookAhead?(tx: Tx): void;
  /** Whether each person chooses the kinds of messages that it brings. */
  readonly chosen: boolean;
  /** Whether it keeps the message of a subject up to date. The last of several changes then shows all of them. */
  readonly edits: boolean;
  /** A part that the installation lacks, without which it sends nothing: `a mail server`. Absent if it can send. */
  readonly missing?: string | undefined;
  /** Absent if no document can name its addresses. */
  readonly named?: NamedAddresses;
  destinations(tx: Tx, recipients: Recipients): Promise<readonly Reachable[]>;
  /** The people among these that it reaches as persons now. */
  reached(tx: Tx, people: readonly PersonId[]): Promise<readonly PersonId[]>;
  /**
   * Reads the message and takes everything that sending needs, in the transaction that takes it from the outbox.
   *
   * @param known the request that the message is about, if this transaction opened it.
   * @returns how to send it, or the result if there is nothing to send now. The answers of its last statements may
   * still be on their way. If one is refused, nothing is committed and nothing is sent.
   */
  prepare(tx: Tx, entry: AttemptedEntry, to: Destination, known?: RequestMessage | null): Promise<Delivery | Sending>;
}

/** Addresses that documents of a tenant name. */
export interface NamedAddresses {
  /** Such an address in words, with an example: `a mail address (ops@example.com)`. */
  readonly form: string;
  accepts(address: string): boolean;
  /**
   * Sends a test message at once.
   *
   * @returns why it failed, for an admin; null if the address took it.
   */
  test(tenantId: Tx['tenantId'], address: string): Promise<string | null>;
}

/** Whether a transaction claims a message of an earlier one, which may fail, or one that it wrote itself. */
export type HeldBy = 'claimed' | 'written';

/** Names the recipients of messages, by the facts of the stages. */
export interface RecipientDirectory {
  /**
   * The recipients of a message about a request. Its statement travels with the claim. Each worker that hears of the message asks,
   * so that only the transaction that claimed it gets an answer.
   *
   * @param held the way in which this transaction has the message.
   * @returns null for a message about something else, one with a destination, or one not claimed by this transaction.
   */
  ofMessage(tx: Tx, messageId: string, held: HeldBy): Promise<MessageRecipients | null>;
  request(tx: Tx, id: ApprovalRequestId): Promise<RequestRecipients | null>;
  run(tx: Tx, id: RunId): Promise<NotifiedRun | null>;
  context(tx: Tx, id: ApprovalRequestId): Promise<RequestContext | null>;
  /** Enabled people who hold one of these roles; `any` stands for every role. */
  holders(tx: Tx, roles: readonly string[]): Promise<readonly PersonId[]>;
  people(tx: Tx, ids: readonly PersonId[]): Promise<readonly Recipient[]>;
}

/** A person that a message is for. */
export interface Recipient {
  readonly id: PersonId;
  readonly displayName: string;
  readonly email: string;
}

export interface RequestRecipients {
  readonly id: ApprovalRequestId;
  readonly environment: string;
  /** The person who asked; for an agent, the person it acts for, else its owner. */
  readonly requesterPersonId: PersonId;
}

export interface MessageRecipients extends RequestRecipients {
  /**
   * Holders of the roles that the request asks for and, for absent ones, their delegates; without the excluded people. Empty
   * if the message is not for them.
   */
  readonly reviewers: readonly PersonId[];
  /** In the order in which they began. */
  readonly onDuty: readonly PersonId[];
  readonly requesterName: string;
  readonly onBehalfOfName: string | null;
  /**
   * Whether a new request stands as it was opened. It is open and has no review, and no earlier request of its task has
   * an approval. False for a message about anything but the opening.
   */
  readonly asOpened: boolean;
  /** Absent for a message about anything but the opening. */
  readonly opened?: OpenedFacts;
}

/** Further facts that the first delivery of a new request needs, read with its recipients. */
export interface OpenedFacts {
  /** Of the reviewers. */
  readonly preferences: ReadonlyMap<PersonId, ChannelPreferences>;
  /** Of the reviewers: subscriptions to Web Push. */
  readonly browsers: readonly { readonly id: string; readonly personId: PersonId }[];
  /** Counts of precedents with the shape of the request, for their own library alone. */
  readonly past: unknown;
}

/** Facts around a request that the approval library does not read. */
export interface RequestContext {
  readonly requesterName: string;
  readonly onBehalfOfName: string | null;
  /** Whether an earlier request of the task has an approval. */
  readonly approvedBefore: boolean;
  /** The latest run of the request. */
  readonly run: { readonly id: RunId; readonly state: RunState } | null;
}

/** A run, as messages tell of it. */
export interface NotifiedRun {
  readonly id: RunId;
  readonly requestId: ApprovalRequestId | null;
  readonly environment: string;
  readonly state: string;
  readonly reason: string | null;
  readonly outcome: string | null;
}

/** People on duty, in the order in which they began. */
export interface OnDuty {
  list(tx: Tx): Promise<readonly PersonId[]>;
  /** Unknown people are left out. */
  set(tx: Tx, people: readonly PersonId[]): Promise<void>;
}

/** Stored preferences. */
export interface PreferenceStore {
  /** The channels that a person has set. */
  of(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, ChannelPreferences>>;
  save(tx: Tx, personId: PersonId, preferences: ChannelPreferences): Promise<void>;
}

/** The topics of notices: delivery itself reads the messages of requests and runs. */
export type NoticeTopic = Exclude<
  keyof OutboxPayloads,
  'approval_request.changed' | 'approval_request.reminder' | 'run.changed'
>;

/** Reads the text and the recipients of the notices of a topic. */
export interface NoticeSource<Topic extends NoticeTopic> {
  /** @returns null if there is nothing to tell any more. */
  read(tx: Tx, payload: OutboxPayloads[Topic]): Promise<NoticeToTell | null>;
}

/** The source of each topic. */
export type NoticeSources = { readonly [Topic in NoticeTopic]: NoticeSource<Topic> };

export interface NoticeToTell extends Notice {
  /** Notices of one id share a message, which is kept up to date. */
  readonly id: string;
  /** Its shared destinations are those of this environment; null for those of everything else. */
  readonly environment: string | null;
  /** The conversation that the notice belongs to; absent for a message of its own. */
  readonly thread?: {
    /** The subject of that conversation. */
    readonly of: string;
    /** The conversation that the words come from, and that does not get them again; null if there is none. */
    readonly notIn: string | null;
  };
  /** People who are told directly. */
  readonly people: readonly PersonId[];
  /** The switch that turns it off. Absent: `requests`. */
  readonly told?: MessageKind;
  /** Whether it ignores the switches. */
  readonly always: boolean;
  /** Further addresses, from a document of the tenant. */
  readonly alsoTo: readonly string[];
  /** Whether a line is about to come, for which a channel without edits waits. The source sets the bound. */
  readonly awaits?: true;
  /** Whether only messages that are kept up to date tell of it: no further message is sent. */
  readonly editsOnly?: true;
}
