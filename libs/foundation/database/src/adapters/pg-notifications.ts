import type { Client } from 'pg';
import { errorCode, FailureError } from '#lib/kernel';

import { drop, leave, type DatabaseHosts } from './database-hosts.js';

/** Told of a notification; with a null payload, that some may have been missed before PostgreSQL listened for it. */
export type NotificationListener = (payload: string | null) => void;

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/**
 * Listens for NOTIFY on one connection of its own. The first subscriber opens it, and it is opened again if it is lost.
 * Notifications are hints: a subscriber reads the rows after each, and now and then without one.
 */
export class PgNotifications {
  readonly #listeners = new Map<string, Set<NotificationListener>>();
  #client: Client | null = null;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #told = false;

  /** @param onError told once of each loss, however often the next connection is tried. */
  constructor(
    private readonly hosts: DatabaseHosts,
    private readonly onError: (error: Error) => void,
  ) {}

  /**
   * @param channel an SQL identifier, never text from outside.
   * @returns how to stop listening.
   */
  subscribe(channel: string, listener: NotificationListener): () => void {
    const known = this.#listeners.get(channel);
    const listeners = known ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    if (this.#client === null) this.#connect();
    else if (known === undefined) this.#listenTo(this.#client, channel);
    return () => {
      listeners.delete(listener);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    if (this.#client !== null) await leave(this.#client);
  }

  #connect(): void {
    const client = this.hosts.client({ application_name: 'countersign-listen', keepAlive: true });
    this.#client = client;
    // Like an idle connection of the pool, it does not keep its process alive. The types of pg leave the method out.
    (client as Client & { unref(): void }).unref();
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload ?? '');
    });
    client.on('error', (error) => {
      this.#tell(error);
    });
    client.once('end', () => {
      this.#reconnect(client);
    });
    client
      .connect()
      .then(() => this.hosts.verify(client))
      .then(() => this.#listen(client))
      .catch((error: unknown) => {
        this.#lose(client, error);
      });
  }

  #listenTo(client: Client, channel: string): void {
    client
      .query(`listen ${channel}`)
      .then(() => {
        for (const listener of this.#listeners.get(channel) ?? []) listener(null);
      })
      .catch((error: unknown) => {
        this.#lose(client, error);
      });
  }

  /** The next connection listens to every channel. */
  #lose(client: Client, error: unknown): void {
    this.#tell(error);
    drop(client);
    this.#reconnect(client);
  }

  #tell(error: unknown): void {
    if (!this.#told) this.onError(lost(error));
    this.#told = true;
  }

  async #listen(client: Client): Promise<void> {
    for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
    this.#retryMs = FIRST_RETRY_MS;
    this.#told = false;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null);
  }

  #reconnect(lost: Client): void {
    if (this.#closed || this.#client !== lost) return;
    this.#client = null;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (!this.#closed && this.#client === null) this.#connect();
    }, this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }
}

function lost(error: unknown): FailureError {
  const why = error instanceof Error ? error.message : String(error);
  return new FailureError(
    {
      kind: 'unavailable',
      code: 'database.listening_lost',
      message: `The connection that listens for events was lost (${why === '' ? (errorCode(error) ?? 'no reason') : why}).`,
      action: 'It is opened again as soon as the database answers. Until then work is found a little later.',
    },
    { cause: error },
  );
}
