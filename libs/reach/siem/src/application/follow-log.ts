import type { ConnectionWork } from '#lib/connection';
import type { LogFollowing, LogProgress, Tx } from '#lib/kernel';
import { COLLECTOR_FOLLOWER } from './collector-sink.js';

/**
 * The work of a collector: it follows the log from the moment it was added. Another address goes on at the place of the former one, so
 * that no event is lost. A collector that was removed and added again begins at the end of the log.
 */
export class FollowLog implements ConnectionWork {
  constructor(
    private readonly following: LogFollowing,
    private readonly progress: Pick<LogProgress, 'retryNow'>,
  ) {}

  async begin(tx: Tx): Promise<void> {
    await this.following.begin(tx, COLLECTOR_FOLLOWER);
    await this.retryNow(tx);
  }

  end(tx: Tx): Promise<void> {
    return this.following.end(tx, COLLECTOR_FOLLOWER);
  }

  retryNow(tx: Tx): Promise<void> {
    return this.progress.retryNow(tx, COLLECTOR_FOLLOWER);
  }
}
