import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { LiveEvent } from '#lib/api-schemas';
import type { Database } from '#lib/database';
import type { TenantId } from '#lib/kernel';
import { Callers, DATABASE, untilGone } from '../http/index.js';

/** Written by the triggers of `countersign_live`: tenant, kind of thing, id, new state. */
const CHANNEL = 'countersign_change';
const KEEP_ALIVE_MS = 15_000;
/** A stream ends after this long; clients connect again by themselves. */
const LONGEST_MS = 15 * 60_000;
/** A stream ends if its client leaves more than this unread. The client connects again, and reads everything again. */
const MAX_UNREAD_BYTES = 262_144;

type Listener = (event: LiveEvent | null) => void;

/** Tells the browsers of a tenant about changes by any process (WHATWG HTML, server-sent events). */
@Injectable()
export class LiveEventStreams implements OnModuleDestroy {
  readonly #closing = new AbortController();
  readonly #listeners = new Map<string, Set<Listener>>();
  #stop: (() => void) | null = null;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly callers: Callers,
  ) {}

  onModuleDestroy(): void {
    this.#closing.abort();
    this.#stop?.();
  }

  /** Until the client has gone or would no longer be let in, or the stream has lasted its longest. */
  send({ raw: response, request }: FastifyReply, tenantId: TenantId): void {
    const over = this.callers.whileLetIn(
      request,
      AbortSignal.any([untilGone(response), this.#closing.signal, AbortSignal.timeout(LONGEST_MS)]),
    );
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Nothing else comes over this connection: it must not keep a server that is closing waiting.
      connection: 'close',
    });
    if (over.aborted) {
      response.end();
      return;
    }
    response.write('retry: 1000\n\n');
    const write = (text: string): void => {
      if (response.writableEnded) return;
      if (response.writableLength > MAX_UNREAD_BYTES) response.end();
      else response.write(text);
    };
    const stop = this.#listen(tenantId, (event) => {
      write(event === null ? 'event: missed\ndata: {}\n\n' : `event: change\ndata: ${JSON.stringify(event)}\n\n`);
    });
    const alive = setInterval(write, KEEP_ALIVE_MS, ': still here\n\n');
    const end = (): void => {
      clearInterval(alive);
      stop();
      response.end();
    };
    over.addEventListener('abort', end, { once: true });
  }

  #listen(tenantId: TenantId, listener: Listener): () => void {
    this.#stop ??= this.database.notifications.subscribe(CHANNEL, (payload) => {
      this.#pass(payload);
    });
    const listeners = this.#listeners.get(tenantId) ?? new Set();
    this.#listeners.set(tenantId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(tenantId);
    };
  }

  /** To the listeners of the tenant it is about; a null payload, that some may have been missed, to everybody. */
  #pass(payload: string | null): void {
    if (payload === null) {
      for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null);
      return;
    }
    const [tenantId = '', type = '', id = '', ...event] = payload.split(':');
    for (const listener of this.#listeners.get(tenantId) ?? []) listener({ type, id, event: event.join(':') });
  }
}
