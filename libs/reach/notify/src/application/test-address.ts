import { setTimeout as delay } from 'node:timers/promises';
import { newId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { renderMail } from '../domain/render-mail.js';
import { renderNotice } from '../domain/render-replies.js';
import { SlackCallError, type Mailer, type SlackApi, type SlackInstallations } from './notify.ports.js';

/** So long a test waits for its turn in a channel, if Slack asks for it; other messages may go there, too. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Sends one test message to a Slack channel or a mail address at once, past the outbox: the caller learns whether the
 * address took it.
 */
export class TestAddress {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly installations: SlackInstallations,
    private readonly slack: SlackApi,
    private readonly mailer: Mailer | null,
    private readonly publicUrl: string,
  ) {}

  /** @returns why the message failed, in words for an admin; null if the address took it. */
  test(tenantId: TenantId, address: string): Promise<string | null> {
    return address.includes('@') ? this.#mail(address) : this.#slack(tenantId, address);
  }

  async #mail(address: string): Promise<string | null> {
    if (this.mailer === null) return 'This installation has no mail server: the operator sets COUNTERSIGN_SMTP_URL.';
    const sent = await this.mailer.send({
      to: address,
      ...renderMail(this.#message(), this.publicUrl),
      messageId: newId(),
    });
    if (sent.kind === 'delivered') return null;
    return sent.kind === 'failed' ? sent.error : 'The mail server asked to wait.';
  }

  async #slack(tenantId: TenantId, channel: string): Promise<string | null> {
    const workspace = await this.uow.run(tenantId, (tx) => this.installations.workspace(tx));
    if (workspace === null) return 'Slack is not connected: an admin connects it under Settings, Slack.';
    const message = { channel, threadTs: null, content: this.#message(), id: newId() };
    const post = (): Promise<SlackCallError | null> =>
      this.slack.post(workspace.botToken, message).then(
        () => null,
        (error: unknown) => {
          if (error instanceof SlackCallError) return error;
          throw error;
        },
      );
    const refused = await post();
    const waitMs = refused?.retryAfterMs ?? Infinity;
    if (waitMs > LONGEST_WAIT_MS) return refused?.message ?? null;
    await delay(waitMs);
    return (await post())?.message ?? null;
  }

  #message() {
    return renderNotice({
      title: 'Test message: break-glass incidents are told here',
      lines: ['An admin lists this address as a destination of incidents.', 'You have nothing to do.'],
      done: null,
      words: null,
      url: this.publicUrl,
    });
  }
}
