import { createHash } from 'node:crypto';
import { setImmediate as statementsSent } from 'node:timers/promises';
import type { Delivery, Sent } from '#lib/delivery';
import type { Tx } from '#lib/kernel';
import type { SlackContent } from '../domain/block-kit.js';
import {
  SlackCallError,
  type HeldMessage,
  type MessageAbout,
  type PacedCall,
  type SlackApi,
  type SlackInstallations,
  type SlackMessages,
  type SlackPace,
  type SlackWorkspace,
  type WaitingPost,
  type WaitingReply,
} from './slack.ports.js';

/** Longer than a call to Slack may take. After it another worker may take the message of one that died. */
const LEASE_MS = 60_000;
const BUSY: Delivery = { kind: 'later', delayMs: 500 };
/** Slack's clock and ours may differ. */
const LOOK_BACK_MS = 300_000;
/** A reply waits at most this long for the message that begins its thread. After it each attempt is a failure. */
const THREAD_MS = 600_000;

/** Renders content that was read, with the parts that depend on the workspace; null if there is nothing to show. */
export type Rendering = ((workspace: SlackWorkspace) => SlackContent) | null;

/** A message that this worker brings up to date, and how it gives the lease back. */
interface Leased {
  readonly held: HeldMessage;
  readonly release: (tx: Tx) => Promise<void>;
}

/**
 * Brings a message in Slack up to date: posts it, or edits it if it is there. One worker at a time does so, at Slack's pace. The
 * transaction that takes the message marks it as possibly posted, so a crash cannot post it twice: the next worker looks
 * for it by its metadata first.
 */
export class PutSlackMessage {
  constructor(
    private readonly installations: Pick<SlackInstallations, 'workspace'>,
    private readonly messages: SlackMessages,
    private readonly pace: SlackPace,
    private readonly slack: SlackApi,
  ) {}

  /**
   * Takes the message and reads its content, in one transaction. A post is completed while PostgreSQL commits.
   *
   * @param read reads the content. Its statements follow the lock of the message, so no later change is missed.
   * @param ahead the content, read before the lock. It counts for a first post alone: whoever read a later change posts or edits after it.
   * @returns how to send it, or the result if there is nothing to send now.
   */
  async prepare(
    tx: Tx,
    about: MessageAbout,
    read: () => Promise<Rendering>,
    ahead?: Promise<Rendering>,
  ): Promise<Delivery | (() => Promise<Sent>)> {
    const leasedUntil = performance.now() + LEASE_MS;
    // All of it travels together: an approver waits for the message. The turn is taken before it is known whether there is
    // anything to post. If there is not, the next post to the channel waits a second for nothing.
    const [workspace, taken, first] = await Promise.all([
      this.installations.workspace(tx),
      this.messages.take(tx, about, LEASE_MS),
      ahead ?? read(),
    ]);
    if (workspace === null) return { kind: 'failed', error: 'Slack is not installed.', final: true };
    if (taken === 'busy') return BUSY;
    if ('waitedMs' in taken) return withoutThread(taken);
    const render = ahead === undefined || isFirst(taken) ? first : await read();
    if ('delayMs' in taken) return render === null ? { kind: 'delivered' } : { kind: 'later', delayMs: taken.delayMs };
    // After its end the lease may be another worker's.
    const release = async (later: Tx): Promise<void> => {
      if (performance.now() < leasedUntil) await this.messages.release(later, taken.id);
    };
    if (taken.posted !== null) return this.#edit(tx, { about, workspace, render }, { held: taken, release });
    if (render !== null) {
      const completed = statementsSent().then(() => render(workspace));
      // The sender gets the error.
      completed.catch(() => undefined);
      return () => this.#send(workspace, about, { held: taken, release }, completed);
    }
    await release(tx);
    return { kind: 'delivered' };
  }

