import {
  toTimestamp,
  type JobQueue,
  type LogExporter,
  type LogFollower,
  type LoggedEvent,
  type Outbox,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { LogFollowerId } from '../domain/ids.js';
import type { FollowerAt, LogFollowers, LogPosition, LogStretch } from './log-followers.port.js';

/** Entries that a follower takes in one transaction, unless a turn failed. */
export const FULL_TURN = 100;
/** The facts of the entries of one turn, in bytes. */
const TURN_BYTES = 4_194_304;
const RETRY_MS = 5_000;
const MAX_RETRY_MS = 600_000;
/** After so many failures in a row PlatformAdmins are told, once: after about ten minutes. */
const TOLD_FAILURES = 8;
/** Longer than an exporter may send. Another process sends the same entries after it. */
const EXPORT_LEASE_MS = 60_000;

/** A part of the log that an exporter sends. */
interface Leased {
  readonly exporter: LogExporter;
  readonly at: FollowerAt;
  /** The end of its lease, epoch milliseconds. */
  readonly until: number;
  readonly events: readonly LoggedEvent[];
  readonly end: LogPosition;
  readonly more: boolean;
}

/**
 * Gives a follower the next entries of a tenant's log. Its position moves in the transaction in which it takes them. So
 * it takes each exactly once, also after a crash. An exporter sends them between two transactions: at least once. After
 * a failure it takes one entry, and then twice as many each turn. So a bad entry holds up none before it.
 * PlatformAdmins are told of one that lasts.
 */
export class FollowLog {
  readonly #byName: ReadonlyMap<string, LogFollower | LogExporter>;
  readonly #unknown = new Set<string>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: JobQueue,
    private readonly followers: LogFollowers,
    private readonly outbox: Outbox,
    registered: readonly (LogFollower | LogExporter)[],
  ) {
    this.#byName = new Map(registered.map((follower) => [follower.name, follower]));
  }

  /**
   * A follower of another version is left to a process that knows it.
   *
   * @throws as the follower does. It is then left alone for 5 seconds, and twice as long after each further failure, up to 10 minutes.
   * An exporter is not, if somebody asked meanwhile for another try, for example because its server is another one now.
   * Also once for each unknown name, so that it is logged.
   * @returns whether more entries wait for it.
   */
  async execute(tenantId: TenantId, id: LogFollowerId): Promise<boolean> {
    let leasedUntil: number | null = null;
    try {
      const turn = await this.uow.run(tenantId, (tx) => this.#turn(tx, id));
      if (typeof turn === 'boolean') return turn;
      if (typeof turn === 'object') {
        leasedUntil = turn.until;
        return await this.#export(tenantId, turn);
      }
      return this.#notHere(turn);
    } catch (error) {
      if (!(error instanceof UnknownFollower)) await this.#postpone(tenantId, id, leasedUntil);
      throw error;
    }
  }

  async #tell(tx: Tx, id: LogFollowerId, now: number): Promise<void> {
    const at = await this.followers.take(tx, id);
    if (at === null) return;
    await this.outbox.write(tx, {
      topic: 'log.follower_failing',
      payload: { follower: at.name, at: toTimestamp(now) },
    });
  }

  #notHere(name: string): false {
    if (this.#unknown.has(name)) return false;
    this.#unknown.add(name);
    throw new UnknownFollower(`No reader of the log is called ${name} in this process.`);
  }

  /** @param leasedUntil of an exporter, whose next try was moved meanwhile if it is another; null for no lease. */
  #postpone(tenantId: TenantId, id: LogFollowerId, leasedUntil: number | null): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const at = leasedUntil === null ? null : await this.followers.take(tx, id);
      if (at !== null && at.notBefore !== leasedUntil) return;
      const failures = await this.followers.failed(tx, id);
      const now = await tx.now();
      if (failures === TOLD_FAILURES) await this.#tell(tx, id, now);
      const delay = Math.min(RETRY_MS * 2 ** Math.max(0, failures - 1), MAX_RETRY_MS);
      await this.followers.postpone(tx, id, now + delay);
    });
  }

  /** @returns whether more entries wait, the part for an exporter, or the name of a follower that this process lacks. */
  async #turn(tx: Tx, id: LogFollowerId): Promise<boolean | Leased | string> {
    const at = await this.followers.take(tx, id);
    if (at === null) return false;
    const follower = this.#byName.get(at.name);
    if (follower === undefined) return at.name;
    const now = await tx.now();
    // The sequencer also wakes one that failed, or that sends.
    if (at.notBefore > now) return false;
    const stretch = await this.followers.after(tx, at.position, { entries: at.atOnce, bytes: TURN_BYTES });
    const { events, end, more } = stretch;
    if (events.length === 0) return false;
    if ('export' in follower) {
      const until = now + EXPORT_LEASE_MS;
      await this.followers.postpone(tx, id, until);
      return { exporter: follower, at, until, events, end, more };
    }
    await follower.take(tx, events);
    return this.#moved(tx, at, stretch);
  }

  async #export(tenantId: TenantId, { exporter, at, events, end, more }: Leased): Promise<boolean> {
    await exporter.export(tenantId, events);
    return this.uow.run(tenantId, async (tx) => {
      const now = await this.followers.take(tx, at.id);
      // Another process has sent the same entries after the lease.
      if (now === null || now.position.epoch !== at.position.epoch || now.position.index !== at.position.index)
        return false;
      await this.followers.postpone(tx, at.id, await tx.now());
      return this.#moved(tx, at, { events, end, more });
    });
  }

  async #moved(tx: Tx, { id, atOnce }: FollowerAt, { end, more }: LogStretch): Promise<boolean> {
    await this.followers.move(tx, id, end, Math.min(atOnce * 2, FULL_TURN));
    if (more) await this.jobs.enqueue(tx, 'log.follow', id);
    return more;
  }
}

class UnknownFollower extends Error {}
