import type { ToolDefinition } from '#lib/contracts';
import { sqlOf } from '#lib/database';
import { newId, type Digest, type PersonId, type ToolVersionId, type Tx } from '#lib/kernel';
import type { ReadOptions, RecordedToolVersion, ToolRepository } from '../application/tool.ports.js';
import type { ToolHead, ToolVersion } from '../domain/tool-version.js';

interface VersionRow {
  readonly id: ToolVersionId;
  readonly name: string;
  readonly version: number;
  readonly digest: Digest;
  readonly definition: string;
}

interface RecordedRow extends VersionRow {
  readonly created_at: Date;
  readonly created_by: PersonId;
}

const COLUMNS = 'v.id, v.name, v.version, v.digest, v.definition';
const CURRENT = `from tool t
  join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id and v.version = t.version
  where t.tenant_id = $1`;

const versionOf = (row: VersionRow): ToolVersion => ({
  id: row.id,
  name: row.name,
  version: row.version,
  digest: row.digest,
  // Stored as this registry wrote it, after it was checked against the contract.
  definition: JSON.parse(row.definition) as ToolDefinition,
});

const recordedOf = (row: RecordedRow): RecordedToolVersion => ({
  ...versionOf(row),
  createdAt: row.created_at.getTime(),
  createdBy: row.created_by,
});

/** Tools in PostgreSQL, tables tool and tool_version. */
export class TypeormToolRepository implements ToolRepository {
  async resolve(tx: Tx, name: string, options: ReadOptions = {}): Promise<ToolVersion | null> {
    return (await this.resolveMany(tx, [name], options)).get(name) ?? null;
  }

  async resolveMany(
    tx: Tx,
    names: readonly string[],
    options: ReadOptions = {},
  ): Promise<ReadonlyMap<string, ToolVersion>> {
    const wanted = [tx.tenantId, [...new Set(names)]];
    // The lock first, as a statement of its own: a join that waited for it would still see the versions of before.
    const [, rows] = await Promise.all([
      options.lock === 'share' &&
        sqlOf(tx).query(
          'select from tool where tenant_id = $1 and name = any ($2::text[]) order by name for share',
          wanted,
        ),
      sqlOf(tx).query<VersionRow>(
        `select ${COLUMNS} ${CURRENT} and t.name = any ($2::text[]) and not t.removed`,
        wanted,
      ),
    ]);
    return new Map(rows.map((row) => [row.name, versionOf(row)]));
  }

  async get(tx: Tx, name: string, version: number): Promise<ToolVersion | null> {
    const [row] = await sqlOf(tx).query<VersionRow>(
      `select ${COLUMNS} from tool_version v where v.tenant_id = $1 and v.name = $2 and v.version = $3`,
      [tx.tenantId, name, version],
    );
    return row === undefined ? null : versionOf(row);
  }

  async getMany(tx: Tx, ids: readonly ToolVersionId[]): Promise<ReadonlyMap<ToolVersionId, ToolVersion>> {
    const rows = await sqlOf(tx).query<VersionRow>(
      `select ${COLUMNS} from tool_version v where v.tenant_id = $1 and v.id = any ($2::uuid[])`,
      [tx.tenantId, [...new Set(ids)]],
    );
    return new Map(rows.map((row) => [row.id, versionOf(row)]));
  }

  async list(tx: Tx): Promise<readonly RecordedToolVersion[]> {
    const rows = await sqlOf(tx).query<RecordedRow>(
      `select ${COLUMNS}, v.created_at, v.created_by ${CURRENT} and not t.removed order by t.name`,
      [tx.tenantId],
    );
    return rows.map(recordedOf);
  }

  async lockForChange(tx: Tx): Promise<void> {
    await sqlOf(tx).query(`select pg_advisory_xact_lock(hashtextextended('countersign.tool:' || $1, 0))`, [
      tx.tenantId,
    ]);
  }

  async heads(tx: Tx): Promise<ReadonlyMap<string, ToolHead>> {
    await sqlOf(tx).query('select from tool where tenant_id = $1 order by name for update', [tx.tenantId]);
    const rows = await sqlOf(tx).query<VersionRow & { readonly removed: boolean }>(
      `select ${COLUMNS}, t.removed ${CURRENT} order by t.name`,
      [tx.tenantId],
    );
    return new Map(rows.map((row) => [row.name, { name: row.name, removed: row.removed, current: versionOf(row) }]));
  }

  async history(
    tx: Tx,
    name: string,
  ): Promise<{ readonly removed: boolean; readonly versions: readonly RecordedToolVersion[] } | null> {
    const rows = await sqlOf(tx).query<RecordedRow & { readonly removed: boolean }>(
      `select ${COLUMNS}, v.created_at, v.created_by, t.removed
       from tool t join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id
       where t.tenant_id = $1 and t.name = $2 order by v.version desc`,
      [tx.tenantId, name],
    );
    const [newest] = rows;
    return newest === undefined ? null : { removed: newest.removed, versions: rows.map(recordedOf) };
  }

  async addVersion(tx: Tx, tool: ToolVersion, definitionText: string, createdBy: PersonId, at: number): Promise<void> {
    const sql = sqlOf(tx);
    const moment = new Date(at);
    const [head] = await sql.query<{ readonly id: string }>(
      `insert into tool (tenant_id, id, name, version, removed, created_at, updated_at)
       values ($1, $2, $3, $4, false, $5, $5)
       on conflict on constraint tool_name_key do update set version = excluded.version, removed = false, updated_at = excluded.updated_at
       returning id`,
      [tx.tenantId, newId(), tool.name, tool.version, moment],
    );
    await sql.execute(
      `insert into tool_version (tenant_id, id, tool_id, name, version, digest, definition, created_at, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [tx.tenantId, tool.id, head?.id, tool.name, tool.version, tool.digest, definitionText, moment, createdBy],
    );
  }

  async remove(tx: Tx, name: string, at: number): Promise<void> {
    await sqlOf(tx).execute('update tool set removed = true, updated_at = $3 where tenant_id = $1 and name = $2', [
      tx.tenantId,
      name,
      new Date(at),
    ]);
  }
}
