import type { ConnectionWork } from '#lib/connection';
import type { LogFollowing, LogProgress, Tx } from '#lib/kernel';
import { COLLECTOR_FOLLOWER } from './collector-sink.js';

/** The work of a collector: it follows the log from the moment it was added. Another one begins at the end of the log. */
export class FollowLog implements ConnectionWork {
  constructor(
    private readonly following: LogFollowing,
    private readonly progress: Pick<LogProgress, 'retryNow'>,
  ) {}

  begin(tx: Tx): Promise<void> {
    return this.following.begin(tx, COLLECTOR_FOLLOWER);
  }

  end(tx: Tx): Promise<void> {
    return this.following.end(tx, COLLECTOR_FOLLOWER);
  }

  retryNow(tx: Tx): Promise<void> {
    return this.progress.retryNow(tx, COLLECTOR_FOLLOWER);
  }
}
