import { IsNull, LessThan } from 'typeorm';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { ChangeRequestId, ImpactReportId, Tx } from '#lib/kernel';
import type { ImpactReportRepository, Lease, NextTurn } from '../application/impact.ports.js';
import type { ImpactReport } from '../domain/impact-report.js';
import { impactReportEntity } from './impact.entity.js';

const REPORT = impactReportEntity.without('nextAt', 'lease');
const at = (parameter: number): string => `to_timestamp($${String(parameter)}::double precision / 1000)`;

/** Impact reports in PostgreSQL. */
export class SqlImpactReportRepository implements ImpactReportRepository {
  async insert(tx: Tx, report: ImpactReport): Promise<void> {
    await rowsOf(tx, impactReportEntity).insert({ ...report, nextAt: report.createdAt, lease: null });
  }

  async lease(tx: Tx, id: ImpactReportId, { token, until }: Lease): Promise<ImpactReport | null> {
    const [row] = await sqlOf(tx).query<object>(
      `update impact_report set lease = $3, next_at = ${at(4)}, attempts = attempts + 1
        where tenant_id = $1 and id = (
          select id from impact_report
           where tenant_id = $1 and id = $2 and next_at <= clock_timestamp() for update skip locked)
       returning ${REPORT.columns('impact_report')}`,
      [tx.tenantId, id, token, until],
    );
    return row === undefined ? null : REPORT.row(row);
  }

  async held(tx: Tx, id: ImpactReportId, token: string): Promise<ImpactReport | null> {
    return reportOf(await rowsOf(tx, impactReportEntity).findOne({ id, lease: token }, { lock: 'update' }));
  }

  async save(tx: Tx, report: ImpactReport, token: string, next: NextTurn): Promise<boolean> {
    const { phase, change, bundleRevision, stamp, renewals, attempts, failure, progress, finishedAt } = report;
    const saved = await rowsOf(tx, impactReportEntity).update(
      { id: report.id, lease: token },
      {
        ...{ phase, change, bundleRevision, stamp, renewals, attempts, failure, progress, finishedAt },
        ...turnColumns(next),
      },
    );
    return saved === 1;
  }

  async find(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null> {
    return reportOf(await rowsOf(tx, impactReportEntity).findOne({ id }));
  }

  async ofChange(tx: Tx, changeId: ChangeRequestId): Promise<ImpactReport | null> {
    return reportOf(await rowsOf(tx, impactReportEntity).findOne({ changeId }));
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
    await rowsOf(tx, impactReportEntity).delete({ changeId: IsNull(), createdAt: LessThan(before) });
  }
}

type ReportRow = RowOf<typeof impactReportEntity>;

function reportOf(row: ReportRow | null): ImpactReport | null {
  if (row === null) return null;
  const { nextAt: _at, lease: _lease, ...report } = row;
  return report;
}

function turnColumns(next: NextTurn): Pick<ReportRow, 'nextAt' | 'lease'> {
  if (next === null) return { nextAt: null, lease: null };
  return 'lease' in next ? { nextAt: next.lease.until, lease: next.lease.token } : { nextAt: next.at, lease: null };
}
