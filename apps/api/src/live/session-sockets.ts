import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { SESSION_CLOSES } from '#lib/api-schemas';
import type { EntryCursor } from '#lib/audit';
import type { Database } from '#lib/database';
import type { Principal } from '#lib/kernel';
import type { Session } from '#lib/session';
import { Callers, DATABASE, WakeSignal, type Upgrade } from '../http/index.js';
import { CallOutputs } from '../policy/call-outputs.js';
import { CallOutputFeed } from './call-output-feed.js';
import { SessionCommands } from './session-commands.js';
import { SessionConnection, type SocketLimits } from './session-connection.js';
import { SessionFeed } from './session-feed.js';
import { SessionMessages } from './session-messages.js';

const CHANNEL = 'countersign_change';
/** The largest message that a client may send. */
const MAX_BYTES = 16_384;
const LIMITS: SocketLimits = { pingMs: 15_000, drainMs: 10_000, lookAgainMs: 5_000, waiting: 16 };

/** The sockets of sessions (RFC 6455). Each is told of its session by any process, and goes on in another one with its cursor. */
@Injectable()
export class SessionSockets implements OnModuleDestroy {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_BYTES, perMessageDeflate: false });
  readonly #logger = new Logger('SessionSockets');

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly callers: Callers,
    private readonly messages: SessionMessages,
    private readonly commands: SessionCommands,
    private readonly outputs: CallOutputs,
  ) {}

  onModuleDestroy(): void {
    for (const socket of this.#server.clients) {
      socket.close(SESSION_CLOSES.goingAway, 'server.stopping');
      // The peer's answer is not waited for: it would hold up the server that is closing.
      setImmediate(() => {
        socket.terminate();
      });
    }
    this.#server.close();
  }

  /** @param leave is called once the client has gone. */
  open(
    request: FastifyRequest,
    { socket, head }: Upgrade,
    {
      by,
      session,
      after,
      leave,
    }: {
      readonly by: Principal;
      readonly session: Session;
      readonly after: EntryCursor | null;
      readonly leave: () => void;
    },
  ): void {
    socket.once('close', leave);
    this.#server.handleUpgrade(request.raw, socket, head, (client) => {
      void this.#follow(client, request, by, session, after);
    });
  }

  async #follow(
    client: WebSocket,
    request: FastifyRequest,
    by: Principal,
    session: Session,
    after: EntryCursor | null,
  ): Promise<void> {
    const { id, state } = session;
    const gone = new AbortController();
    client.once('close', () => {
      gone.abort();
    });
    // A message that breaks the protocol closes the socket by itself.
    client.on('error', () => undefined);
    const over = this.callers.whileLetIn(request, gone.signal);
    over.addEventListener('abort', () => {
      if (!gone.signal.aborted) client.close(SESSION_CLOSES.signedOut, 'credential.not_good');
    });
    const wakeSignal = new WakeSignal(over);
    const about = `${by.tenantId}:session:${id}:`;
    const output = new CallOutputFeed(this.outputs, by, id);
    const isOutput = (payload: string): boolean => {
      const [tenant, kind, call = ''] = payload.split(':');
      return tenant === by.tenantId && kind === 'tool_call_output' && output.has(call);
    };
    const stop = this.database.notifications.subscribe(CHANNEL, (payload) => {
      if (payload === null || payload.startsWith(about) || isOutput(payload)) wakeSignal.wake();
    });
    const connection = new SessionConnection({
      socket: client,
      feed: new SessionFeed(this.messages, by, session, output, after),
      wakeSignal,
      over,
      limits: LIMITS,
      receive: (text) => this.commands.execute(request, id, text),
      onError: (error) => {
        this.#logger.error(error);
      },
    });
    await connection.follow(state === 'ended');
    stop();
  }
}
