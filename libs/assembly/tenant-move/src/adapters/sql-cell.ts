import { escapeIdentifier, type Client } from 'pg';
import { auditCheckpointEntity, auditSigningKeyEntity } from '#lib/audit';
import { DatabaseHosts, serverAddresses } from '#lib/database';
import { fail, type TenantId } from '#lib/kernel';
import { tenantEntity } from '#lib/tenancy';
import * as refusals from '../application/move-refusals.js';
import type { Advance, Cell, EncryptedRow, Move, TableDigest, TableMonth, Wrapped } from '../application/move.ports.js';
import { encryptedColumns, type EncryptedValue } from '../domain/encrypted-values.js';
import { isHeld, stateAfter, type MoveEvent, type MoveState } from '../domain/move-state.js';
import { DETACHED_MONTHS, detachedMonths } from './sql-months-of-tenant.js';

const TENANT = tenantEntity.as('tenant');
const AUDIT_SIGNING_KEY = auditSigningKeyEntity.as('audit_signing_key');
const AUDIT_CHECKPOINT = auditCheckpointEntity.as('audit_checkpoint');

/** A table with rows of tenants, and its column that names the tenant. */
export interface TenantTable {
  readonly name: string;
  readonly tenantColumn: string;
  readonly columns: readonly string[];
}

const ignore = (): void => undefined;

/** Rows about a move itself are each side's own. Vectors are made again, perhaps of another type. */
const OWN_TABLES = ['tenant_move', 'precedent_vector'];
/** A generated column that names a transaction of its own server. */
const OWN_COLUMNS = ['xid'];

