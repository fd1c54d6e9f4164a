import { lockName, rowsOf, sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { WantedTargets } from '../application/run.repository.js';
import type { Run, WaitingOn } from '../domain/run.js';
import { at } from './columns.js';
import { targetLockEntity } from './run.entity.js';

export async function acquireTargets(
  tx: Tx,
  run: Run,
  { targets, whole, at: acquiredAt }: WantedTargets,
): Promise<WaitingOn | null> {
  const sql = sqlOf(tx);
  await lockEnvironment(tx, run);
  const [held] = await sql.query<{ target: string; run_id: string }>(
    `select target, run_id from target_lock
      where tenant_id = $1 and environment_id = $2 and run_id <> $3 and ($4::boolean or target = any ($5::text[]) or target = $6)
      order by target limit 1`,
    [tx.tenantId, run.environmentId, run.id, targets.includes(whole), targets, whole],
  );
  if (held !== undefined) return { target: held.target, runId: held.run_id as RunId };
  await sql.execute(
    `insert into target_lock (tenant_id, environment_id, target, run_id, acquired_at)
     select $1, $2, target, $3, $4 from unnest($5::text[]) as target`,
    [tx.tenantId, run.environmentId, run.id, at(acquiredAt), targets],
  );
  return null;
}

export async function releaseTargets(tx: Tx, run: Run): Promise<readonly RunId[]> {
  await lockEnvironment(tx, run);
  await rowsOf(tx, targetLockEntity).delete({ runId: run.id });
  const rows = await sqlOf(tx).query<{ id: string }>(
    'select id from run where tenant_id = $1 and environment_id = $2 and waiting_on is not null order by id',
    [tx.tenantId, run.environmentId],
  );
  return rows.map((row) => row.id as RunId);
}

/** The advisory lock comes after every row lock: no transaction takes a row lock behind it. */
async function lockEnvironment(tx: Tx, run: Run): Promise<void> {
  await lockName(tx, `target_lock/${tx.tenantId}/${run.environmentId}`);
}
