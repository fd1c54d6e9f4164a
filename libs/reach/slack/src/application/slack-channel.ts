import { ownMember } from '#lib/canonical';
import type {
  Channel,
  Content,
  Delivery,
  Destination,
  NamedAddresses,
  AttemptedEntry,
  Reachable,
  ReadContent,
  Recipients,
  Sending,
} from '#lib/delivery';
import { reminderContent, requestNewsContent, requestUrl, type RequestMessage } from '#lib/delivery';
import type { ApprovalRequestId, OutboxPayloads, PersonId, TenantId, Tx } from '#lib/kernel';
import { buttonValue } from '../domain/button-value.js';
import { renderNotice, renderRunNews, renderShort } from '../domain/render-replies.js';
import { renderRequest } from '../domain/render-request.js';
import type { PutSlackMessage, Rendering } from './put-slack-message.js';
import type { SlackInstallations, SlackLinks, SlackMessages } from './slack.ports.js';
import type { TestChannel } from './test-channel.js';

/** The name of the channel. */
export const SLACK = 'slack';

type Prepared = Promise<Delivery | Sending>;

/** The next turn of a message that shows in two conversations, after the first of them. */
const NEXT_MS = 10;

interface SlackChannelDeps {
  readonly put: PutSlackMessage;
  readonly installations: Pick<SlackInstallations, 'channels'>;
  readonly links: Pick<SlackLinks, 'usersOf'>;
  readonly messages: Pick<SlackMessages, 'postedAt'>;
  readonly contents: Pick<ReadContent, 'requestOf' | 'request' | 'run' | 'notice'>;
  readonly testing: Pick<TestChannel, 'execute'>;
  readonly publicUrl: string;
}

/**
 * Slack as a channel of delivery. The message of a request is kept up to date, and the events of its run stand in the
 * thread. The requester has a message of their own.
 */
export class SlackChannel implements Channel {
  readonly name = SLACK;
  readonly title = 'Slack';
  /** A channel or a user. */
  readonly address = /^[A-Z][A-Z0-9]{1,31}$/;
  readonly chosen = false;
  readonly edits = true;
  readonly named: NamedAddresses = {
    form: 'the id of a Slack channel (C012AB3CD)',
    accepts: (address) => /^[CG][A-Z0-9]{1,31}$/.test(address),
    test: (tenantId: TenantId, address) => this.deps.testing.execute(tenantId, address),
  };

  constructor(private readonly deps: SlackChannelDeps) {}

  lookAhead(tx: Tx): void {
    // The next call in this transaction gets the same answer, or the same refusal.
    this.deps.installations.channels(tx).catch(() => undefined);
  }

