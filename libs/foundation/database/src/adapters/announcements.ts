import type { DataSource } from 'typeorm';

/** So long an announcement waits for others, in milliseconds. */
const GATHER_MS = 100;

/** Sends announcements: their channels, and their payloads. */
export const ANNOUNCE = `select set_config('synchronous_commit', 'off', true), pg_notify(channel, payload)
  from unnest($1::text[], $2::text[]) as told (channel, payload)`;

interface Announcement {
  readonly channel: string;
  readonly payload: string;
}

/**
 * Sends the announcements of committed transactions. PostgreSQL lets one transaction at a time commit if it notifies, and
 * wakes each listener for each; so the announcements of a moment become one notification each. They have a transaction
 * of their own that does not wait for the disk. One that is lost costs its listeners a look: notifications are hints.
 */
export class Announcements {
  #gathered = new Map<string, Announcement>();
  #sending: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly dataSource: DataSource) {}

  add(announced: Iterable<Announcement>): void {
    for (const each of announced) this.#gathered.set(`${each.channel} ${each.payload}`, each);
    if (this.#gathered.size > 0) this.#timer ??= setTimeout(this.#send, GATHER_MS).unref();
  }

  /** Sends the gathered announcements, and waits for them. */
  async close(): Promise<void> {
    this.#send();
    await this.#sending;
  }

  readonly #send = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = [...this.#gathered.values()];
    this.#gathered = new Map();
    if (all.length === 0) return;
    // One after another: a pool without a free connection gathers no queries.
    this.#sending = this.#sending
      .then(() =>
        this.dataSource.query(ANNOUNCE, [all.map(({ channel }) => channel), all.map(({ payload }) => payload)]),
      )
      .catch(() => undefined);
  };
}
