import type { WebSocket } from 'ws';
import { SESSION_CLOSES, type SessionMessage } from '#lib/api-schemas';
import type { WakeSignal } from '../http/index.js';
import type { SessionFeed } from './session-feed.js';

/** Times in milliseconds, and how much a client may leave waiting. */
export interface SocketLimits {
  /** The time between two questions whether a client is still there. A client that does not answer until then is gone. */
  readonly pingMs: number;
  /** A client that takes no message for so long is too slow. */
  readonly drainMs: number;
  /** Entries are looked for at least so often: notifications are hints. */
  readonly lookAgainMs: number;
  /** Messages of the client that wait for their turn. */
  readonly waiting: number;
}

interface ConnectionParts {
  readonly socket: WebSocket;
  readonly feed: Pick<SessionFeed, 'unsent'>;
  readonly wakeSignal: WakeSignal;
  /** Aborts once the client has gone, or would no longer be let in. */
  readonly over: AbortSignal;
  readonly limits: SocketLimits;
  /** Carries a message of the client out. @returns the answer, if there is one. */
  readonly receive: (text: string) => Promise<SessionMessage | null>;
  readonly onError: (error: unknown) => void;
}

/** One client of a session. It is sent one message after another, each once the one before has left. */
export class SessionConnection {
  #waiting = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ConnectionParts) {}

  /** Until the session has ended, or the client is gone. */
  async follow(ended: boolean): Promise<void> {
    const { socket, feed, wakeSignal, over, limits } = this.parts;
    const stopPinging = this.#ping();
    socket.on('message', (data: Buffer) => {
      this.#take(data.toString('utf8'));
    });
    try {
      let last = ended;
      while (!over.aborted) {
        for await (const message of feed.unsent()) {
          await this.#send(message);
          last ||= message.type === 'session_ended';
        }
        if (last) {
          socket.close(SESSION_CLOSES.ended, 'session.ended');
          return;
        }
        await wakeSignal.wait(limits.lookAgainMs);
      }
    } catch (error) {
      if (socket.readyState === socket.OPEN) {
        this.parts.onError(error);
        socket.close(SESSION_CLOSES.goingAway, 'internal.unexpected');
      }
    } finally {
      stopPinging();
    }
  }

  #ping(): () => void {
    const { socket, limits } = this.parts;
    let answered = true;
    socket.on('pong', () => {
      answered = true;
    });
    const timer = setInterval(() => {
      if (!answered) {
        socket.terminate();
        return;
      }
      answered = false;
      socket.ping();
    }, limits.pingMs);
    return () => {
      clearInterval(timer);
    };
  }

  /** One message of the client after another; a flood of them ends the connection. */
  #take(text: string): void {
    const { socket, limits, receive, onError } = this.parts;
    if (this.#waiting >= limits.waiting) {
      socket.close(SESSION_CLOSES.tooManyMessages, 'session.too_many_messages');
      return;
    }
    this.#waiting += 1;
    this.#turn = this.#turn
      .then(async () => {
        const answer = socket.readyState === socket.OPEN ? await receive(text) : null;
        if (answer !== null) await this.#send(answer);
      })
      .catch((error: unknown) => {
        if (socket.readyState === socket.OPEN) onError(error);
      })
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** Waits until the message has left this process. @throws {Error} if the client is gone or too slow. */
  #send(message: SessionMessage): Promise<void> {
    const { socket, limits } = this.parts;
    return new Promise((resolve, reject) => {
      const slow = setTimeout(() => {
        socket.close(SESSION_CLOSES.tooSlow, 'session.too_slow');
        reject(new Error('the client is too slow'));
      }, limits.drainMs);
      socket.send(JSON.stringify(message), (error) => {
        clearTimeout(slow);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