  async destinations(tx: Tx, { shared, onDuty, groups, addresses }: Recipients): Promise<readonly Reachable[]> {
    const talking = groups.filter(({ inConversation }) => inConversation !== null);
    const [channels, users] = await Promise.all([
      this.deps.installations.channels(tx),
      this.deps.links.usersOf(tx, [...new Set([...onDuty, ...talking.flatMap(({ people }) => people)])]),
    ]);
    const direct = users.filter(({ personId }) => onDuty.includes(personId)).map(({ user }) => user);
    const channel = ownMember(channels, shared.environment) ?? channels?.[''];
    const watchers = direct.length > 0 ? direct : channel === undefined ? [] : [channel];
    const inThread = shared.showing.includes('thread') ? watchers : [];
    return [
      ...shared.showing.flatMap((showing) => watchers.map((address) => this.#to(address, showing))),
      ...talking.flatMap(({ people, inConversation, unlessInThread }) =>
        users
          .filter(({ personId, user }) => people.includes(personId) && !(unlessInThread && inThread.includes(user)))
          .flatMap(({ user }) => (inConversation === null ? [] : [this.#to(user, inConversation)])),
      ),
      ...addresses.map((address) => this.#to(address, 'subject')),
    ];
  }

  async reached(tx: Tx, people: readonly PersonId[]): Promise<readonly PersonId[]> {
    return (await this.deps.links.usersOf(tx, people)).map(({ personId }) => personId);
  }

  async prepare(
    tx: Tx,
    entry: AttemptedEntry,
    { address: target, showing }: Destination,
    known?: RequestMessage | null,
  ): Prepared {
    const requestId = await this.deps.contents.requestOf(tx, entry);
    if (requestId === null) return this.#notice(tx, entry, target, showing);
    const subject = `request:${requestId}`;
    switch (showing) {
      case 'subject':
        return this.deps.put.prepare(tx, { subject, target, threadOf: null }, async () =>
          this.#request(known ?? (await this.deps.contents.request(tx, requestId))),
        );
      case 'thread': {
        const threadOf = (await this.#hasThread(tx, entry, subject, target)) ? subject : null;
        return this.deps.put.prepare(tx, { subject: `news:${entry.id}`, target, threadOf }, () =>
          this.#news(tx, entry, requestId),
        );
      }
      case 'requester':
        return this.#requester(tx, entry, requestId, target);
    }
  }

  /**
   * Whether the message of the request begins a thread there. The event of a run is told together with that message. A
   * reminder is told alone. A channel or person that was routed to later has no thread. The reminder is then a message
   * of its own.
   */
  async #hasThread(tx: Tx, { topic }: AttemptedEntry, subject: string, target: string): Promise<boolean> {
    return topic !== 'approval_request.reminder' || (await this.deps.messages.postedAt(tx, subject, target)) !== null;
  }

  #to(address: string, showing: Destination['showing']): Reachable {
    return { to: { channel: this.name, address, showing } };
  }

  /** All but the buttons is rendered at once. */
  #request(message: RequestMessage | null): Rendering {
    if (message === null) return null;
    const { id: requestId, digest: subjectDigest } = message;
    const { withButtons } = renderRequest(message, this.deps.publicUrl);
    return ({ tenantId, signingSecret }) =>
      withButtons((action) => buttonValue(signingSecret, { tenantId, action, requestId, subjectDigest }));
  }

  async #news(tx: Tx, { topic, payload }: AttemptedEntry, requestId: ApprovalRequestId): Promise<Rendering> {
    if (topic === 'run.changed') return this.#runNews(tx, payload);
    if (topic !== 'approval_request.reminder') return null;
    const message = await this.deps.contents.request(tx, requestId);
    if (message?.state !== 'open') return null;
    const content = reminderContent(message, payload.which, requestUrl(this.deps.publicUrl, message.id));
    return () => renderShort(message.id, content);
  }

  async #runNews(tx: Tx, payload: OutboxPayloads['run.changed']): Promise<Rendering> {
    const found = await this.deps.contents.run(tx, payload);
    if (found === null) return null;
    const { run, content } = found;
    const { event } = payload;
    // The run may have moved on since: reason and outcome of another state are left out.
    const current = event.endsWith(run.state) || (event === 'run.started' && run.state === 'executing');
    const shown: Content = current ? content : { ...content, lines: [] };
    return () => renderRunNews(shown);
  }

  /** The requester's message shows how the request stands, to the end of its run. The events of the run stand in its thread. */
  async #requester(tx: Tx, entry: AttemptedEntry, requestId: ApprovalRequestId, target: string): Prepared {
    const own = `told:${entry.id}`;
    if (entry.topic === 'approval_request.reminder')
      return this.deps.put.prepare(tx, { subject: own, target, threadOf: null }, () =>
        this.#news(tx, entry, requestId),
      );
    const standing = `told:${requestId}`;
    const told = await this.deps.put.prepare(tx, { subject: standing, target, threadOf: null }, async () => {
      const message = await this.deps.contents.request(tx, requestId);
      if (message === null) return null;
      const content = requestNewsContent(message, requestUrl(this.deps.publicUrl, message.id));
      return () => renderShort(message.id, content);
    });
    if (entry.topic !== 'run.changed') return told;
    const { payload } = entry;
    if (typeof told === 'function') return andThen(told);
    if (told.kind !== 'delivered') return told;
    return this.deps.put.prepare(tx, { subject: own, target, threadOf: standing }, () => this.#runNews(tx, payload));
  }

  async #notice(tx: Tx, entry: AttemptedEntry, target: string, showing: Destination['showing']): Prepared {
    const notice = await this.deps.contents.notice(tx, entry);
    if (notice === null) return { kind: 'delivered' };
    const thread = showing === 'thread' ? (notice.thread ?? null) : null;
    const parent = thread === null ? null : await this.deps.messages.postedAt(tx, thread.of, target);
    // Without the message there is no thread. Words that were written in the thread stand there already.
    if (thread !== null && (parent === null || (parent.channel !== null && parent.channel === thread.notIn)))
      return { kind: 'delivered' };
    const about = { subject: `${entry.topic}:${notice.id}`, target, threadOf: thread?.of ?? null };
    return this.deps.put.prepare(tx, about, () => Promise.resolve(() => renderNotice(notice)));
  }
}

/** After the first message is sent, the entry has another turn for its reply. */
const andThen =
  (send: Sending): Sending =>
  async (renewing) => {
    const sent = await send(renewing);
    return sent.delivery.kind === 'delivered' ? { ...sent, delivery: { kind: 'later', delayMs: NEXT_MS } } : sent;
  };
