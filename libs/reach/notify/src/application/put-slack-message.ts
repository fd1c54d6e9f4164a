import { createHash } from 'node:crypto';
import type { TenantId, UnitOfWork } from '#lib/kernel';
import type { SlackContent } from '../domain/block-kit.js';
import {
  SlackCallError,
  type Delivery,
  type HeldMessage,
  type PacedCall,
  type SlackApi,
  type SlackInstallations,
  type SlackMessages,
  type SlackPace,
  type SlackWorkspace,
} from './notify.ports.js';

/** Longer than a call to Slack may take; a worker that died gives the message free after it. */
const LEASE_MS = 60_000;
const BUSY_MS = 500;
/** Slack's clock and ours may differ. */
const LOOK_BACK_MS = 300_000;

/** Which message, where, and in whose thread. */
export interface MessageAbout {
  /** What it shows: one message for each subject in each place. */
  readonly subject: string;
  /** A channel, or a user for a direct message. */
  readonly target: string;
  /** The subject in whose thread it stands; null for one that stands alone. */
  readonly threadOf: string | null;
}

/**
 * Brings one message in Slack to what it has to show: posted where it is not there yet, changed in place where it is. One
 * worker at a time, at the pace that Slack allows. Before anything is posted a second time it is looked for: what a crash
 * left behind is found by its metadata and never doubled.
 */
export class PutSlackMessage {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly installations: SlackInstallations,
    private readonly messages: SlackMessages,
    private readonly pace: SlackPace,
    private readonly slack: SlackApi,
  ) {}

  /** @param render reads what is to be shown, while nobody else brings the message up to date; null shows nothing. */
  async execute(
    tenantId: TenantId,
    about: MessageAbout,
    render: (workspace: SlackWorkspace) => Promise<SlackContent | null>,
  ): Promise<Delivery> {
    const { workspace, held } = await this.uow.run(tenantId, async (tx) => {
      const found = await this.installations.workspace(tx);
      return { workspace: found, held: found === null ? 'busy' : await this.messages.hold(tx, about, LEASE_MS) };
    });
    if (workspace === null) return { kind: 'failed', error: 'Slack is not installed.', final: true };
    if (held === 'busy') return { kind: 'later', delayMs: BUSY_MS };
    let posted = false;
    try {
      const content = await render(workspace);
      if (content === null) return { kind: 'delivered' };
      const brought = await this.#bring(workspace, about, held, content);
      posted = brought.kind === 'posted';
      return brought.kind === 'posted' ? { kind: 'delivered' } : brought;
    } finally {
      // Writing down where it was posted has let go of it already.
      if (!posted) await this.uow.run(tenantId, (tx) => this.messages.release(tx, held.id));
    }
  }

  async #bring(
    workspace: SlackWorkspace,
    about: MessageAbout,
    held: HeldMessage,
    content: SlackContent,
  ): Promise<Delivery | { readonly kind: 'posted' }> {
    const { tenantId } = workspace;
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    if (held.posted !== null && held.renderedDigest === digest) return { kind: 'delivered' };
    const first = held.posted === null && held.triedAt === null;
    const wait = await this.uow.run(tenantId, async (tx) => {
      const ms = await this.pace.take(tx, pacedCall(about, held));
      // From now on it may be there: said before it is posted.
      if (ms === 0 && first) await this.messages.trying(tx, held.id);
      return ms;
    });
    if (wait > 0) return { kind: 'later', delayMs: wait };
    try {
      const at =
        held.posted === null
          ? await this.#post(workspace, about, held, content)
          : await this.#update(workspace, held.posted, held.id, content);
      await this.uow.run(tenantId, (tx) => this.messages.posted(tx, held.id, at, digest));
      return { kind: 'posted' };
    } catch (error) {
      if (!(error instanceof SlackCallError)) throw error;
      return this.#refused(workspace, about, held, error);
    }
  }

  async #post(
    workspace: SlackWorkspace,
    about: MessageAbout,
    held: HeldMessage,
    content: SlackContent,
  ): Promise<{ readonly channel: string; readonly ts: string }> {
    const { botToken } = workspace;
    const channel =
      held.thread?.channel ??
      (/^[UW]/.test(about.target) ? await this.slack.openDirect(botToken, about.target) : about.target);
    const threadTs = held.thread?.ts ?? null;
    if (held.triedAt !== null) {
      const since = held.triedAt - LOOK_BACK_MS;
      const ts = await this.slack.findOwn(botToken, { channel, threadTs, since }, held.id);
      if (ts !== null) return this.#update(workspace, { channel, ts }, held.id, content);
    }
    return this.slack.post(botToken, { channel, threadTs, content, id: held.id });
  }

  async #update(
    { botToken }: SlackWorkspace,
    at: { readonly channel: string; readonly ts: string },
    id: string,
    content: SlackContent,
  ): Promise<{ readonly channel: string; readonly ts: string }> {
    await this.slack.update(botToken, at, content, id);
    return at;
  }

  async #refused(
    { tenantId }: SlackWorkspace,
    about: MessageAbout,
    held: HeldMessage,
    error: SlackCallError,
  ): Promise<Delivery> {
    const { retryAfterMs } = error;
    if (retryAfterMs !== null) {
      await this.uow.run(tenantId, (tx) => this.pace.hold(tx, pacedCall(about, held), retryAfterMs));
      return { kind: 'later', delayMs: retryAfterMs };
    }
    if (held.posted !== null && error.code === 'message_not_found') {
      await this.uow.run(tenantId, (tx) => this.messages.lost(tx, held.id));
      return { kind: 'later', delayMs: BUSY_MS };
    }
    return { kind: 'failed', error: error.message, final: !error.transient };
  }
}

const pacedCall = ({ target, threadOf }: MessageAbout, { posted }: HeldMessage): PacedCall => ({
  kind: posted !== null ? 'edit' : threadOf === null ? 'message' : 'reply',
  target,
});
