import { rowsOf, sqlOf } from '#lib/database';
import type { ImpactReportId, Tx } from '#lib/kernel';
import type { CellPage, Findings, ImpactFindings } from '../application/impact-findings.js';
import {
  MAX_EXAMPLES,
  MAX_KEPT,
  MAX_LISTED,
  MAX_PARTS,
  NO_GROUPS,
  type GroupSums,
  type ImpactGroup,
  type ImpactGroups,
  type ImpactPart,
  type ImpactPartList,
  type ImpactParts,
} from '../domain/groups.js';
import type { LatticeCell } from '../domain/lattice.js';
import { impactCellEntity, impactGroupEntity } from './impact.entity.js';

const IMPACT_CELL = impactCellEntity.as('impact_cell');
const IMPACT_GROUP = impactGroupEntity.as('impact_group');
const KEPT = impactGroupEntity.as('kept');
const COLUMN = impactGroupEntity.column;

const CELL = impactCellEntity.all;
const GROUP = impactGroupEntity.all;

interface PartRow extends ImpactPart {
  readonly part: keyof ImpactParts;
  /** How many names the part has. */
  readonly names: number;
}

interface Counted extends GroupSums {
  readonly found: number;
}

/** Whether a change of this kind is looser, as a mixed one is. */
const looser = (kind: string): string => `${kind} ->> 'change' <> 'tightens'`;
const LOOSER = looser(IMPACT_GROUP.kind);

/** The tables of cells and of groups of migrations/0240_impact.sql. */
export class SqlImpactFindings implements ImpactFindings {
  async add(tx: Tx, id: ImpactReportId, { cells, groups }: Findings): Promise<void> {
    if (cells.length > 0) await this.#addCells(tx, id, cells);
    if (groups.length > 0) await this.#addGroups(tx, id, groups);
  }

  async drop(tx: Tx, id: ImpactReportId): Promise<void> {
    await rowsOf(tx, impactCellEntity).delete({ reportId: id });
    await rowsOf(tx, impactGroupEntity).delete({ reportId: id });
  }

