import { on } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { SESSION_CLOSES, sessionMessageSchema, type SessionMessage } from '#lib/api-schemas';
import { CommandError, EXIT } from './exit-codes.js';
import type { ApiAccess } from './command-context.js';

const PAUSE_MS = 1_000;
const RETRIES = 30;

/** The messages of a session until its end. After a broken connection they go on from the last cursor. */
export async function* followSession({ baseUrl, token }: ApiAccess, id: string): AsyncGenerator<SessionMessage, void> {
  const told = new Set<string>();
  let cursor: string | undefined;
  for (let broken = 0; ; broken += 1) {
    const address = new URL(`/v1/sessions/${id}/ws`, baseUrl.replace(/^http/, 'ws'));
    if (cursor !== undefined) address.searchParams.set('cursor', cursor);
    const connection = connect(address, token);
    for await (const message of connection.messages) {
      broken = 0;
      if ('cursor' in message && message.cursor !== undefined) ({ cursor } = message);
      // The last minute comes again.
      if ('id' in message && told.has(message.id)) continue;
      if ('id' in message) told.add(message.id);
      yield message;
    }
    const code = await connection.closed;
    if (code === SESSION_CLOSES.ended) return;
    if (code === SESSION_CLOSES.signedOut) throw refused('Your credential is no longer good.', 'credential.revoked');
    if (broken >= RETRIES) throw unreachable;
    await delay(PAUSE_MS);
  }
}

function connect(address: URL, token: string) {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false });
  let refusal: CommandError | null = null;
  socket.on('unexpected-response', (_request: unknown, { statusCode = 0 }: IncomingMessage) => {
    if (statusCode < 500 && statusCode !== 429)
      refusal = refused(`Countersign refused the connection with ${String(statusCode)}.`, 'session.refused');
    socket.terminate();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve, reject) => {
    socket.once('close', (code) => {
      if (refusal === null) resolve(code);
      else reject(refusal);
    });
  });
  // Awaited once the messages are read.
  closed.catch(() => undefined);
  return { messages: messagesOf(socket), closed };
}

async function* messagesOf(socket: WebSocket): AsyncGenerator<SessionMessage, void> {
  try {
    // A socket gives the data of each message as a buffer.
    for await (const [data] of on(socket, 'message', { close: ['close'] }) as AsyncIterable<[Buffer]>) {
      const message = sessionMessageSchema.safeParse(JSON.parse(data.toString('utf8')));
      // A newer server may tell more than this program knows.
      if (message.success) yield message.data;
    }
  } finally {
    socket.close();
  }
}

const refused = (message: string, code: string): CommandError =>
  new CommandError(EXIT.refused, message, 'See `countersign session show` with the same credential.', [], code);

const unreachable = new CommandError(
  EXIT.unavailable,
  'The session cannot be followed: no connection lasts.',
  'See that Countersign runs, and that nothing between you and it refuses WebSockets.',
  [],
  'session.unreachable',
);
