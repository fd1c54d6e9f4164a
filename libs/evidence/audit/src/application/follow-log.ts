import type { JobQueue, LogFollower, LogFollowerId, TenantId, UnitOfWork } from '#lib/kernel';
import type { LogFollowers } from './log-followers.port.js';

/** Entries that a follower takes in one transaction, unless a turn failed. */
export const FULL_TURN = 100;
/** The facts of the entries of one turn, in bytes. */
const TURN_BYTES = 4_194_304;
const RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 600_000;

/**
 * Gives a follower the next entries of a tenant's log. Its place moves in the transaction in which it takes them, so that it takes
 * each exactly once, also after a crash. After a failure it takes one entry, and then twice as many each turn: a bad entry holds up
 * none before it.
 */
export class FollowLog {
  readonly #byName: ReadonlyMap<string, LogFollower>;
  readonly #unknown = new Set<string>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: JobQueue,
    private readonly followers: LogFollowers,
    registered: readonly LogFollower[],
  ) {
    this.#byName = new Map(registered.map((follower) => [follower.name, follower]));
  }

  /**
   * A follower of another version is left to a process that knows it.
   *
   * @throws as the follower does. It is then left alone for 5 seconds, and twice as long after each further failure, up to 10 minutes.
   * Also once for each unknown name, so that it is logged.
   */
  async execute(tenantId: TenantId, id: LogFollowerId): Promise<void> {
    const unknown = await this.#turn(tenantId, id).catch(async (error: unknown) => {
      await this.#postpone(tenantId, id);
      throw error;
    });
    if (unknown === null || this.#unknown.has(unknown)) return;
    this.#unknown.add(unknown);
    throw new Error(`No reader of the log is called ${unknown} in this process.`);
  }

  #postpone(tenantId: TenantId, id: LogFollowerId): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const failures = await this.followers.failed(tx, id);
      const delay = Math.min(RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS);
      await this.followers.postpone(tx, id, (await tx.now()) + delay);
    });
  }

  /** @returns the name of the follower, if this process does not know it. */
  #turn(tenantId: TenantId, id: LogFollowerId): Promise<string | null> {
    return this.uow.run(tenantId, async (tx) => {
      const at = await this.followers.take(tx, id);
      if (at === null) return null;
      const follower = this.#byName.get(at.name);
      if (follower === undefined) return at.name;
      const { events, end, more } = await this.followers.after(tx, at.place, { entries: at.atOnce, bytes: TURN_BYTES });
      if (events.length === 0) return null;
      await follower.take(tx, events);
      await this.followers.move(tx, id, end, Math.min(at.atOnce * 2, FULL_TURN));
      if (more) await this.jobs.enqueue(tx, 'log.follow', id);
      return null;
    });
  }
}
