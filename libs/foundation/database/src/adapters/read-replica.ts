import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { errorCode, FailureError, type Failure, type TenantId, type TransactionMode, type Tx } from '#lib/kernel';

import type { ReplicaStanding } from '../application/database.ports.js';
import { ReplicaFreshness } from '../application/replica-freshness.js';
import type { ReadableReplica } from '../application/replica-reads.js';
import { databaseFailure } from './database-failure.js';
import { drop } from './database-hosts.js';
import { isSqlError } from './sql.js';
import type { TypeormUnitOfWork } from './typeorm-unit-of-work.js';

const SAMPLE_MS = 200;
const ANSWER_MS = 2_000;
/** A login that may not serve is looked at again after so long. */
const REFUSED_MS = 30_000;
/** SQLSTATE object_not_in_prerequisite_state: a row is gone meanwhile. */
const GONE = '55000';
/** SQLSTATE query_canceled, at the time limit of a statement. The primary has the same limit; a cancellation for the replay is 40001. */
const TOO_SLOW = '57014';

interface Position {
  readonly position: string;
  readonly cluster: string;
  readonly timeline: number;
}

/** The pool of a replica. */
export interface ReplicaPool {
  readonly dataSource: DataSource;
  readonly uow: TypeormUnitOfWork;
}

const foreign: Failure = {
  kind: 'unavailable',
  code: 'database.replica_foreign',
  message: 'The server of COUNTERSIGN_READ_URL is not known to follow the primary of DATABASE_URL.',
  action: 'Nothing is read from it until it does. Let COUNTERSIGN_READ_URL name a standby of that primary.',
};

/** @throws {FailureError} `database.replica_away`, or a failure as it is. */
function away(error: unknown): never {
  if (error instanceof FailureError) throw error;
  const why = error instanceof Error ? error.message : String(error);
  throw new FailureError(
    {
      kind: 'unavailable',
      code: 'database.replica_away',
      message: `The replica of COUNTERSIGN_READ_URL does not answer (${why === '' ? (errorCode(error) ?? 'no reason') : why}).`,
      action: 'It is read from again once it answers, and the primary until then. See that PostgreSQL runs there.',
    },
    { cause: error },
  );
}

/** A standby tells the timeline that it replays only on its disk, with a delay; a higher one is never told too early. */
const CLUSTER = `(select system_identifier::text from pg_control_system()) as cluster,
  case when pg_is_in_recovery()
    then (select greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline)
            from pg_control_checkpoint() checkpoint, pg_control_recovery() recovery)
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer end as timeline`;
const PRIMARY = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as position, ${CLUSTER}`;
/** A host that was promoted since replays nothing, and is where it writes. */
const REPLICA = `select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_lsn() end, '0/0')::text as position, ${CLUSTER}`;

/** The replica of `COUNTERSIGN_READ_URL`. It is asked several times a second how much it shows; without an answer it shows nothing. */
export class ReadReplica implements ReadableReplica {
  readonly #freshness = new ReplicaFreshness();
  readonly #timer: NodeJS.Timeout;
  #client: Client | null = null;
  #pool: ReplicaPool | null = null;
  /** The code or words of the last error that was told; empty once the replica answers. */
  #told = '';
  #sampling: Promise<void> | null = null;
  #foreign = false;
  #refusedUntil = -Infinity;
  /** Of the primary, when it was asked last. */
  #timeline = 0;

  constructor(
    private readonly primary: DataSource,
    private readonly url: string,
    /** Opens its pool, once it answers. */
    private readonly open: () => Promise<ReplicaPool>,
    private readonly onError: (error: Error) => void,
  ) {
    this.#timer = setInterval(() => {
      this.#sampling ??= this.#sample().finally(() => (this.#sampling = null));
    }, SAMPLE_MS).unref();
  }

  get standing(): ReplicaStanding {
    if (this.#client === null) return 'away';
    if (this.#foreign) return 'foreign';
    return this.#freshness.isFresh(performance.now()) ? 'fresh' : 'behind';
  }

  async shows(tenantId: TenantId, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const now = performance.now();
      if (this.#pool !== null && this.#freshness.shows(tenantId, now)) return true;
      if (this.#client === null || this.#foreign || now >= deadline) return false;
      await delay(SAMPLE_MS / 4);
    }
  }

  wrote(tenantId: TenantId): void {
    this.#freshness.wrote(tenantId, performance.now());
  }

  read<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, mode?: TransactionMode): Promise<T> {
    if (this.#pool === null) throw new Error('The replica has not answered yet.');
    return this.#pool.uow.run(tenantId, work, mode);
  }

  isAway(error: unknown): boolean {
    return (databaseFailure(error) !== null && !isSqlError(error, TOO_SLOW)) || isSqlError(error, GONE);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sampling;
    await this.#leave();
  }

  async #sample(): Promise<void> {
    const at = performance.now();
    if (at < this.#refusedUntil) return;
    try {
      const [written] = await this.primary.query<Position[]>(PRIMARY);
      const replayed = await this.#replayed();
      if (written === undefined || replayed === undefined) return;
      // A position means nothing on another timeline: a replica of a former primary may be far ahead, of other rows.
      this.#foreign = written.cluster !== replayed.cluster || written.timeline !== replayed.timeline;
      if (this.#foreign || written.timeline !== this.#timeline) this.#freshness.lost();
      this.#timeline = written.timeline;
      if (this.#foreign) {
        this.#tell(new FailureError(foreign));
        return;
      }
      this.#pool ??= await this.#opened();
      this.#told = '';
      this.#freshness.sampled(at, BigInt(written.position));
      this.#freshness.replayed(BigInt(replayed.position));
    } catch (error) {
      // Its pool goes, too: the next server at this address may be another one.
      this.#leave().catch(() => undefined);
      this.#freshness.lost();
      this.#tell(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #replayed(): Promise<Position | undefined> {
    try {
      const { rows } = await (await this.#connected()).query<Position>(REPLICA);
      return rows[0];
    } catch (error) {
      return away(error);
    }
  }

  async #opened(): Promise<ReplicaPool> {
    try {
      return await this.open();
    } catch (error) {
      if (error instanceof FailureError) this.#refusedUntil = performance.now() + REFUSED_MS;
      return away(error);
    }
  }

  #tell(error: Error): void {
    const what = error instanceof FailureError ? error.failure.code : error.message;
    if (this.#told !== what) this.onError(error);
    this.#told = what;
  }

  async #leave(): Promise<void> {
    const [client, pool] = [this.#client, this.#pool];
    this.#client = null;
    this.#pool = null;
    if (client !== null) drop(client);
    await pool?.dataSource.destroy();
  }

  async #connected(): Promise<Client> {
    if (this.#client !== null) return this.#client;
    const client = new Client({
      connectionString: this.url,
      application_name: 'countersign-replica',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client.on('error', () => undefined);
    await client.connect();
    return (this.#client = client);
  }
}
