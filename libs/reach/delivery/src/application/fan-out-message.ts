import type { OutboxPayloads, PersonId, Tx } from '#lib/kernel';
import { destinationText, type Destination } from '../domain/destination.js';
import { wants } from '../domain/preferences.js';
import type { ChannelRegistry } from './channel-registry.js';
import type {
  AttemptedEntry,
  HeldBy,
  RecipientDirectory,
  MessageRecipients,
  NoticeSources,
  NoticeToTell,
  OnDuty,
  OpenedFacts,
  OutboxRepository,
  PreferenceStore,
  RecipientGroup,
  Recipients,
  RequestRecipients,
} from './delivery.ports.js';
import { readNotice } from './read-notice.js';

/** Ends of a request that its requester is told of. */
const ENDS = new Set(['approved', 'denied', 'changes_requested', 'expired', 'voided']);
/** Run events the requester is notified of: final states and `paused`. */
const RUN_ENDS = new Set([
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.rolled_back',
  'run.rollback_failed',
  'run.paused',
]);
/** Run events that make an earlier headline untrue. Only channels with conversations tell the requester of them. */
const RUN_GOES_ON = new Set(['run.resumed', 'run.rolling_back']);

/** Turns a message into one message for each destination. */
export class FanOutMessage {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly directory: RecipientDirectory,
    private readonly duty: OnDuty,
    private readonly preferences: PreferenceStore,
    private readonly notices: NoticeSources,
    private readonly channels: ChannelRegistry,
  ) {}

  /** The recipients of a message about a request; null for another message. */
  recipientsOf(tx: Tx, id: string, held: HeldBy = 'claimed'): Promise<MessageRecipients | null> {
    const told = this.directory.ofMessage(tx, id, held);
    for (const channel of this.channels.all) channel.lookAhead?.(tx);
    return told;
  }

  /**
   * @param told its recipients, by {@link recipientsOf}.
   * @returns the first destination's message, leased for `leaseFirstMs`; null if there is none, or none is leased.
   */
  async execute(
    tx: Tx,
    entry: AttemptedEntry,
    told: MessageRecipients | null,
    leaseFirstMs: number | null,
  ): Promise<AttemptedEntry | null> {
    const recipients = await this.#recipients(tx, entry, told);
    const found = recipients === null ? [] : await this.#destinations(tx, recipients, told?.opened);
    const distinct = new Map(found.map((destination) => [destinationText(destination), destination]));
    return this.outbox.fanOut(tx, entry, [...distinct.values()], leaseFirstMs);
  }

  async #destinations(tx: Tx, recipients: Recipients, opened?: OpenedFacts): Promise<readonly Destination[]> {
    const choosing = recipients.groups.flatMap(({ people, kind }) => (kind === null ? [] : people));
    const [preferences, ...found] = await Promise.all([
      opened?.preferences ?? this.preferences.of(tx, choosing),
      ...this.channels.all.map((channel) => {
        const addresses = recipients.addresses.filter((address) => this.channels.naming(address) === channel);
        return channel.destinations(tx, { ...recipients, addresses });
      }),
    ]);
    return found.flat().flatMap(({ to, ifWanted }) => {
      const wanted = ifWanted === undefined || wants(preferences.get(ifWanted.by), to.channel, ifWanted.kind);
      return wanted ? [to] : [];
    });
  }

  async #recipients(tx: Tx, entry: AttemptedEntry, told: MessageRecipients | null): Promise<Recipients | null> {
    switch (entry.topic) {
      case 'approval_request.changed':
        return told === null ? null : this.#request(told, entry.payload.event);
      case 'approval_request.reminder':
        return told === null ? null : this.#reminder(tx, told, entry.payload.roles?.split(' ') ?? []);
      case 'run.changed':
        return this.#run(tx, entry.payload);
      default:
        return this.#notice(tx, await readNotice(this.notices, tx, entry));
    }
  }

  #request(request: MessageRecipients, event: string): Recipients {
    const { environment, onDuty, opened } = request;
    const waiting: RecipientGroup[] =
      event === 'opened'
        ? [
            {
              people: reviewersOf(request),
              alone: 'subject',
              inConversation: null,
              kind: 'requests',
            },
          ]
        : [];
    return {
      shared: { environment, showing: ['subject'] },
      onDuty,
      groups: [...waiting, ...(ENDS.has(event) ? [requester(request)] : [])],
      addresses: [],
      ...(opened === undefined ? {} : { browsers: opened.browsers }),
    };
  }

  /** @param roles the roles to which the request is escalated: each holder is told, even if others are on duty. */
  async #reminder(tx: Tx, request: MessageRecipients, roles: readonly string[]): Promise<Recipients> {
    const { environment, onDuty } = request;
    const reviewers = reviewersOf(request);
    const further = roles.length === 0 ? [] : await this.directory.holders(tx, roles);
    return {
      shared: { environment, showing: ['thread'] },
      onDuty,
      groups: [
        { people: [...new Set([...reviewers, ...further])], alone: 'subject', inConversation: null, kind: 'reminders' },
        // People off duty never got the request message, so there is no thread to reply in.
        { people: further, alone: null, inConversation: 'requester', unlessInThread: true, kind: null },
      ],
      addresses: [],
    };
  }

  async #run(tx: Tx, { run_id: runId, event }: OutboxPayloads['run.changed']): Promise<Recipients | null> {
    const [run, onDuty] = await Promise.all([this.directory.run(tx, runId), this.duty.list(tx)]);
    const request = run?.requestId == null ? null : await this.directory.request(tx, run.requestId);
    if (request === null) return null;
    const groups = RUN_ENDS.has(event)
      ? [requester(request)]
      : RUN_GOES_ON.has(event)
        ? [{ ...requester(request), alone: null }]
        : [];
    return {
      shared: { environment: request.environment, showing: ['subject', 'thread'] },
      onDuty,
      groups,
      addresses: [],
    };
  }

  async #notice(tx: Tx, notice: NoticeToTell | null): Promise<Recipients | null> {
    if (notice === null) return null;
    const { people, environment, always, told = 'requests' } = notice;
    return {
      shared: { environment: environment ?? '', showing: [notice.thread === undefined ? 'subject' : 'thread'] },
      onDuty: await this.duty.list(tx),
      groups: [
        {
          people,
          alone: notice.editsOnly ? null : 'subject',
          inConversation: 'subject',
          unlessInThread: true,
          kind: always ? null : told,
        },
      ],
      addresses: notice.alsoTo,
    };
  }
}

/** The reviewers on duty; all of them if none is. */
function reviewersOf({ reviewers, onDuty }: MessageRecipients): readonly PersonId[] {
  const duty = reviewers.filter((id) => onDuty.includes(id));
  return duty.length === 0 ? reviewers : duty;
}

const requester = ({ requesterPersonId }: RequestRecipients): RecipientGroup => ({
  people: [requesterPersonId],
  alone: 'requester',
  inConversation: 'requester',
  kind: null,
});
