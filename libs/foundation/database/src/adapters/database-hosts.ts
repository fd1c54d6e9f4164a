import { Client, type ClientConfig } from 'pg';
import { FailureError } from '#lib/kernel';

import {
  databaseAway,
  hostThatWrites,
  refusalOf,
  twoPrimaries,
  type KnownServer,
  type ServerFacts,
} from '../application/server-facts.js';
import { databaseFailure } from './database-failure.js';
import { hostedClientClass, type HostedAt } from './hosted-client.js';

/** A host that does not answer within this time is not there. */
const PROBE_MS = 2_000;
const WATCH_MS = 1_000;
/** A server that does not take leave within this time is not there. */
const LEAVE_MS = 2_000;
/** At so many beats, the other hosts are looked at, too: one may be promoted although this one lives. */
const OTHERS_EVERY = 5;
/** A host that was silent so often in a row is given up if another one writes. */
const SILENCES = 2;

/** The timeline is the head of a log file's name; a standby has none of its own. */
const FACTS = `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writes,
  (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery() then '0' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline,
  pg_postmaster_start_time()::text as started, pg_backend_pid() as process`;

/** The answer to {@link FACTS}. */
interface FactsRow {
  readonly writes: boolean;
  readonly system: string;
  readonly timeline: string;
  readonly started: string;
  readonly process: number;
}

/**
 * The hosts of one database, of which one writes. Each new connection asks its server whether it writes. So none is
 * used that reached a standby or a former primary; connections open before a promotion ended with their server.
 */
export class DatabaseHosts {
  #current: number | null = null;
  #known: KnownServer | null = null;
  #looking: Promise<number> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #silences = 0;
  #beats = 0;
  #pooled = false;
  readonly #connections = new Map<Client, number>();
  readonly #onPromotion: (() => void)[] = [];

  constructor(private readonly urls: readonly string[]) {}

  /** For the login and the database, which all share. */
  get first(): string {
    return this.urls[0] ?? '';
  }

  get several(): boolean {
    return this.urls.length > 1;
  }

  /**
   * Whether a connection reached a pooler, or a proxy that logs in for itself. Its server then has another process than
   * the login was told.
   */
  get pooled(): boolean {
    return this.#pooled;
  }

  /** The class that a pool makes its clients of. */
  clientClass(): new (config: ClientConfig) => Client {
    return hostedClientClass(this);
  }

  /** A client for a connection of its own; verify it once it is connected. */
  client(config: ClientConfig): Client {
    return new (this.several ? this.clientClass() : Client)({ ...config, connectionString: this.first });
  }

  /** Calls back before the first statement reaches a server that was promoted since this process last wrote. */
  onPromotion(listener: () => void): void {
    this.#onPromotion.push(listener);
  }

  /** The host to connect to. @throws {FailureError} `database.unavailable`, or the error of the only host that answered. */
  async writing(): Promise<HostedAt> {
    const host = this.several ? (this.#current ?? (await this.#look())) : 0;
    return { host, url: this.urls[host] ?? '' };
  }

  /** Connecting to it failed, or it does not write any more: the next connection looks for the host that does. */
  suspect(host: number): void {
    if (this.#current === host) this.#current = null;
  }

  /**
   * Verifies the server behind a fresh connection.
   *
   * @throws {FailureError} `database.unavailable`, `database.former_primary`, `database.another_cluster`.
   */
  async verify(client: Client, host = this.#connections.get(client) ?? 0): Promise<void> {
    this.hold(client, host);
    const row = await askFacts(client);
    // The types of pg leave out the process that the login was told of, by which it cancels statements.
    this.#pooled ||= row.process !== (client as Client & { readonly processID: number | null }).processID;
    const facts = factsIn(row);
    const refusal = refusalOf(facts, this.#known);
    if (refusal !== null) {
      this.suspect(host);
      throw new FailureError(refusal);
    }
    const promoted = this.#known !== null && facts.timeline > this.#known.timeline;
    this.#known = facts;
    if (promoted) for (const listener of this.#onPromotion) listener();
  }

  /** Remembers which host a connection goes to, and suspects that host if the connection breaks. */
  hold(client: Client, host: number): void {
    if (this.#connections.has(client)) return;
    this.#connections.set(client, host);
    // A server that is gone ends its connections. The next connection looks first, so the former primary refuses no
    // caller.
    client.on('error', (error) => {
      // A database session that the server ended for its own idleness says nothing about the server.
      if (databaseFailure(error) !== null) this.suspect(host);
    });
    client.once('end', () => this.#connections.delete(client));
  }

  /**
   * Looks after the host that writes, if there are several. A machine that lost its power or network closes no
   * connection, and statements would wait for minutes.
   */
  watch(): void {
    if (this.several) this.#watch ??= setInterval(() => void this.#watchOnce(), WATCH_MS).unref();
  }

  close(): void {
    clearInterval(this.#watch);
  }

  async #watchOnce(): Promise<void> {
    const host = this.#current;
    if (host !== null) {
      const facts = await probe(this.urls[host] ?? '').catch(() => null);
      if (facts !== null && refusalOf(facts, this.#known) === null) {
        this.#silences = 0;
        this.#beats += 1;
        if (this.#beats % OTHERS_EVERY !== 0) return;
      } else {
        this.#silences += 1;
        if (this.#silences < SILENCES || this.#current !== host) return;
        this.#current = null;
      }
    }
    // At each beat until a host writes: one may be promoted long after the silence began.
    await this.#look().catch(() => undefined);
  }

  #look(): Promise<number> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookOnce(): Promise<number> {
    // All hosts are asked at once, and each answer is awaited. A former primary may answer before the server that took
    // its place.
    const answers = await Promise.allSettled(this.urls.map((url) => probe(url)));
    const found = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null));
    const host = hostThatWrites(found, this.#known);
    if (host === 'two') {
      this.#current = null;
      for (const client of this.#connections.keys()) drop(client);
      throw new FailureError(twoPrimaries);
    }
    if (host !== null) {
      this.#silences = 0;
      for (const [client, at] of this.#connections) if (at !== host) drop(client);
      return (this.#current = host);
    }
    const refusals = found.map((facts) => (facts === null ? null : refusalOf(facts, this.#known)));
    const refusal = refusals.find((each) => each !== null && each.code !== databaseAway.code);
    if (refusal) throw new FailureError(refusal);
    // If no host answered at all, an error says what to correct: the login before the address.
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
    const [first] = errors;
    if (first !== undefined && errors.length === this.urls.length)
      throw errors.find((error) => databaseFailure(error) === null) ?? first;
    throw new FailureError(databaseAway);
  }
}

/** Ends a connection without a word to a server that may not listen. */
export function drop({ connection }: Pick<Client, 'connection'>): void {
  connection.stream.destroy();
}

/** Ends a connection with a word to its server, and without one if the server does not answer it. */
export async function leave(client: Client): Promise<void> {
  const givenUp = setTimeout(() => {
    drop(client);
  }, LEAVE_MS);
  await client.end();
  clearTimeout(givenUp);
}

async function probe(url: string): Promise<ServerFacts> {
  const client = new Client({
    connectionString: url,
    application_name: 'countersign-look',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return factsIn(await askFacts(client));
  } finally {
    drop(client);
  }
}

async function askFacts(client: Client): Promise<FactsRow> {
  const { rows } = await client.query<FactsRow>(FACTS);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL did not describe itself.');
  return row;
}

const factsIn = ({ writes, system, timeline, started }: FactsRow): ServerFacts => ({
  ...{ writes, system, started },
  timeline: Number.parseInt(timeline, 16),
});
