import type { PersonId, Tx } from '#lib/kernel';
import type { OutboxEntry, Recipients } from '../../application/delivery.ports.js';
import type { ReadContent } from '../../application/read-content.js';
import { MailChannel } from './mail-channel.js';
import type { Mailer } from './mail.ports.js';

const TX = {} as Tx;
const ADA = '01a2b3c4-0000-7000-8000-00000000000a' as PersonId;
const RECIPIENTS: Recipients = {
  shared: { environment: 'production', showing: ['subject'] },
  onDuty: [],
  groups: [{ people: [ADA], alone: 'subject', inConversation: null, kind: 'requests' }],
  addresses: ['ops@example.com'],
};

const channel = (mailer: Mailer | null): MailChannel =>
  new MailChannel({} as never, {} as never, mailer, 'https://countersign.example');

describe('the mail channel', () => {
  it('has a destination for each person who is told alone, and for each named address', async () => {
    const mailer: Mailer = { send: () => Promise.resolve({ kind: 'delivered' }) };
    expect(channel(mailer).missing).toBeUndefined();
    expect(await channel(mailer).destinations(TX, RECIPIENTS)).toEqual([
      { to: { channel: 'email', address: ADA, showing: 'subject' }, ifWanted: { by: ADA, kind: 'requests' } },
      { to: { channel: 'email', address: 'ops@example.com', showing: 'subject' } },
    ]);
  });

  it('has no destination without a mail server, and settles mails that were written before', async () => {
    const without = channel(null);
    expect(without.missing).toBe('a mail server');
    expect(await without.destinations(TX, RECIPIENTS)).toEqual([]);
    expect(await without.reached(TX, [ADA])).toEqual([]);
    const written = { channel: 'email', address: ADA, showing: 'subject' as const };
    expect(await without.prepare(TX, {} as OutboxEntry, written)).toEqual({ kind: 'delivered' });
  });

  it('waits without an attempt for a line that is about to come', async () => {
    const mailer: Mailer = { send: () => Promise.reject(new Error('nothing is sent')) };
    const contents = { awaits: () => Promise.resolve(true) } as unknown as ReadContent;
    const waiting = new MailChannel(contents, {} as never, mailer, 'https://countersign.example');
    const to = { channel: 'email', address: ADA, showing: 'subject' as const };
    expect(await waiting.prepare(TX, {} as OutboxEntry, to)).toEqual({ kind: 'later', delayMs: 2_000 });
  });
});
