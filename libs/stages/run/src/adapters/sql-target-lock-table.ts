import { IsNull, Not } from 'typeorm';
import { lockName, rowsOf, sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { WantedTargets } from '../application/run.repository.js';
import type { Run, WaitingOn } from '../domain/run.js';
import { at } from './columns.js';
import { runEntity, targetLockEntity } from './run.entity.js';

const TARGET_LOCK = targetLockEntity.as('target_lock');
const NEW_LOCK = targetLockEntity.pick('environmentId', 'target', 'runId', 'acquiredAt');

const HELD = targetLockEntity.pick('target', 'runId');

export async function acquireTargets(
  tx: Tx,
  run: Run,
  { targets, whole, at: acquiredAt }: WantedTargets,
): Promise<WaitingOn | null> {
  const sql = sqlOf(tx);
  await lockEnvironment(tx, run);
  const [held] = await sql.query<object>(
    `select ${HELD.columns('target_lock')} from target_lock
      where tenant_id = $1 and ${TARGET_LOCK.environmentId} = $2 and ${TARGET_LOCK.runId} <> $3 and ($4::boolean
        or ${TARGET_LOCK.target} = any ($5::text[]) or ${TARGET_LOCK.target} = $6)
      order by ${TARGET_LOCK.target} limit 1`,
    [tx.tenantId, run.environmentId, run.id, targets.includes(whole), targets, whole],
  );
  if (held !== undefined) return HELD.row(held);
  await sql.execute(
    `insert into ${NEW_LOCK.into}
     select $1, $2, target, $3, $4 from unnest($5::text[]) as target`,
    [tx.tenantId, run.environmentId, run.id, at(acquiredAt), targets],
  );
  return null;
}

export async function releaseTargets(tx: Tx, run: Run): Promise<readonly RunId[]> {
  await lockEnvironment(tx, run);
  await rowsOf(tx, targetLockEntity).delete({ runId: run.id });
  const waiting = { environmentId: run.environmentId, waitingOn: Not(IsNull()) };
  const rows = await rowsOf(tx, runEntity).find(waiting, { only: ['id'], order: { id: 'asc' } });
  return rows.map(({ id }) => id);
}

/** The advisory lock comes after every row lock: no transaction takes a row lock behind it. */
async function lockEnvironment(tx: Tx, run: Run): Promise<void> {
  await lockName(tx, `target_lock/${tx.tenantId}/${run.environmentId}`);
}
