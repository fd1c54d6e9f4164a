import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { SessionMessage } from '#lib/api-schemas';
import { WakeSignal } from '../http/index.js';
import { SessionConnection, type SocketLimits } from './session-connection.js';

type Sent = (error?: Error) => void;

/** A client that takes messages only when told to. It has the members of a WebSocket that a connection uses, hence the casts. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly sent: { readonly text: string; readonly done: Sent }[] = [];
  pings = 0;
  closing: readonly [number, string] | null = null;
  terminated = false;

  send(text: string, done: Sent): void {
    this.sent.push({ text, done });
    this.emit('sent');
  }

  ping(): void {
    this.pings += 1;
  }

  close(code: number, reason: string): void {
    this.closing ??= [code, reason];
    this.readyState = 2;
    this.emit('closing');
  }

  terminate(): void {
    this.terminated = true;
    this.emit('terminated');
  }
}

const NEVER_MS = 60_000;
const PATIENT: SocketLimits = { pingMs: NEVER_MS, drainMs: NEVER_MS, lookAgainMs: NEVER_MS, waiting: 2 };

const error: SessionMessage = {
  v: 1,
  type: 'error',
  sessionId: '00000000-0000-7000-8000-000000000000',
  error: 'REFUSED',
  code: 'x.y',
  message: 'No.',
  action: 'Stop.',
};

function connected(limits: Partial<SocketLimits>, messages: readonly SessionMessage[] = []) {
  const socket = new FakeSocket();
  const gone = new AbortController();
  const received: string[] = [];
  const errors: unknown[] = [];
  const answers: ((answer: SessionMessage | null) => void)[] = [];
  const connection = new SessionConnection({
    socket: socket as unknown as WebSocket,
    feed: {
      async *unsent() {
        await Promise.resolve();
        yield* messages;
      },
    },
    wakeSignal: new WakeSignal(gone.signal),
    over: gone.signal,
    limits: { ...PATIENT, ...limits },
    receive: (text) => {
      received.push(text);
      return new Promise((resolve) => answers.push(resolve));
    },
    onError: (caught) => errors.push(caught),
  });
  const done = connection.follow(false);
  const leave = async (): Promise<void> => {
    gone.abort();
    await done;
  };
  return { socket, received, answers, errors, leave, done };
}

const until = (socket: FakeSocket, event: string): Promise<unknown> =>
  new Promise((resolve) => socket.once(event, resolve));

describe('a client of a session', () => {
  it('is sent a message only once the one before has left', async () => {
    const { socket, leave } = connected({}, [error, error]);
    await until(socket, 'sent');
    expect(socket.sent).toHaveLength(1);
    const second = until(socket, 'sent');
    socket.sent[0]?.done();
    await second;
    expect(socket.sent).toHaveLength(2);
    socket.sent[1]?.done();
    await leave();
  });

  it('is dropped with a code if it takes no message for too long, and that is no error', async () => {
    const { socket, errors, done } = connected({ drainMs: 5 }, [error]);
    await done;
    expect(socket.closing).toEqual([1013, 'session.too_slow']);
    expect(errors).toEqual([]);
  });

  it('is gone if it does not answer a ping until the next one', async () => {
    const { socket, leave } = connected({ pingMs: 5 });
    await until(socket, 'terminated');
    expect(socket.pings).toBe(1);
    await leave();
  });

  it('stays while it answers pings', async () => {
    const { socket, leave } = connected({ pingMs: 2 });
    const often = new Promise<void>((resolve) => {
      socket.ping = () => {
        socket.pings += 1;
        socket.emit('pong');
        if (socket.pings === 3) resolve();
      };
    });
    await often;
    expect(socket.terminated).toBe(false);
    await leave();
  });

  it('has its messages carried out one after another, and is closed if it floods', async () => {
    const { socket, received, answers, leave } = connected({ waiting: 2 });
    for (const text of ['one', 'two']) socket.emit('message', Buffer.from(text));
    await Promise.resolve();
    expect(received).toEqual(['one']);
    const answered = until(socket, 'sent');
    answers[0]?.(error);
    await answered;
    expect(JSON.parse(socket.sent[0]?.text ?? '')).toEqual(error);
    socket.sent[0]?.done();
    expect(socket.closing).toBeNull();
    socket.emit('message', Buffer.from('three'));
    expect(socket.closing).toEqual([1008, 'session.too_many_messages']);
    await leave();
  });

  it('is closed, for it to come again, if its session cannot be read', async () => {
    const socket = new FakeSocket();
    const errors: unknown[] = [];
    const gone = new AbortController();
    await new SessionConnection({
      socket: socket as unknown as WebSocket,
      feed: {
        // oxlint-disable-next-line require-yield -- it fails before it has anything to say
        async *unsent(): AsyncGenerator<SessionMessage> {
          await Promise.resolve();
          throw new Error('the database is away');
        },
      },
      wakeSignal: new WakeSignal(gone.signal),
      over: gone.signal,
      limits: PATIENT,
      receive: () => Promise.resolve(null),
      onError: (caught) => errors.push(caught),
    }).follow(false);
    expect(socket.closing).toEqual([1001, 'internal.unexpected']);
    expect(errors).toHaveLength(1);
  });
});