const SEALED_TEXT = /^([^.]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/** Rows read as text are spelt alike on every server. */
const SPELLING =
  "set search_path = public; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1";

/** One installation's database, by a login of its operator. */
export class SqlCell implements Cell {
  /** By table: the salt and the columns of the digests that {@link digestAhead} kept in this database session. */
  readonly #ahead = new Map<string, string>();

  /** @param aheadFrom the least rows of a table of which {@link digestAhead} keeps digests; fewer are read in no time. */
  constructor(
    protected readonly client: Client,
    private readonly aheadFrom = 10_000,
  ) {}

  /**
   * A client for a cell, connected to the host that writes.
   *
   * @param url of one host or several.
   * @throws {FailureError} `tenant_move.pooled`: settings and locks of a database session do not last behind a pooler.
   */
  static async connect(url: string): Promise<Client> {
    const hosts = new DatabaseHosts(serverAddresses(url));
    const client = hosts.client({ application_name: 'countersign-move', connectionTimeoutMillis: 10_000 });
    // The next statement on a lost connection fails. Without a listener its error would end the process.
    client.on('error', ignore);
    await client.connect();
    await hosts.verify(client);
    if (hosts.pooled) {
      await client.end();
      fail(refusals.pooled);
    }
    await client.query(SPELLING);
    // The server notices a command that was killed during a long statement, where its system can tell.
    await client.query("set client_connection_check_interval = '2s'").catch(ignore);
    return client;
  }

  async identity(): Promise<string> {
    return (await this.one<{ identity: string }>(IDENTITY)).identity;
  }

  missingRights(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async lock(slug: string): Promise<boolean> {
    const { locked } = await this.one<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
      [`countersign.tenant_move ${slug}`],
    );
    return locked;
  }

  async detachedMonths(): Promise<readonly TableMonth[]> {
    return (await detachedMonths(this.client)).map(({ month }) => month);
  }

  async schema(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.rows<{ name: string; checksum: string }>(
      'select name, checksum from schema_migration_file',
    );
    return new Map(rows.map(({ name, checksum }) => [name, checksum]));
  }

  async tenantBySlug(slug: string): Promise<TenantId | null> {
    const [row] = await this.rows<{ id: TenantId }>(`select ${TENANT.id} from tenant where ${TENANT.slug} = $1`, [
      slug,
    ]);
    return row?.id ?? null;
  }

  async liveMove(slug: string): Promise<Move | null> {
    const [row] = await this.rows<MoveRow>(
      `select tenant_id, id, state, closed_epoch from tenant_move where slug = $1 and state not in ('arrived', 'undone', 'forgotten')`,
      [slug],
    );
    return row === undefined ? null : toMove(row);
  }

  async insertMove(
    { tenantId, id, slug }: { tenantId: TenantId; id: string; slug: string },
    state: MoveState,
  ): Promise<void> {
    await this.rows(
      `insert into tenant_move (tenant_id, id, slug, state, begun_at, changed_at)
       values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp())`,
      [tenantId, id, slug, state],
    );
  }

  async advance(move: Move, event: MoveEvent, { closedEpoch, heldMs }: Advance = {}): Promise<Move> {
    const next = stateAfter(move.state, event);
    if (next === null) throw new Error(`A move that is ${move.state} knows no ${event}.`);
    const [row] = await this.rows<MoveRow>(
      `update tenant_move set state = $3, changed_at = clock_timestamp(), closed_epoch = coalesce($5, closed_epoch),
              held_until = case when $7 then coalesce(clock_timestamp() + $6::integer * interval '1 millisecond', held_until) end
        where tenant_id = $1 and id = $2 and state = $4 returning tenant_id, id, state, closed_epoch`,
      [move.tenantId, move.id, next, move.state, closedEpoch ?? null, heldMs ?? null, isHeld(next)],
    );
    if (row !== undefined) return toMove(row);
    const [now] = await this.rows<{ state: MoveState }>(
      'select state from tenant_move where tenant_id = $1 and id = $2',
      [move.tenantId, move.id],
    );
    return fail(isHeld(move.state) && now?.state === 'copying' ? refusals.heldTooLong : refusals.otherCommand);
  }

  async digestAhead(tenantId: TenantId, salt: Uint8Array): Promise<void> {
    this.#ahead.clear();
    const { allowed } = await this.one<{ allowed: boolean }>(
      "select has_database_privilege(current_database(), 'temporary') as allowed",
    );
    // Then every row is read during the freeze.
    if (!allowed) return;
    for (const table of await this.tenantTables()) {
      const { rows } = await this.one<{ rows: number }>(
        `select count(*)::integer as rows from (select from ${rowsOf(table)} limit ${String(this.aheadFrom)}) each`,
        [tenantId],
      );
      if (rows < this.aheadFrom) continue;
      const versions = versionsOf(table);
      await this.client.query(
        `drop table if exists ${versions};
         create temporary table ${versions} (part oid not null, at tid not null, made xid not null, digest bigint not null)`,
      );
      await this.rows(
        `insert into ${versions} select each.tableoid, each.ctid, each.xmin, ${digestOfRow(table)}
           from ${rowsOf(table)}`,
        [tenantId, Buffer.from(salt)],
      );
      await this.client.query(`analyze ${versions}`);
      this.#ahead.set(table.name, aheadBy(table, salt));
    }
  }

  async digests(tenantId: TenantId, salt: Uint8Array): Promise<ReadonlyMap<string, TableDigest>> {
    const digests = new Map<string, TableDigest>();
    for (const table of await this.tenantTables()) {
      const known = this.#ahead.get(table.name) === aheadBy(table, salt);
      digests.set(
        table.name,
        await this.one<{ rows: string; digest: string }>(known ? digestsOfChanged(table) : digestsOfAll(table), [
          tenantId,
          Buffer.from(salt),
        ]),
      );
    }
    return digests;
  }

  async encrypted(tenantId: TenantId, value: EncryptedValue): Promise<readonly EncryptedRow[]> {
    const columns = [...value.key, ...(value.named ?? []), ...Object.values(value.columns)].map(escapeIdentifier);
    const there = 'text' in value.columns ? value.columns.text : value.columns.ciphertext;
    const rows = await this.rows<Record<string, unknown>>(
      `select ${columns.join(', ')} from ${escapeIdentifier(value.table)}
        where tenant_id = $1 and ${escapeIdentifier(there)} is not null
        order by ${[...value.key.map(escapeIdentifier), '1'].join(', ')}`,
      [tenantId],
    );
    return rows.map((row) => ({ row, wrapped: wrappedIn(value, row) }));
  }

  async signingKeys(tenantId: TenantId): Promise<readonly string[]> {
    const rows = await this.rows<{ key_name: string }>(
      `select ${AUDIT_SIGNING_KEY.keyName} as key_name from audit_signing_key where tenant_id = $1 order by ${AUDIT_SIGNING_KEY.keyName}`,
      [tenantId],
    );
    return rows.map(({ key_name: name }) => name);
  }

  async treeHead(
    tenantId: TenantId,
  ): Promise<{ readonly epoch: number; readonly size: string; readonly root: string } | null> {
    const [row] = await this.rows<{ epoch: number; size: string; root: string }>(
      `select ${AUDIT_CHECKPOINT.epoch} as epoch, ${AUDIT_CHECKPOINT.treeSize}::text as size, encode(${AUDIT_CHECKPOINT.rootHash}, 'hex') as root
         from audit_checkpoint
        where tenant_id = $1 order by ${AUDIT_CHECKPOINT.epoch} desc, ${AUDIT_CHECKPOINT.treeSize} desc limit 1`,
      [tenantId],
    );
    return row ?? null;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Every table with rows of tenants that survive a crash. */
  protected tenantTables(): Promise<readonly TenantTable[]> {
    return this.rows<TenantTable>(
      `select c.relname as name, tenant.attname as "tenantColumn",
              (select array_agg(a.attname::text order by a.attname) from pg_attribute a
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> all ($2)) as columns
         from pg_class c
         join pg_attribute tenant on tenant.attrelid = c.oid and not tenant.attisdropped
          and tenant.attname = case when c.relname = 'tenant' then 'id' else 'tenant_id' end
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and c.relpersistence = 'p' and c.relname <> all ($1)
          and c.oid not in (select part.oid from ${DETACHED_MONTHS})
        order by c.relname`,
      [OWN_TABLES, OWN_COLUMNS],
    );
  }

  protected async rows<Row extends object>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, [...parameters])).rows;
  }

  protected async one<Row extends object>(text: string, parameters: readonly unknown[] = []): Promise<Row> {
    const [row] = await this.rows<Row>(text, parameters);
    if (row === undefined) throw new Error('PostgreSQL gave no row.');
    return row;
  }
}

