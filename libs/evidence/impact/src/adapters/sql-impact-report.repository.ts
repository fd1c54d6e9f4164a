import { sqlOf } from '#lib/database';
import type { ChangeRequestId, ImpactReportId, PersonId, Tx } from '#lib/kernel';
import type { ImpactReportRepository, Lease, NextTurn } from '../application/impact.ports.js';
import { NO_PROGRESS, type ImpactReport, type Progress } from '../domain/impact-report.js';
import type { WorldChange } from '../domain/world.js';

interface ReportRow {
  readonly id: ImpactReportId;
  readonly change_id: ChangeRequestId | null;
  readonly asked_by: PersonId;
  readonly phase: ImpactReport['phase'];
  readonly since: string;
  readonly until: string;
  readonly change: WorldChange | null;
  readonly bundle_revision: string | null;
  readonly stamp: string | null;
  readonly renewals: number;
  readonly attempts: number;
  readonly followed: boolean;
  readonly failure: ImpactReport['failure'];
  readonly progress: Progress;
  readonly created_at: string;
  readonly finished_at: string | null;
}

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint as ${column}`;
const COLUMNS = `id, change_id, asked_by, phase, ${ms('since')}, ${ms('until')}, change, bundle_revision, stamp, renewals, attempts,
  followed, failure, progress, ${ms('created_at')}, ${ms('finished_at')}`;
const at = (parameter: number): string => `to_timestamp($${String(parameter)}::double precision / 1000)`;

/** The table of reports of migrations/0240_impact.sql. */
export class SqlImpactReportRepository implements ImpactReportRepository {
  async insert(tx: Tx, report: ImpactReport): Promise<void> {
    await sqlOf(tx).execute(
      `insert into impact_report
         (tenant_id, id, change_id, asked_by, phase, since, until, change, bundle_revision, stamp, progress, next_at, created_at)
       values ($1, $2, $3, $4, $5, ${at(6)}, ${at(7)}, $8, $9, $10, $11, ${at(12)}, ${at(12)})`,
      [
        tx.tenantId,
        report.id,
        report.changeId,
        report.askedBy,
        report.phase,
        report.since,
        report.until,
        jsonOf(report.change),
        report.bundleRevision,
        report.stamp,
        JSON.stringify(report.progress),
        report.createdAt,
      ],
    );
  }

  async lease(tx: Tx, id: ImpactReportId, { token, until }: Lease): Promise<ImpactReport | null> {
    const [row] = await sqlOf(tx).query<ReportRow>(
      `update impact_report set lease = $3, next_at = ${at(4)}, attempts = attempts + 1
        where tenant_id = $1 and id = (
          select id from impact_report
           where tenant_id = $1 and id = $2 and next_at <= clock_timestamp() for update skip locked)
       returning ${COLUMNS}`,
      [tx.tenantId, id, token, until],
    );
    return row === undefined ? null : fromRow(row);
  }

  async held(tx: Tx, id: ImpactReportId, token: string): Promise<ImpactReport | null> {
    const [row] = await sqlOf(tx).query<ReportRow>(
      `select ${COLUMNS} from impact_report where tenant_id = $1 and id = $2 and lease = $3 for update`,
      [tx.tenantId, id, token],
    );
    return row === undefined ? null : fromRow(row);
  }

  async save(tx: Tx, report: ImpactReport, token: string, next: NextTurn): Promise<boolean> {
    const kept = next !== null && 'lease' in next;
    const saved = await sqlOf(tx).execute(
      `update impact_report set phase = $4, change = $5::jsonb, bundle_revision = $6, stamp = $7, renewals = $8, attempts = $9,
         failure = $10, progress = $11, finished_at = ${at(12)}, next_at = ${at(13)}, lease = $14
       where tenant_id = $1 and id = $2 and lease = $3`,
      [
        tx.tenantId,
        report.id,
        token,
        report.phase,
        jsonOf(report.change),
        report.bundleRevision,
        report.stamp,
        report.renewals,
        report.attempts,
        report.failure,
        JSON.stringify(report.progress),
        report.finishedAt,
        next === null ? null : kept ? next.lease.until : next.at,
        kept ? token : null,
      ],
    );
    return saved === 1;
  }

  find(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null> {
    return this.#one(tx, 'id = $2', id);
  }

  ofChange(tx: Tx, changeId: ChangeRequestId): Promise<ImpactReport | null> {
    return this.#one(tx, 'change_id = $2', changeId);
  }

  async unfinished(tx: Tx): Promise<number> {
    const [row] = await sqlOf(tx).query<{ readonly count: number }>(
      `select count(*)::integer as count from impact_report
        where tenant_id = $1 and next_at is not null and change_id is null`,
      [tx.tenantId],
    );
    return row?.count ?? 0;
  }

  async closeOfChange(tx: Tx, changeId: ChangeRequestId, moment: number): Promise<void> {
    await sqlOf(tx).execute(
      `update impact_report set followed = false, next_at = null, lease = null,
         phase = case when finished_at is null then 'cancelled' else phase end, finished_at = coalesce(finished_at, ${at(3)})
        where tenant_id = $1 and change_id = $2`,
      [tx.tenantId, changeId, moment],
    );
  }

  async lookAgain(tx: Tx, besides: ChangeRequestId, moment: number): Promise<readonly ImpactReportId[]> {
    const rows = await sqlOf(tx).query<{ readonly id: ImpactReportId }>(
      `update impact_report set next_at = ${at(3)}
        where tenant_id = $1 and id in (
          select id from impact_report
           where tenant_id = $1 and phase = 'done' and next_at is not null and lease is null and change_id <> $2
           for update skip locked)
       returning id`,
      [tx.tenantId, besides, moment],
    );
    return rows.map(({ id }) => id);
  }

  async drop(tx: Tx, before: number): Promise<void> {
    await sqlOf(tx).execute(
      `delete from impact_report where tenant_id = $1 and change_id is null and created_at < ${at(2)}`,
      [tx.tenantId, before],
    );
  }

  async #one(tx: Tx, where: string, parameter: string): Promise<ImpactReport | null> {
    const [row] = await sqlOf(tx).query<ReportRow>(
      `select ${COLUMNS} from impact_report where tenant_id = $1 and ${where}`,
      [tx.tenantId, parameter],
    );
    return row === undefined ? null : fromRow(row);
  }
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const fromRow = (row: ReportRow): ImpactReport => ({
  id: row.id,
  changeId: row.change_id,
  askedBy: row.asked_by,
  phase: row.phase,
  since: Number(row.since),
  until: Number(row.until),
  change: row.change,
  bundleRevision: row.bundle_revision,
  stamp: row.stamp,
  renewals: row.renewals,
  attempts: row.attempts,
  followed: row.followed,
  failure: row.failure,
  // A report of a former version lacks the members that are new.
  progress: { ...NO_PROGRESS, ...row.progress },
  createdAt: Number(row.created_at),
  finishedAt: row.finished_at === null ? null : Number(row.finished_at),
});
