import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';

/** A message of the server. */
type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** Shorter than the limit of a test. */
const PATIENCE_MS = 50_000;

/** A raw client of a session's socket, with everything that it was sent, in order. */
export class SocketClient {
  readonly seen: Message[] = [];
  #read = 0;
  #ring: () => void = () => undefined;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.seen.push(JSON.parse(data.toString('utf8')) as Message);
      this.#ring();
    });
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString('utf8') });
        this.#ring();
      });
    });
  }

  /** @param url with http in place of ws. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<SocketClient> {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    const client = new SocketClient(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  /** The refusal in HTTP: its status, and the code of its problem document. */
  static refusal(url: string, headers: Readonly<Record<string, string>>): Promise<[number | undefined, string]> {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    return new Promise((resolve, reject) => {
      socket.once('open', () => {
        reject(new Error('the socket was opened'));
      });
      socket.once('error', reject);
      socket.once('unexpected-response', (_request: unknown, response: IncomingMessage) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const problem = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { code: string };
          resolve([response.statusCode, problem.code]);
        });
      });
    });
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message that was not read yet and is of this type; those before it are passed over. */
  async next(type: string): Promise<Message> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = this.seen.findIndex((each, index) => index >= this.#read && each.type === type);
      const message = this.seen[found];
      if (message !== undefined) {
        this.#read = found + 1;
        return message;
      }
      if (late.aborted || this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`no ${type} came: ${JSON.stringify(this.seen.slice(this.#read))}`);
      await new Promise<void>((resolve) => {
        this.#ring = resolve;
        late.addEventListener('abort', () => {
          resolve();
        });
      });
    }
  }

  close(): void {
    this.socket.terminate();
  }
}