/**
 * The digest of a row of `each`, under the key in $2. Since that is new and secret, 64 bits are enough. Encrypted values are compared by
 * their plaintext.
 */
function digestOfRow({ name, columns }: TenantTable): string {
  const encrypted = encryptedColumns(name);
  const compared = columns
    .filter((column) => !encrypted.includes(column))
    .map((column) => `each.${escapeIdentifier(column)}`);
  const digest = `sha256($2::bytea || convert_to(row(${compared.join(', ')})::text, 'UTF8'))`;
  return `('x' || encode(substring(${digest} for 8), 'hex'))::bit(64)::bigint`;
}

/** The sum of the rows' digests is the same in every order. */
const digestsOfAll = (table: TenantTable): string =>
  `select count(*)::text as rows, coalesce(sum(${digestOfRow(table)}), 0)::text as digest from ${rowsOf(table)}`;

/** The same, but only rows of which no version is known are read as text. The first join is narrow: it spills no whole row. */
const digestsOfChanged = (table: TenantTable): string =>
  `with found as materialized (
     select each.tableoid as part, each.ctid as at, version.digest
       from ${escapeIdentifier(table.name)} each
            left join ${versionsOf(table)} version
              on version.part = each.tableoid and version.at = each.ctid and version.made = each.xmin
      where each.${escapeIdentifier(table.tenantColumn)} = $1)
   select (select count(*) from found)::text as rows,
          (coalesce((select sum(digest) from found), 0)
           + coalesce((select sum(${digestOfRow(table)})
                         from found join ${escapeIdentifier(table.name)} each
                           on each.tableoid = found.part and each.ctid = found.at
                        where found.digest is null), 0))::text as digest`;

const rowsOf = ({ name, tenantColumn }: TenantTable): string =>
  `${escapeIdentifier(name)} each where each.${escapeIdentifier(tenantColumn)} = $1`;

/** The digests of a table's rows from before the freeze, in the database session. */
const versionsOf = ({ name }: TenantTable): string => `pg_temp.${escapeIdentifier(`version_of_${name}`)}`;

/** Digests under another key, or of other columns, are of no use. */
const aheadBy = ({ columns }: TenantTable, salt: Uint8Array): string =>
  `${Buffer.from(salt).toString('hex')} ${columns.join(' ')}`;

/** Server and database: `pg_control_system` is open to every login. */
export const IDENTITY = "select system_identifier || '/' || current_database() as identity from pg_control_system()";

/** The name of publication, subscription, slot and login of a move. */
export const nameOfMove = ({ id }: Pick<Move, 'id'>): string => `countersign_move_${id.replaceAll('-', '')}`;

interface MoveRow {
  readonly tenant_id: TenantId;
  readonly id: string;
  readonly state: MoveState;
  readonly closed_epoch: number | null;
}

const toMove = ({ tenant_id: tenantId, id, state, closed_epoch: closedEpoch }: MoveRow): Move => ({
  tenantId,
  id,
  state,
  closedEpoch,
});

function wrappedIn({ table, columns }: EncryptedValue, row: Readonly<Record<string, unknown>>): Wrapped {
  if ('text' in columns) {
    const [, keyId, nonce, ciphertext] = SEALED_TEXT.exec(String(row[columns.text])) ?? [];
    if (keyId === undefined || nonce === undefined || ciphertext === undefined)
      throw new Error(`A value in ${table} is not encrypted as it should be.`);
    return { keyId, nonce: Buffer.from(nonce, 'base64url'), ciphertext: Buffer.from(ciphertext, 'base64url') };
  }
  // Both columns are of type bytea.
  const [nonce, ciphertext] = [row[columns.nonce], row[columns.ciphertext]] as [Uint8Array, Uint8Array];
  return { keyId: String(row[columns.keyId]), nonce, ciphertext };
}
