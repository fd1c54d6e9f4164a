import type { Delivery } from '../../application/delivery.ports.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for each attempt, so that a mail program recognises a repetition. */
  readonly messageId: string;
}

export interface Mailer {
  send(mail: Mail): Promise<Delivery>;
}
