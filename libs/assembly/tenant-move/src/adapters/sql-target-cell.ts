import { escapeIdentifier, escapeLiteral } from 'pg';
import type { TenantId } from '#lib/kernel';
import { policyBundleEntity } from '#lib/policy';
import { slackInstallationEntity } from '#lib/slack';
import type { Move, SourceAddress, TargetCell, Wrapped } from '../application/move.ports.js';
import type { EncryptedValue, StoredRow } from '../domain/encrypted-values.js';
import { asReplica } from './sql-as-replica.js';
import { nameOfMove, SqlCell } from './sql-cell.js';

const COLUMN = policyBundleEntity.column;
const SLACK_INSTALLATION = slackInstallationEntity.as('slack_installation');

/** The setting in which the database session keeps the password until it is read. */
const SECRET = 'countersign.move_password';

/** The installation that takes a tenant, by a login that may follow another server and write past its own rules. */
export class SqlTargetCell extends SqlCell implements TargetCell {
  override async missingRights(): Promise<readonly string[]> {
    const found = await this.one<Record<string, boolean>>(
      `select rolsuper or (pg_has_role(current_user, 'pg_create_subscription', 'usage')
                and has_database_privilege(current_database(), 'create')) as "pg_create_subscription, and CREATE on the database",
              rolsuper or rolbypassrls as "BYPASSRLS",
              rolsuper or pg_has_role(current_user, 'countersign_owner', 'usage') as "membership in countersign_owner",
              rolsuper or has_parameter_privilege('session_replication_role', 'set') as "SET ON PARAMETER session_replication_role"
         from pg_roles where rolname = current_user`,
    );
    return Object.entries(found).flatMap(([right, there]) => (there ? [] : [right]));
  }

  async addBundles(bundles: readonly StoredRow[]): Promise<void> {
    for (const bundle of bundles)
      await this.rows(
        `insert into policy_bundle (${COLUMN.revision}, ${COLUMN.wasmDigest}, ${COLUMN.entrypoints}, ${COLUMN.sources}, ${COLUMN.wasm},
           installed_at)
         values ($1, $2, $3::jsonb, $4::jsonb, $5, $6) on conflict (${COLUMN.revision}) do nothing`,
        [bundle.revision, bundle.wasm_digest, bundle.entrypoints, bundle.sources, bundle.wasm, bundle.installed_at],
      );
  }

  /**
   * The server makes the password itself, inside a block. No statement that a client sends has it, so no log has it.
   */
  async prepare(move: Move, source: SourceAddress): Promise<string> {
    const name = nameOfMove(move);
    const settings = {
      host: source.host,
      port: String(source.port),
      dbname: source.database,
      user: source.user,
      ...(source.sslMode === null ? {} : { sslmode: source.sslMode }),
    };
    const connection = Object.entries(settings)
      .map(([key, value]) => `${key}='${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`)
      .join(' ');
    // Its worker writes as the login of this command: the owner of the tables is under their row-level security.
    await this.client.query(
      `create subscription ${name} connection ${escapeLiteral(`${connection} password=none`)} publication ${name}
         with (connect = false, run_as_owner = true, origin = none)`,
    );
    // Apart from the first statement, which warns that nothing is connected: a warning in a block shows the block's statement.
    const block = `declare
        password text := translate(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
      begin
        execute format('alter subscription ${name} connection %L', ${escapeLiteral(connection)} || ' password=' || password);
        perform set_config('${SECRET}', password, false);
      end`;
    await this.client.query(`do ${escapeLiteral(block)}`);
    const { password } = await this.one<{ password: string }>(`select current_setting('${SECRET}') as password`);
    await this.client.query(`reset ${SECRET}`);
    return password;
  }

  async follow(move: Move): Promise<void> {
    const name = nameOfMove(move);
    await this.client.query(`alter subscription ${name} enable`);
    await this.client.query(`alter subscription ${name} refresh publication with (copy_data = true)`);
  }

  async following(move: Move): Promise<'no' | 'copying' | 'yes'> {
    const [found] = await this.rows<{ ready: boolean | null }>(
      `select (select bool_and(part.srsubstate = 'r') from pg_subscription_rel part where part.srsubid = s.oid) as ready
         from pg_subscription s where s.subname = $1 and s.subenabled`,
      [nameOfMove(move)],
    );
    // Without a table it was interrupted before it followed any.
    const ready = found?.ready ?? null;
    if (ready === null) return 'no';
    return ready ? 'yes' : 'copying';
  }

  async unfollow(move: Move): Promise<void> {
    const name = nameOfMove(move);
    const [there] = await this.rows('select from pg_subscription where subname = $1', [name]);
    if (there === undefined) return;
    await this.client.query(`alter subscription ${name} disable`);
    await this.client.query(`drop subscription ${name}`).catch(async () => {
      // The source cannot be reached: its side drops the slot.
      await this.client.query(`alter subscription ${name} set (slot_name = none)`);
      await this.client.query(`drop subscription ${name}`);
    });
  }

  async rewrap(tenantId: TenantId, value: EncryptedValue, row: StoredRow, wrapped: Wrapped): Promise<void> {
    const bytes = [Buffer.from(wrapped.nonce), Buffer.from(wrapped.ciphertext)];
    const sets: readonly (readonly [string, unknown])[] =
      'text' in value.columns
        ? [[value.columns.text, [wrapped.keyId, ...bytes.map((part) => part.toString('base64url'))].join('.')]]
        : [
            [value.columns.keyId, wrapped.keyId],
            [value.columns.nonce, bytes[0]],
            [value.columns.ciphertext, bytes[1]],
          ];
    const placeholder = (index: number): string => `$${String(index + 2)}`;
    const parameters = [...sets, ...value.key.map((column) => [column, row[column]] as const)];
    const terms = parameters.map(([column], index) => `${escapeIdentifier(column)} = ${placeholder(index)}`);
    await asReplica(this.client, () =>
      this.rows(
        `update ${escapeIdentifier(value.table)} set ${terms.slice(0, sets.length).join(', ')}
          where ${['tenant_id = $1', ...terms.slice(sets.length)].join(' and ')}`,
        [tenantId, ...parameters.map(([, content]) => content)],
      ),
    );
  }

  async raiseNumbers(tenantId: TenantId): Promise<void> {
    await this.rows(
      // Never back: numbers that others take meanwhile would come twice.
      `select setval(sequence, highest)
         from (select pg_get_serial_sequence('audit_entry', 'entry_number')::regclass as sequence, max(entry_number) as highest
                 from audit_entry where tenant_id = $1) raised
        where highest > (select last_value from audit_entry_entry_number_seq)`,
      [tenantId],
    );
  }

  /** The workspaces of the tenant's Slack app: their requests name no tenant. */
  slackTeams(
    tenantId: TenantId,
  ): Promise<readonly { readonly appId: string; readonly teamId: string; readonly tenantId: TenantId }[]> {
    return this.rows(
      `select ${SLACK_INSTALLATION.appId} as "appId", ${SLACK_INSTALLATION.teamId} as "teamId", tenant_id as "tenantId"
         from slack_installation where tenant_id = $1`,
      [tenantId],
    );
  }

  async clear(tenantId: TenantId): Promise<void> {
    const tables = await this.tenantTables();
    await asReplica(this.client, async () => {
      for (const { name, tenantColumn } of tables)
        await this.rows(`delete from ${escapeIdentifier(name)} where ${escapeIdentifier(tenantColumn)} = $1`, [
          tenantId,
        ]);
    });
  }
}
