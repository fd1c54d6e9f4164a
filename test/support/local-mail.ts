import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server of the tests' own. */
export interface LocalMail {
  /** The settings of an installation that uses it. */
  readonly config: { readonly url: string; readonly from: string };
  readonly mails: readonly { readonly to: string; readonly text: string }[];
  /** Drops all mails. */
  forget(): void;
  /** Answers so many recipients with "try later". */
  refuseNext(count: number): void;
  /** Takes no mail for an address, until `accept`. */
  refuse(address: string): void;
  accept(address: string): void;
  close(): Promise<void>;
}

/** Starts a mail server on loopback that keeps its mails. */
export async function localMail(): Promise<LocalMail> {
  const mails: { to: string; text: string }[] = [];
  const refused = new Set<string>();
  let refusals = 0;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      if (refused.has(address)) {
        done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
      } else if (refusals > 0) {
        refusals -= 1;
        done(Object.assign(new Error('try later'), { responseCode: 451 }));
      } else done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const [to] = session.envelope.rcptTo;
        mails.push({ to: to?.address ?? '', text: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  return {
    config: { url: `smtp://127.0.0.1:${String(port)}`, from: 'countersign@example.com' },
    mails,
    forget: () => {
      mails.length = 0;
    },
    refuseNext: (count) => {
      refusals = count;
    },
    refuse: (address) => refused.add(address),
    accept: (address) => refused.delete(address),
    close: () =>
      new Promise<void>((resolve) => {
        smtp.close(() => {
          resolve();
        });
      }),
  };
}
