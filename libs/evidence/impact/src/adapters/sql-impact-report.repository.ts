import { IsNull, LessThan } from 'typeorm';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { ChangeRequestId, ImpactReportId, Tx } from '#lib/kernel';
import type { ImpactReportRepository, Lease, NextTurn } from '../application/impact.ports.js';
import type { ImpactReport } from '../domain/impact-report.js';
import { impactReportEntity } from './impact.entity.js';

const COLUMN = impactReportEntity.column;
const IMPACT_REPORT = impactReportEntity.as('impact_report');

const REPORT = impactReportEntity.without('nextAt', 'lease');
const at = (parameter: number): string => `to_timestamp($${String(parameter)}::double precision / 1000)`;

/** Impact reports in PostgreSQL. */
export class SqlImpactReportRepository implements ImpactReportRepository {
  async insert(tx: Tx, report: ImpactReport): Promise<void> {
    await rowsOf(tx, impactReportEntity).insert({ ...report, nextAt: report.createdAt, lease: null });
  }

  async lease(tx: Tx, id: ImpactReportId, { token, until }: Lease): Promise<ImpactReport | null> {
    const [row] = await sqlOf(tx).query<object>(
      `update impact_report set ${COLUMN.lease} = $3, ${COLUMN.nextAt} = ${at(4)}, ${COLUMN.attempts} = ${IMPACT_REPORT.attempts} + 1
        where tenant_id = $1 and ${IMPACT_REPORT.id} = (
          select ${IMPACT_REPORT.id} from impact_report
           where tenant_id = $1 and ${IMPACT_REPORT.id} = $2 and ${IMPACT_REPORT.nextAt} <= clock_timestamp() for update skip locked)
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
        where tenant_id = $1 and ${IMPACT_REPORT.nextAt} is not null and ${IMPACT_REPORT.changeId} is null`,
      [tx.tenantId],
    );
    return row?.count ?? 0;
  }

  async closeOfChange(tx: Tx, changeId: ChangeRequestId, moment: number): Promise<void> {
    await sqlOf(tx).execute(
      `update impact_report set ${COLUMN.followed} = false, ${COLUMN.nextAt} = null, ${COLUMN.lease} = null,
         ${COLUMN.phase} = case when ${IMPACT_REPORT.finishedAt} is null then 'cancelled' else ${IMPACT_REPORT.phase} end,
           ${COLUMN.finishedAt} = coalesce(${IMPACT_REPORT.finishedAt}, ${at(3)})
        where tenant_id = $1 and ${IMPACT_REPORT.changeId} = $2`,
      [tx.tenantId, changeId, moment],
    );
  }

  async lookAgain(tx: Tx, besides: ChangeRequestId, moment: number): Promise<readonly ImpactReportId[]> {
    const rows = await sqlOf(tx).query<{ readonly id: ImpactReportId }>(
      `update impact_report set ${COLUMN.nextAt} = ${at(3)}
        where tenant_id = $1 and ${IMPACT_REPORT.id} in (
          select ${IMPACT_REPORT.id} from impact_report
           where tenant_id = $1 and ${IMPACT_REPORT.phase} = 'done' and ${IMPACT_REPORT.nextAt} is not null
             and ${IMPACT_REPORT.lease} is null and ${IMPACT_REPORT.changeId} <> $2
           for update skip locked)
       returning ${IMPACT_REPORT.id}`,
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
