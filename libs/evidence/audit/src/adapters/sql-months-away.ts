import { Any } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import { fail, type PlanId, type Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { endOf, firstId, momentIn, monthOf, monthsBetween, startOf, type Month } from '../domain/months-between.js';
import { auditEntryEntity, auditEvidenceEntity, auditLeafEntity } from './audit.entity.js';

const LEAF = auditLeafEntity.as('leaf');
const ENTRY = auditEntryEntity.as('entry');
const MISSING = auditLeafEntity.pick('entryId');

/** The clocks of the database and of our machines, of which ids come, differ by less. */
const SKEW_MS = 60_000;

/** A stretch of the log, epoch milliseconds: from the tenant's first entry, and until now, if nothing else is said. */
interface Stretch {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * Refuses an answer about a stretch of the log of which a month is detached: it would be wrong unnoticed. A month is
 * away if the tenant has leaves of it and no entries.
 *
 * @param seen moments of entries that were read: their months are there.
 * @throws {FailureError} `audit.month_away`.
 */
export async function requireMonths(
  tx: Tx,
  { from, until = Date.now() }: Stretch,
  seen: readonly number[] = [],
): Promise<void> {
  const there = new Set(seen.map(monthOf));
  const since = from ?? (await firstLeafAt(tx));
  if (since === null) return;
  const months = monthsBetween(since - SKEW_MS, until).filter((month) => !there.has(month));
  if (months.length === 0) return;
  const [away] = await sqlOf(tx).query<{ month: Month }>(
    `select asked.month from unnest($2::text[], $3::uuid[], $4::uuid[]) asked (month, low, high)
      where exists (select from audit_leaf leaf
                     where leaf.tenant_id = $1 and ${LEAF.entryId} >= asked.low and ${LEAF.entryId} < asked.high)
        and not exists (select from audit_entry entry
                         where entry.tenant_id = $1 and ${ENTRY.id} >= asked.low and ${ENTRY.id} < asked.high)
      limit 1`,
    [tx.tenantId, months, months.map((month) => firstId(startOf(month))), months.map((month) => firstId(endOf(month)))],
  );
  if (away !== undefined) refuse(away.month);
}

/**
 * The same for the entries of an evidence pack: those about a subject since it, or its task, was made. Entries of any
 * time with evidence of one of the digests count, too.
 *
 * @throws {FailureError} `audit.month_away`.
 */
export async function requireMonthsOfPack(
  tx: Tx,
  id: string,
  digests: readonly string[],
  seen: readonly number[],
): Promise<void> {
  // The id of another subject is that of no plan.
  const plan = await rowsOf(tx, planEntity).findOne({ id: id as PlanId }, { only: ['taskId'] });
  await requireMonths(tx, { from: momentIn(plan?.taskId ?? id) }, seen);
  const evidence = await rowsOf(tx, auditEvidenceEntity).find({ digest: Any(digests) });
  await requireEntries(
    tx,
    evidence.map(({ entryId }) => entryId),
  );
}

/** Refuses an entry that is not there and has a leaf. @throws {FailureError} `audit.month_away`. */
export async function requireEntries(tx: Tx, ids: readonly string[]): Promise<void> {
  const [missing] = await sqlOf(tx).query<object>(
    `select ${MISSING.columns('leaf')} from audit_leaf leaf
      where leaf.tenant_id = $1 and ${LEAF.entryId} = any($2::uuid[])
        and not exists (select from audit_entry entry where entry.tenant_id = $1 and ${ENTRY.id} = ${LEAF.entryId})
      limit 1`,
    [tx.tenantId, ids],
  );
  if (missing !== undefined) refuse(monthOf(momentIn(MISSING.row(missing).entryId)));
}

/** @throws {FailureError} `audit.month_away`. */
export function refuse(month: Month): never {
  return fail({
    kind: 'unavailable',
    code: 'audit.month_away',
    message: `The month ${month} of the audit log is detached, so that the answer would lack entries.`,
    action: `Ask the operator to bring it back: countersign months attach ${month}. Or ask for a time after it.`,
    details: { month },
  });
}

async function firstLeafAt(tx: Tx): Promise<number | null> {
  const [first] = await rowsOf(tx, auditLeafEntity).find(
    {},
    { only: ['entryId'], order: { entryId: 'asc' }, limit: 1 },
  );
  return first === undefined ? null : momentIn(first.entryId);
}
