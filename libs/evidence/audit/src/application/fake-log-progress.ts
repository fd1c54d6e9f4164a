import type { FollowerProgress, LogProgress, Tx } from '#lib/kernel';
import type { FakeLogFollowers } from './fake-log-followers.js';

/** Tells how far the followers of a log in memory are. */
export class FakeLogProgress implements LogProgress {
  constructor(private readonly followers: FakeLogFollowers) {}

  of(tx: Tx, name: string): Promise<FollowerProgress | null> {
    const row = this.followers.of(tx).find((each) => each.name === name);
    if (row === undefined) return Promise.resolve(null);
    const { position, head, behindSince, failures, notBefore } = row;
    const entriesBehind = Math.max(0, head.index - (position.epoch === head.epoch ? position.index : 0));
    return Promise.resolve({
      entriesBehind,
      behindSince: entriesBehind === 0 ? null : behindSince,
      failures,
      retryAt: failures === 0 ? null : notBefore,
    });
  }

  async retryNow(tx: Tx, name: string): Promise<void> {
    const now = await tx.now();
    for (const row of this.followers.of(tx)) if (row.name === name) await this.followers.postpone(tx, row.id, now);
  }
}
