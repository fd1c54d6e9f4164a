import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { LiveEvent } from '#lib/api-schemas';
import type { Database } from '#lib/database';
import type { TenantId } from '#lib/kernel';
import { DATABASE } from '../http/index.js';
import type { EventStream } from './event-stream.js';

/** Written by the triggers of `countersign_live`: tenant, kind of thing, id, new state. */
const CHANNEL = 'countersign_change';
const KEEP_ALIVE_MS = 15_000;

type Listener = (event: LiveEvent | null) => void;

/** Tells the browsers of a tenant about changes by any process (WHATWG HTML, server-sent events). */
@Injectable()
export class LiveEventStreams implements OnModuleDestroy {
  readonly #listeners = new Map<string, Set<Listener>>();
  #stop: (() => void) | null = null;

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  onModuleDestroy(): void {
    this.#stop?.();
  }

  /** Until the stream is over. */
  send(stream: EventStream, tenantId: TenantId): void {
    const { over } = stream;
    if (over.aborted) {
      stream.end();
      return;
    }
    stream.send('retry: 1000\n\n');
    const stop = this.#listen(tenantId, (event) => {
      stream.send(event === null ? 'event: missed\ndata: {}\n\n' : `event: change\ndata: ${JSON.stringify(event)}\n\n`);
    });
    const alive = setInterval(() => {
      stream.send(': still here\n\n');
    }, KEEP_ALIVE_MS);
    const end = (): void => {
      clearInterval(alive);
      stop();
      stream.end();
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
