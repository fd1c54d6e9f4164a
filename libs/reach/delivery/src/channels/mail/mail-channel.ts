import { z } from 'zod';
import { isUuid, newId, type PersonId, type TenantId, type Tx } from '#lib/kernel';
import type {
  RecipientDirectory,
  Channel,
  Delivery,
  NamedAddresses,
  AttemptedEntry,
  Reachable,
  Recipients,
  Sent,
} from '../../application/delivery.ports.js';
import type { ReadContent } from '../../application/read-content.js';
import type { Destination } from '../../domain/destination.js';
import type { RequestMessage } from '../../domain/request-message.js';
import { noticeContent } from '../../domain/notice.js';
import { testMessage } from '../../domain/test-message.js';
import type { Mailer } from './mail.ports.js';
import { renderMail } from './render-mail.js';

/** A mail that waits for its last line looks for it so often. */
const AWAITED_MS = 2_000;

const MAIL_ADDRESS = z.email().max(254);

/**
 * Mail to a person, or to an address that a document of the tenant names. An installation without a mail server has no such
 * destinations. Mails that it wrote while it had one count as delivered.
 */
export class MailChannel implements Channel {
  readonly name = 'email';
  readonly title = 'e-mail';
  /** The id of a person, or a mail address. */
  readonly address = /^([0-9a-f-]{36}|[^\s@]+@[^\s@]+)$/;
  readonly chosen = true;
  readonly edits = false;
  readonly named: NamedAddresses = {
    form: 'a mail address (security@example.com)',
    accepts: (address) => MAIL_ADDRESS.safeParse(address).success,
    test: (_tenantId: TenantId, address) => this.#test(address),
  };

  constructor(
    private readonly contents: ReadContent,
    private readonly directory: RecipientDirectory,
    private readonly mailer: Mailer | null,
    private readonly publicUrl: string,
  ) {}

  get missing(): string | undefined {
    return this.mailer === null ? 'a mail server' : undefined;
  }

  destinations(_tx: Tx, { groups, addresses }: Recipients): Promise<readonly Reachable[]> {
    if (this.mailer === null) return Promise.resolve([]);
    return Promise.resolve([
      ...groups.flatMap(({ people, alone, kind }) =>
        alone === null
          ? []
          : people.map((id) => ({
              to: { channel: this.name, address: id, showing: alone },
              ...(kind === null ? {} : { ifWanted: { by: id, kind } }),
            })),
      ),
      ...addresses.map((address) => ({ to: { channel: this.name, address, showing: 'subject' as const } })),
    ]);
  }

  reached(_tx: Tx, people: readonly PersonId[]): Promise<readonly PersonId[]> {
    return Promise.resolve(this.mailer === null ? [] : people);
  }

  async prepare(
    tx: Tx,
    entry: AttemptedEntry,
    to: Destination,
    known?: RequestMessage | null,
  ): Promise<Delivery | (() => Promise<Sent>)> {
    const { mailer } = this;
    if (mailer === null) return { kind: 'delivered' };
    if (await this.contents.awaits(tx, entry)) return { kind: 'later', delayMs: AWAITED_MS };
    const [address, content] = [
      await this.#addressOf(tx, to.address),
      await this.contents.execute(tx, entry, to, known),
    ];
    if (address === null || content === null) return { kind: 'delivered' };
    const mail = { to: address, ...renderMail(content), messageId: entry.id };
    return async () => ({ delivery: await mailer.send(mail) });
  }

  async #addressOf(tx: Tx, address: string): Promise<string | null> {
    if (!isUuid(address)) return address;
    // It has the form of an id. Only a person is found by it.
    const [person] = await this.directory.people(tx, [address as PersonId]);
    return person?.email ?? null;
  }

  async #test(to: string): Promise<string | null> {
    if (this.mailer === null) return 'This installation has no mail server: the operator sets COUNTERSIGN_SMTP_URL.';
    const mail = renderMail(noticeContent(testMessage(this.publicUrl)));
    const sent = await this.mailer.send({ to, ...mail, messageId: newId() });
    if (sent.kind === 'delivered') return null;
    return sent.kind === 'failed' ? sent.error : 'The mail server asked to wait.';
  }
}
