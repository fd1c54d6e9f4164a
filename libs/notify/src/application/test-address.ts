import { newId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { renderMail } from '../domain/render-mail.js';
import { renderNotice } from '../domain/render-replies.js';
import { SlackCallError, type Mailer, type SlackApi, type SlackInstallations } from './notify.ports.js';

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
    try {
      await this.slack.post(workspace.botToken, { channel, threadTs: null, content: this.#message(), id: newId() });
      return null;
    } catch (error) {
      if (error instanceof SlackCallError) return error.message;
      throw error;
    }
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
