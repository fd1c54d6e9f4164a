import { Any } from 'typeorm';
import { toolDefinitionSchema } from '#lib/formats';
import { lockName, ParsedTexts, rowsOf, sqlOf } from '#lib/database';
import { newId, type PersonId, type ToolVersionId, type Tx } from '#lib/kernel';
import type { ReadOptions, RecordedToolVersion, ToolRepository } from '../application/tool.ports.js';
import type { ToolHead, ToolVersion } from '../domain/tool-version.js';
import { toolEntity, toolVersionEntity } from './tool.entity.js';

const V = toolVersionEntity.as('v');
const T = toolEntity.as('t');
const TOOL = toolEntity.as('tool');
const COLUMN = toolEntity.column;

const TOOL_ROW = toolEntity.all;
const VERSION = toolVersionEntity.pick('id', 'name', 'version', 'digest', 'definition');
const RECORDED = toolVersionEntity.pick('id', 'name', 'version', 'digest', 'definition', 'createdAt', 'createdBy');
const REMOVED = toolEntity.pick('removed');

const CURRENT = `from tool t
  join tool_version v on v.tenant_id = t.tenant_id and ${V.toolId} = ${T.id} and ${V.version} = ${T.version}
  where t.tenant_id = $1`;

type VersionRow = NonNullable<typeof VERSION.holds>;

const definitions = new ParsedTexts('tool_version', 'definition', toolDefinitionSchema);

export const toolVersionOf = ({ id, name, version, digest, definition }: VersionRow): ToolVersion => ({
  id,
  name,
  version,
  digest,
  definition: definitions.of(definition, id),
});

function recordedOf(row: object): RecordedToolVersion {
  const { createdAt, createdBy, ...version } = RECORDED.row(row);
  return { ...toolVersionOf(version), createdAt, createdBy };
}

/** Tools in PostgreSQL, tables tool and tool_version. */
export class SqlToolRepository implements ToolRepository {
  async resolve(tx: Tx, name: string, options: ReadOptions = {}): Promise<ToolVersion | null> {
    return (await this.resolveMany(tx, [name], options)).get(name) ?? null;
  }

  async resolveMany(
    tx: Tx,
    names: readonly string[],
    options: ReadOptions = {},
  ): Promise<ReadonlyMap<string, ToolVersion>> {
    const wanted = [tx.tenantId, [...new Set(names)]];
    // The lock first, as a statement of its own. A join that waited for it would still see the earlier versions.
    const [, rows] = await Promise.all([
      options.lock === 'share' &&
        sqlOf(tx).query(
          `select from tool where tenant_id = $1 and ${TOOL.name} = any ($2::text[]) order by ${TOOL.name} for share`,
          wanted,
        ),
      sqlOf(tx).query<VersionRow>(
        `select ${VERSION.columns('v')} ${CURRENT} and ${T.name} = any ($2::text[]) and not ${T.removed}`,
        wanted,
      ),
    ]);
    return new Map(rows.map((row) => [row.name, toolVersionOf(row)]));
  }

  async get(tx: Tx, name: string, version: number): Promise<ToolVersion | null> {
    const row = await rowsOf(tx, toolVersionEntity).findOne({ name, version });
    return row === null ? null : toolVersionOf(row);
  }

  async getMany(tx: Tx, ids: readonly ToolVersionId[]): Promise<ReadonlyMap<ToolVersionId, ToolVersion>> {
    const rows = await rowsOf(tx, toolVersionEntity).find({ id: Any([...new Set(ids)]) });
    return new Map(rows.map((row) => [row.id, toolVersionOf(row)]));
  }

  async list(tx: Tx): Promise<readonly RecordedToolVersion[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${RECORDED.columns('v')} ${CURRENT} and not ${T.removed} order by ${T.name}`,
      [tx.tenantId],
    );
    return rows.map(recordedOf);
  }

  async lockForChange(tx: Tx): Promise<void> {
    await lockName(tx, `countersign.tool:${tx.tenantId}`);
  }

  async heads(tx: Tx): Promise<ReadonlyMap<string, ToolHead>> {
    await rowsOf(tx, toolEntity).find({}, { only: ['id'], order: { name: 'asc' }, lock: 'update' });
    const rows = await sqlOf(tx).query<VersionRow & NonNullable<typeof REMOVED.holds>>(
      `select ${VERSION.columns('v')}, ${REMOVED.columns('t')} ${CURRENT} order by ${T.name}`,
      [tx.tenantId],
    );
    return new Map(
      rows.map((row) => [row.name, { name: row.name, removed: row.removed, current: toolVersionOf(row) }]),
    );
  }

  async history(
    tx: Tx,
    name: string,
  ): Promise<{ readonly removed: boolean; readonly versions: readonly RecordedToolVersion[] } | null> {
    const rows = await sqlOf(tx).query<NonNullable<typeof REMOVED.holds>>(
      `select ${RECORDED.columns('v')}, ${REMOVED.columns('t')}
       from tool t join tool_version v on v.tenant_id = t.tenant_id and ${V.toolId} = ${T.id}
       where t.tenant_id = $1 and ${T.name} = $2 order by ${V.version} desc`,
      [tx.tenantId, name],
    );
    const [newest] = rows;
    return newest === undefined ? null : { removed: newest.removed, versions: rows.map(recordedOf) };
  }

  async addVersion(tx: Tx, tool: ToolVersion, definitionText: string, createdBy: PersonId, at: number): Promise<void> {
    const { name, version } = tool;
    const row = { id: newId(), name, version, removed: false, createdAt: at, updatedAt: at };
    const [head] = await sqlOf(tx).query<{ readonly id: string }>(
      `insert into ${TOOL_ROW.into} values ($1, $2, $3, $4, $5, $6, $7)
       on conflict on constraint tool_name_key do update set ${COLUMN.version} = excluded.${COLUMN.version}, ${COLUMN.removed} = false,
         ${COLUMN.updatedAt} = excluded.${COLUMN.updatedAt}
       returning ${COLUMN.id}`,
      [tx.tenantId, ...TOOL_ROW.parametersOf(row)],
    );
    if (head === undefined) throw new Error(`an insert of the tool ${tool.name} returned no row`);
    const stored = { ...tool, toolId: head.id, definition: definitionText, createdAt: at, createdBy };
    await rowsOf(tx, toolVersionEntity).insert(stored);
  }

  async remove(tx: Tx, name: string, at: number): Promise<void> {
    await rowsOf(tx, toolEntity).update({ name }, { removed: true, updatedAt: at });
  }
}