  async cells(tx: Tx, id: ImpactReportId, { limit, after }: CellPage): Promise<readonly LatticeCell[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${CELL.columns('impact_cell')} from impact_cell
        where tenant_id = $1 and ${IMPACT_CELL.reportId} = $2
          and ($4::boolean is null or (${IMPACT_CELL.supposed}, ${IMPACT_CELL.tool}, ${IMPACT_CELL.environment},
            ${IMPACT_CELL.mode}) > ($4::boolean, $5::text, $6::text, $7::text))
        order by ${IMPACT_CELL.supposed}, ${IMPACT_CELL.tool}, ${IMPACT_CELL.environment}, ${IMPACT_CELL.mode} limit $3`,
      [
        tx.tenantId,
        id,
        limit,
        after === null ? null : !after.inForce,
        after?.tool ?? null,
        after?.environment ?? null,
        after?.mode ?? null,
      ],
    );
    return rows.map((row) => {
      const { supposed, tool, environment, mode, cell } = CELL.row(row);
      return { environment, tool, mode, inForce: !supposed, ...cell };
    });
  }

  async groups(tx: Tx, id: ImpactReportId): Promise<ImpactGroups> {
    const ofReport = [tx.tenantId, id] as const;
    const groups = await rowsOf(tx, impactGroupEntity).find(
      { reportId: id },
      { order: { estimate: 'desc', kindDigest: 'asc' }, limit: MAX_LISTED },
    );
    const [counted] = await sqlOf(tx).query<Counted>(
      `select count(*)::integer as found, coalesce(sum(${IMPACT_GROUP.count}), 0)::integer as count, coalesce(sum(${IMPACT_GROUP.estimate}), 0) as estimate,
              coalesce(sum(${IMPACT_GROUP.count}) filter (where ${LOOSER}), 0)::integer as looser,
              coalesce(sum(${IMPACT_GROUP.estimate}) filter (where ${LOOSER}), 0) as "looserEstimate"
         from impact_group where tenant_id = $1 and ${IMPACT_GROUP.reportId} = $2`,
      ofReport,
    );
    const parts = await sqlOf(tx).query<PartRow>(
      `select part, name, names, changed, looser, "changedEstimate", "looserEstimate"
         from (
           select part, name, sum(${IMPACT_GROUP.count})::integer as changed, sum(${IMPACT_GROUP.estimate}) as "changedEstimate",
                  coalesce(sum(${IMPACT_GROUP.count}) filter (where looser), 0)::integer as looser,
                  coalesce(sum(${IMPACT_GROUP.estimate}) filter (where looser), 0) as "looserEstimate",
                  row_number() over (partition by part order by sum(${IMPACT_GROUP.estimate}) desc, name) as ordinal,
                  (count(*) over (partition by part))::integer as names
             from impact_group
            cross join lateral (
              select 'environment' as part, ${IMPACT_GROUP.kind} ->> 'environment' as name
              union all select 'tool', jsonb_array_elements_text(${IMPACT_GROUP.kind} -> 'tools')
              union all select 'agent', ${IMPACT_GROUP.kind} ->> 'agent') of
            cross join lateral (select ${LOOSER} as looser) way
            where tenant_id = $1 and ${IMPACT_GROUP.reportId} = $2 and name is not null
            group by part, name) placed
        where ordinal <= $3 order by ordinal`,
      [...ofReport, MAX_PARTS],
    );
    const of = (wanted: PartRow['part']): ImpactPartList => {
      const those = parts.filter(({ part }) => part === wanted);
      return { listed: those.map(({ part: _part, names: _names, ...totals }) => totals), found: those[0]?.names ?? 0 };
    };
    const listed = groups.map(({ kind, count, estimate, examples }) => ({ kind, count, estimate, examples }));
    const { found, ...sums } = counted ?? { ...NO_GROUPS.counted, found: 0 };
    return {
      listed,
      found,
      counted: sums,
      by: { environment: of('environment'), tool: of('tool'), agent: of('agent') },
    };
  }

  async #addCells(tx: Tx, id: ImpactReportId, cells: readonly LatticeCell[]): Promise<void> {
    const rows = cells.map(({ inForce, tool, environment, mode, ...cell }) => ({
      supposed: !inForce,
      tool,
      environment,
      mode,
      cell,
    }));
    await sqlOf(tx).execute(
      `insert into ${CELL.into}
       select $1, $2, supposed, tool, environment, mode, cell
         from jsonb_to_recordset($3::jsonb) as added (supposed boolean, tool text, environment text, mode text, cell jsonb)`,
      [tx.tenantId, id, JSON.stringify(rows)],
    );
  }

  async #addGroups(tx: Tx, id: ImpactReportId, groups: readonly ImpactGroup[]): Promise<void> {
    await sqlOf(tx).execute(
      `insert into ${GROUP.into}
       select $1, $2, digest, kind, count, estimate, examples
         from (
           select added.*, is_known, looser, row_number() over (partition by is_known, looser order by ordinal) as ordinal_of_new
             from (
               select element -> 'kind' as kind, (element -> 'count')::integer as count, ordinal, element -> 'examples' as examples,
                      (element -> 'estimate')::double precision as estimate, sha256(convert_to((element -> 'kind')::text, 'UTF8')) as digest
                 from jsonb_array_elements($3::jsonb) with ordinality as given (element, ordinal)) added
            cross join lateral (
              select exists (select from impact_group kept
                              where kept.tenant_id = $1 and ${KEPT.reportId} = $2 and ${KEPT.kindDigest} = added.digest) as is_known,
                                ${looser('added.kind')} as looser) standing
           ) placed
        where is_known or ordinal_of_new <= $4 - (select count(*) from impact_group kept
                                               where kept.tenant_id = $1 and ${KEPT.reportId} = $2 and (${looser(KEPT.kind)}) = placed.looser)
       on conflict (tenant_id, ${COLUMN.reportId}, ${COLUMN.kindDigest}) do update set
         ${COLUMN.count} = ${IMPACT_GROUP.count} + excluded.${COLUMN.count},
         ${COLUMN.estimate} = ${IMPACT_GROUP.estimate} + excluded.${COLUMN.estimate},
         ${COLUMN.examples} = jsonb_path_query_array(${IMPACT_GROUP.examples} || excluded.${COLUMN.examples}, '$[0 to ${String(MAX_EXAMPLES - 1)}]')`,
      [tx.tenantId, id, JSON.stringify(groups), MAX_KEPT],
    );
  }
}
