import type { Transporter } from 'nodemailer';
import type { Delivery, Mail, Mailer } from '../application/notify.ports.js';

const WITHIN_MS = 15_000;

/** Any SMTP server, by its address: `smtp://user:password@host:587` or `smtps://…`. Nodemailer is loaded with the first mail. */
export class SmtpMailer implements Mailer {
  #transport: Transporter | undefined;

  /** @param from whom mails are from. */
  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {}

  async send({ to, subject, text, html, messageId }: Mail): Promise<Delivery> {
    try {
      this.#transport ??= await this.#open();
      await this.#transport.sendMail({
        from: this.from,
        // As an object: an address is never read for more than one.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${messageId}@countersign>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { kind: 'delivered' };
    } catch (error) {
      return { kind: 'failed', error: reasonOf(error), final: isFinal(error) };
    }
  }

  async #open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: this.url,
      connectionTimeout: WITHIN_MS,
      greetingTimeout: WITHIN_MS,
      socketTimeout: WITHIN_MS,
      // Nothing of a message names a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

const codeOf = (error: unknown): number | null =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null;

/** The server refused for good (RFC 5321, 4.2.1), other than our sign-in, which an operator mends. */
function isFinal(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && code >= 500 && code !== 535 && code !== 530;
}

/** Without what the server says of its own: it may repeat addresses and credentials. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const kind = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return code === null ? `SMTP: ${kind}` : `SMTP: ${kind}, the server answered ${String(code)}`;
}
