import { createHash } from 'node:crypto';
import type { Delivery, Sending, Sent } from '#lib/delivery';
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
  type WaitingReply,
} from './slack.ports.js';

/** After it another worker may take the message of one that died. A worker that still sends has it renewed. */
const LEASE_MS = 15_000;
/** The first renewal comes within this time. */
const UNTIL_RENEWED_MS = 6_000;
const BUSY: Delivery = { kind: 'later', delayMs: 500 };
const NOT_INSTALLED: Delivery = { kind: 'failed', error: 'Slack is not installed.', final: true };
/** Slack's clock and ours may differ. */
const LOOK_BACK_MS = 300_000;
/** A reply waits at most this long for the message that begins its thread. After it each attempt is a failure. */
const THREAD_MS = 600_000;

/** Renders content that was read, with the parts that depend on the workspace; null if there is nothing to show. */
export type Rendering = ((workspace: SlackWorkspace) => SlackContent) | null;

/** A message that this worker brings up to date, and how it keeps the lease and gives it back. */
interface Leased {
  readonly held: HeldMessage;
  /** Whether no other worker takes the message before the first renewal. */
  readonly isHeld: () => boolean;
  readonly renew: (tx: Tx) => void;
  readonly release: (tx: Tx) => Promise<void>;
}

/** `ts` is null if the message is not in Slack yet. */
interface Address {
  readonly channel: string;
  readonly threadTs: string | null;
  readonly ts: string | null;
}

/**
 * Brings a message in Slack up to date: posts it, or edits it if it is there. One worker at a time does so, at Slack's
 * pace. The transaction that takes the message marks it as possibly posted, so a crash cannot post it twice. The next
 * worker looks for it by its metadata first.
 */
export class PutSlackMessage {
  constructor(
    private readonly installations: Pick<SlackInstallations, 'workspace'>,
    private readonly messages: SlackMessages,
    private readonly pace: SlackPace,
    private readonly slack: SlackApi,
  ) {}

  /**
   * Takes the message and reads its content, in one transaction.
   *
   * @param read reads the content. Its statements follow the lock of the message, so no later change is missed.
   * @returns how to send it, or the result if there is nothing to send now.
   */
  async prepare(tx: Tx, about: MessageAbout, read: () => Promise<Rendering>): Promise<Delivery | Sending> {
    const [{ workspace, taken, ...lease }, render] = await Promise.all([this.#take(tx, about), read()]);
    if (workspace === null) return NOT_INSTALLED;
    if (taken === 'busy') return BUSY;
    if ('waitedMs' in taken) return withoutThread(taken);
    if ('delayMs' in taken) return render === null ? { kind: 'delivered' } : { kind: 'later', delayMs: taken.delayMs };
    if (taken.posted !== null) return this.#edit(tx, { about, workspace, render }, { held: taken, ...lease });
    const held = taken;
    if (render !== null)
      return (renewing) => this.#send(workspace, about, { held, ...lease }, () => render(workspace), renewing);
    await lease.release(tx);
    return { kind: 'delivered' };
  }

  /**
   * Everything of it travels together: an approver waits for the message. The turn is taken before it is known whether there is
   * anything to post. If there is not, the next post to the channel waits a second for nothing.
   */
  async #take(tx: Tx, about: MessageAbout) {
    let leasedUntil = performance.now() + LEASE_MS;
    const [workspace, taken] = await Promise.all([
      this.installations.workspace(tx),
      this.messages.take(tx, about, LEASE_MS),
    ]);
    // After its end the lease may be another worker's.
    const release = async (later: Tx): Promise<void> => {
      if (typeof taken === 'object' && 'id' in taken && performance.now() < leasedUntil)
        await this.messages.release(later, taken.id);
    };
    const renew = (later: Tx): void => {
      if (typeof taken !== 'object' || !('id' in taken) || performance.now() >= leasedUntil) return;
      leasedUntil = performance.now() + LEASE_MS;
      this.messages.lease(later, taken.id, LEASE_MS);
    };
    const isHeld = (): boolean => performance.now() < leasedUntil - UNTIL_RENEWED_MS;
    return { workspace, taken, isHeld, renew, release };
  }

  async #edit(
    tx: Tx,
    {
      about,
      workspace,
      render,
    }: { readonly about: MessageAbout; readonly workspace: SlackWorkspace; readonly render: Rendering },
    leased: Leased,
  ): Promise<Delivery | Sending> {
    const { held } = leased;
    const content = render?.(workspace);
    if (content === undefined || held.renderedDigest === digestOf(content)) return { kind: 'delivered' };
    const delayMs = await this.pace.take(tx, pacedCall(about, held));
    if (delayMs > 0) return { kind: 'later', delayMs };
    this.messages.lease(tx, held.id, LEASE_MS);
    return (renewing) => this.#send(workspace, about, leased, () => content, renewing);
  }

  async #send(
    workspace: SlackWorkspace,
    about: MessageAbout,
    { held, isHeld, renew, release }: Leased,
    render: () => SlackContent,
    renewing: Parameters<Sending>[0],
  ): Promise<Sent> {
    renewing(renew);
    try {
      const content = render();
      const address = await this.#addressOf(workspace, about, held);
      // The commit or an answer of Slack came late: another worker may take the message before the next renewal.
      if (!isHeld()) return { delivery: BUSY, record: release };
      const at = await this.#put(workspace, address, held.id, content);
      return {
        delivery: { kind: 'delivered' },
        record: (tx) => this.messages.posted(tx, held.id, at, digestOf(content)),
        release,
      };
    } catch (error) {
      return { ...this.#refused(about, held, error, release), release };
    }
  }

  /** The channel and thread of the message, with its `ts` if it is there. A message that was possibly posted is looked for. */
  async #addressOf({ botToken }: SlackWorkspace, about: MessageAbout, held: HeldMessage): Promise<Address> {
    if (held.posted !== null) return { ...held.posted, threadTs: null };
    const channel =
      held.thread?.channel ??
      (/^[UW]/.test(about.target) ? await this.slack.openDirect(botToken, about.target) : about.target);
    const threadTs = held.thread?.ts ?? null;
    if (held.triedAt === null) return { channel, threadTs, ts: null };
    const since = held.triedAt - LOOK_BACK_MS;
    return { channel, threadTs, ts: await this.slack.findOwn(botToken, { channel, threadTs, since }, held.id) };
  }

  async #put(
    { botToken }: SlackWorkspace,
    { channel, threadTs, ts }: Address,
    id: string,
    content: SlackContent,
  ): Promise<{ readonly channel: string; readonly ts: string }> {
    if (ts === null) return this.slack.post(botToken, { channel, threadTs, content, id });
    await this.slack.update(botToken, { channel, ts }, content, id);
    return { channel, ts };
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
