import { rowsOf } from '#lib/database';
import type { FollowerProgress, LogProgress, Tx } from '#lib/kernel';
import { logFollowerEntity } from './audit.entity.js';

/** How far followers of the log are, in PostgreSQL. */
export class TypeormLogProgress implements LogProgress {
  async of(tx: Tx, name: string): Promise<FollowerProgress | null> {
    const row = await rowsOf(tx, logFollowerEntity).findOne({ name });
    if (row === null) return null;
    const { epoch, nextIndex, headEpoch, headSize, behindSince, failures, notBefore } = row;
    // Of an earlier tree, only the newer one's entries are counted.
    const entriesBehind = Math.max(0, headSize - (epoch === headEpoch ? nextIndex : 0));
    return {
      entriesBehind,
      behindSince: entriesBehind === 0 ? null : behindSince,
      failures,
      retryAt: failures === 0 ? null : notBefore,
    };
  }

  async retryNow(tx: Tx, name: string): Promise<void> {
    await rowsOf(tx, logFollowerEntity).update({ name }, { notBefore: await tx.now() });
  }
}
