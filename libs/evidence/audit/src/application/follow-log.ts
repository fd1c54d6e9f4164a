import type { JobQueue, LogFollower, LogFollowerId, TenantId, UnitOfWork } from '#lib/kernel';
import type { LogFollowers } from './log-followers.port.js';

/** Entries that a follower takes in one transaction. */
const AT_ONCE = 100;
const RETRY_MS = 5_000;

/**
 * Gives a follower the next entries of a tenant's log. Its place moves in the transaction in which it takes them, so that it takes
 * each exactly once, also after a crash.
 */
export class FollowLog {
  readonly #byName: ReadonlyMap<string, LogFollower>;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: JobQueue,
    private readonly followers: LogFollowers,
    registered: readonly LogFollower[],
  ) {
    this.#byName = new Map(registered.map((follower) => [follower.name, follower]));
  }

  /** @throws as the follower does. It is then left alone for some seconds. */
  async execute(tenantId: TenantId, id: LogFollowerId): Promise<void> {
    try {
      await this.#turn(tenantId, id);
    } catch (error) {
      await this.uow.run(tenantId, async (tx) => this.followers.postpone(tx, id, (await tx.now()) + RETRY_MS));
      throw error;
    }
  }

  #turn(tenantId: TenantId, id: LogFollowerId): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const at = await this.followers.take(tx, id);
      if (at === null) return;
      const follower = this.#byName.get(at.name);
      if (follower === undefined) throw new Error(`No reader of the log is called ${at.name} in this process.`);
      const { events, end } = await this.followers.after(tx, at.place, AT_ONCE);
      if (events.length === 0) return;
      await follower.take(tx, events);
      await this.followers.move(tx, id, end);
      if (events.length === AT_ONCE) await this.jobs.enqueue(tx, 'log.follow', id);
    });
  }
}
