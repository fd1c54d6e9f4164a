import type { Transporter } from 'nodemailer';
import type { Delivery } from '../../application/delivery.ports.js';
import type { Mail, Mailer } from './mail.ports.js';

const WITHIN_MS = 15_000;

/** An SMTP server: `smtp://user:password@host:587` or `smtps://…`. The first mail loads nodemailer. */
export class SmtpMailer implements Mailer {
  #transport: Transporter | undefined;

  /** @param from the sender of the mails. */
  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {}

  async send({ to, subject, text, html, messageId }: Mail): Promise<Delivery> {
    try {
      this.#transport ??= await this.#open();
      await this.#transport.sendMail({
        from: this.from,
        // An object: nodemailer would read several addresses from a text.
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
      // No message names a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}

const codeOf = (error: unknown): number | null =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null;

/** Whether the server refused for good (RFC 5321, 4.2.1). An operator can fix a refused sign-in. */
function isFinal(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && code >= 500 && code !== 535 && code !== 530;
}

/** The reason without the server's own text, which may repeat addresses and credentials. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const kind = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return code === null ? `SMTP: ${kind}` : `SMTP: ${kind}, the server answered ${String(code)}`;
}
