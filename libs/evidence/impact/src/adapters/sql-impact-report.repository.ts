import { sqlOf } from '#lib/database';
import type { ChangeRequestId, ImpactReportId, PersonId, Tx } from '#lib/kernel';
import type { ImpactReportRepository } from '../application/impact.ports.js';
import type { ImpactReport, Progress } from '../domain/impact-report.js';
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
  readonly progress: Progress;
  readonly created_at: string;
  readonly finished_at: string | null;
}

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint as ${column}`;
const COLUMNS = `id, change_id, asked_by, phase, ${ms('since')}, ${ms('until')}, change, bundle_revision, progress,
  ${ms('created_at')}, ${ms('finished_at')}`;
const at = (parameter: number): string => `to_timestamp($${String(parameter)}::double precision / 1000)`;

/** The table of migrations/0240_impact.sql. */
export class SqlImpactReportRepository implements ImpactReportRepository {
  async insert(tx: Tx, report: ImpactReport): Promise<void> {
    await sqlOf(tx).execute(
      `insert into impact_report
         (tenant_id, id, change_id, asked_by, phase, since, until, change, bundle_revision, progress, next_at, created_at)
       values ($1, $2, $3, $4, $5, ${at(6)}, ${at(7)}, $8, $9, $10, ${at(11)}, ${at(11)})`,
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
        JSON.stringify(report.progress),
        report.createdAt,
      ],
    );
  }

  take(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null> {
    return this.#one(tx, 'id = $2 and next_at is not null', id, 'for update skip locked');
  }

  async save(tx: Tx, report: ImpactReport): Promise<void> {
    await sqlOf(tx).execute(
      `update impact_report set phase = $3, change = $4::jsonb, bundle_revision = $5, progress = $6, finished_at = ${at(7)},
         next_at = case when $7::double precision is null then next_at end
       where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
        report.id,
        report.phase,
        jsonOf(report.change),
        report.bundleRevision,
        JSON.stringify(report.progress),
        report.finishedAt,
      ],
    );
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

  async cancelOfChange(tx: Tx, changeId: ChangeRequestId, moment: number): Promise<void> {
    await sqlOf(tx).execute(
      `update impact_report set phase = 'cancelled', next_at = null, finished_at = ${at(3)}
        where tenant_id = $1 and change_id = $2 and next_at is not null`,
      [tx.tenantId, changeId, moment],
    );
  }

  async drop(tx: Tx, before: number): Promise<void> {
    await sqlOf(tx).execute(
      `delete from impact_report where tenant_id = $1 and change_id is null and created_at < ${at(2)}`,
      [tx.tenantId, before],
    );
  }

  async #one(tx: Tx, where: string, parameter: string, lock = ''): Promise<ImpactReport | null> {
    const [row] = await sqlOf(tx).query<ReportRow>(
      `select ${COLUMNS} from impact_report where tenant_id = $1 and ${where} ${lock}`,
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
  progress: row.progress,
  createdAt: Number(row.created_at),
  finishedAt: row.finished_at === null ? null : Number(row.finished_at),
});
