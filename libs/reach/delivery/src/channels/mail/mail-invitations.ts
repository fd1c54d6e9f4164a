import type { InvitationMail, InvitationMailer } from '#lib/identity';
import { newId } from '#lib/kernel';
import { renderInvitationMail } from './render-mail.js';
import type { Mailer } from './mail.ports.js';

/** Mails the links of invitations at once: the outbox would store their secret. */
export class MailInvitations implements InvitationMailer {
  constructor(private readonly mailer: Mailer | null) {}

  get available(): boolean {
    return this.mailer !== null;
  }

  async send({ to, ...invitation }: InvitationMail): Promise<string | null> {
    if (this.mailer === null) return 'this installation has no mail server';
    const sent = await this.mailer.send({ to, ...renderInvitationMail(invitation), messageId: newId() });
    if (sent.kind === 'delivered') return null;
    return sent.kind === 'failed' ? sent.error : 'the mail server asked to wait';
  }
}