  async #edit(
    tx: Tx,
    {
      about,
      workspace,
      render,
    }: { readonly about: MessageAbout; readonly workspace: SlackWorkspace; readonly render: Rendering },
    leased: Leased,
  ): Promise<Delivery | (() => Promise<Sent>)> {
    const { held } = leased;
    const content = render?.(workspace);
    if (content === undefined || held.renderedDigest === digestOf(content)) return { kind: 'delivered' };
    const delayMs = await this.pace.take(tx, pacedCall(about, held));
    if (delayMs > 0) return { kind: 'later', delayMs };
    this.messages.lease(tx, held.id, LEASE_MS);
    return () => this.#send(workspace, about, leased, content);
  }

  async #send(
    workspace: SlackWorkspace,
    about: MessageAbout,
    { held, release }: Leased,
    rendered: SlackContent | Promise<SlackContent>,
  ): Promise<Sent> {
    try {
      const content = await rendered;
      const at =
        held.posted === null
          ? await this.#post(workspace, about, held, content)
          : await this.#update(workspace, held.posted, held.id, content);
      return {
        delivery: { kind: 'delivered' },
        record: (tx) => this.messages.posted(tx, held.id, at, digestOf(content)),
        release,
      };
    } catch (error) {
      return { ...this.#refused(about, held, error, release), release };
    }
  }

  async #post(
    { botToken }: SlackWorkspace,
    about: MessageAbout,
    held: HeldMessage,
    content: SlackContent,
  ): Promise<{ readonly channel: string; readonly ts: string }> {
    const channel =
      held.thread?.channel ??
      (/^[UW]/.test(about.target) ? await this.slack.openDirect(botToken, about.target) : about.target);
    const threadTs = held.thread?.ts ?? null;
    if (held.triedAt !== null) {
      const since = held.triedAt - LOOK_BACK_MS;
      const ts = await this.slack.findOwn(botToken, { channel, threadTs, since }, held.id);
      if (ts !== null) return this.#update({ botToken }, { channel, ts }, held.id, content);
    }
    return this.slack.post(botToken, { channel, threadTs, content, id: held.id });
  }

  async #update(
    { botToken }: Pick<SlackWorkspace, 'botToken'>,
    at: { readonly channel: string; readonly ts: string },
    id: string,
    content: SlackContent,
  ): Promise<{ readonly channel: string; readonly ts: string }> {
    await this.slack.update(botToken, at, content, id);
    return at;
  }

  #refused(about: MessageAbout, held: HeldMessage, error: unknown, release: (tx: Tx) => Promise<void>): Sent {
    if (!(error instanceof SlackCallError)) {
      return { delivery: { kind: 'failed', error: String(error), final: false }, record: release };
    }
    const { retryAfterMs, code, message, transient } = error;
    if (retryAfterMs !== null) {
      const record = async (tx: Tx): Promise<void> => {
        // In the order in which a turn locks them.
        await release(tx);
        await this.pace.hold(tx, pacedCall(about, held), retryAfterMs);
      };
      return { delivery: { kind: 'later', delayMs: retryAfterMs }, record };
    }
    if (held.posted !== null && code === 'message_not_found') {
      return {
        delivery: BUSY,
        record: (tx) => this.messages.lost(tx, held.id),
      };
    }
    return { delivery: { kind: 'failed', error: message, final: !transient }, record: release };
  }
}

const digestOf = (content: SlackContent): string => createHash('sha256').update(JSON.stringify(content)).digest('hex');

/** Whether nobody has tried to post the message. */
const isFirst = (taken: HeldMessage | WaitingPost): boolean =>
  'delayMs' in taken || (taken.posted === null && taken.triedAt === null);

const withoutThread = ({ waitedMs }: WaitingReply): Delivery =>
  waitedMs < THREAD_MS
    ? BUSY
    : { kind: 'failed', error: 'The message that begins the thread of this reply is not in Slack.', final: false };

const postOf = ({ target, threadOf }: MessageAbout): PacedCall => ({
  kind: threadOf === null ? 'message' : 'reply',
  target,
});

const pacedCall = (about: MessageAbout, { posted }: HeldMessage): PacedCall =>
  posted === null ? postOf(about) : { kind: 'edit', target: about.target };
