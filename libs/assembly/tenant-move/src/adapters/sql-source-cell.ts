import { setTimeout as delay } from 'node:timers/promises';
import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import type { TenantId } from '#lib/kernel';
import { hookExecutionEntity } from '#lib/lifecycle-hook';
import { decisionEntity, policyBundleEntity } from '#lib/policy';
import { runStepEntity } from '#lib/run';
import { simulationEntity } from '#lib/simulation';
import { slackMessageEntity } from '#lib/slack';
import { toolCallEntity } from '#lib/tool-call';
import { webhookDeliveryEntity } from '#lib/webhook';
import type { Move, SourceAddress, SourceCell, TableMonth } from '../application/move.ports.js';
import type { StoredRow } from '../domain/encrypted-values.js';
import { nameOfMove, SqlCell } from './sql-cell.js';
import { purgeTenant } from './sql-purge-tenant.js';
import { scramVerifier } from './scram-verifier.js';
import { monthsOfTenant } from './sql-months-of-tenant.js';

const RUN_STEP = runStepEntity.as('run_step');
const TOOL_CALL = toolCallEntity.as('tool_call');
const SIMULATION = simulationEntity.as('simulation');
const WEBHOOK_DELIVERY = webhookDeliveryEntity.as('webhook_delivery');
const SLACK_MESSAGE = slackMessageEntity.as('slack_message');
const LIFECYCLE_HOOK_EXECUTION = hookExecutionEntity.as('lifecycle_hook_execution');
const POLICY_BUNDLE = policyBundleEntity.as('policy_bundle');
const DECISION = decisionEntity.as('decision');

const LOOK_MS = 50;
const DROP_TRIES = 100;

/** Where the target's server reaches the server of the source. */
export interface SeenAt {
  readonly host: string;
  readonly port: number;
  readonly sslMode: string | null;
}

/** The installation that a tenant leaves. Its login may publish the tenant's tables and make a login for the target. */
export class SqlSourceCell extends SqlCell implements SourceCell {
  constructor(
    client: Client,
    private readonly seenAt: SeenAt,
  ) {
    super(client);
  }

  override async missingRights(): Promise<readonly string[]> {
    const found = await this.one<Record<string, boolean>>(
      `select rolsuper or (rolreplication and rolbypassrls and rolcreaterole) as "REPLICATION, BYPASSRLS and CREATEROLE, or superuser",
              rolsuper or pg_has_role(current_user, 'countersign_owner', 'usage') as "membership in countersign_owner",
              has_database_privilege(current_database(), 'create') as "CREATE on the database",
              current_setting('wal_level') = 'logical' as "wal_level = logical (a setting of the server)"
         from pg_roles where rolname = current_user`,
    );
    return Object.entries(found).flatMap(([right, there]) => (there ? [] : [right]));
  }

  async address(move: Move): Promise<SourceAddress> {
    const { database } = await this.one<{ database: string }>('select current_database() as database');
    return { ...this.seenAt, database, user: nameOfMove(move) };
  }

  async publish(move: Move, password: string): Promise<void> {
    const name = nameOfMove(move);
    await this.unpublish(move);
    const tables = await this.tenantTables();
    const filtered = tables.map(
      (table) =>
        `${escapeIdentifier(table.name)} where (${escapeIdentifier(table.tenantColumn)} = ${escapeLiteral(move.tenantId)})`,
    );
    await this.client.query(
      // One transaction, as the statements travel together.
      `create publication ${name} for table ${filtered.join(', ')} with (publish_via_partition_root = true);
       create role ${name} login replication bypassrls password ${escapeLiteral(scramVerifier(password))};
       grant ${name} to current_user;
       grant usage on schema public to ${name};
       grant select on ${tables.map((table) => escapeIdentifier(table.name)).join(', ')} to ${name}`,
    );
    await this.rows("select pg_create_logical_replication_slot($1, 'pgoutput')", [name]);
  }

  async unpublish(move: Move): Promise<void> {
    const name = nameOfMove(move);
    await this.#dropSlot(name);
    await this.#dropSlotsOfCopies();
    await this.client.query(`drop publication if exists ${name}`);
    const [role] = await this.rows('select from pg_roles where rolname = $1', [name]);
    if (role !== undefined) await this.client.query(`drop owned by ${name}; drop role ${name}`);
  }

  /** PostgreSQL names the slot of a table's first copy itself. One is left if its follower is gone before it could say so. */
  async #dropSlotsOfCopies(): Promise<void> {
    await this.rows(
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots
        where database = current_database() and not active and slot_name ~ '^pg_[0-9]+_sync_[0-9]+_[0-9]+$'
          and not exists (select from tenant_move where state = 'copying')`,
    );
  }

  /** A slot without its follower would keep the log of the server for ever. */
  async #dropSlot(name: string): Promise<void> {
    for (let left = DROP_TRIES; left > 0; left -= 1) {
      const [slot] = await this.rows<{ pid: number | null }>(
        'select active_pid as pid from pg_replication_slots where slot_name = $1',
        [name],
      );
      if (slot === undefined) return;
      if (slot.pid === null) await this.rows('select pg_drop_replication_slot($1)', [name]);
      else {
        await this.rows('select pg_terminate_backend($1)', [slot.pid]);
        await delay(LOOK_MS);
      }
    }
    throw new Error(`The replication slot ${name} stays in use.`);
  }

  async callsUnderWay(tenantId: TenantId): Promise<number> {
    const { calls } = await this.one<{ calls: number }>(
      `select ((select count(*) from run_step where tenant_id = $1 and ${RUN_STEP.leaseUntil} > clock_timestamp())
             + (select count(*) from tool_call where tenant_id = $1 and ${TOOL_CALL.leaseUntil} > clock_timestamp())
             + (select count(*) from simulation where tenant_id = $1 and ${SIMULATION.state} = 'running'
               and ${SIMULATION.nextAt} > clock_timestamp())
             + (select count(*) from webhook_delivery where tenant_id = $1 and ${WEBHOOK_DELIVERY.leasedUntil} > clock_timestamp())
             + (select count(*) from slack_message where tenant_id = $1 and ${SLACK_MESSAGE.leaseUntil} > clock_timestamp())
             + (select count(*) from lifecycle_hook_execution where tenant_id = $1
               and ${LIFECYCLE_HOOK_EXECUTION.leasedUntil} > clock_timestamp()))::integer
             as calls`,
      [tenantId],
    );
    return calls;
  }

  async earlierTransactionsOver(withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    // Every transaction holds a lock on its own virtual number.
    const numbers = (text: string, parameters: readonly unknown[]): Promise<{ number: string }[]> =>
      this.rows<{ number: string }>(
        `select virtualxid || '/' || pid as number from pg_locks l
          where locktype = 'virtualxid' and granted and pid <> pg_backend_pid()
            and pid in (select a.pid from pg_stat_activity a where a.datname = current_database() or a.datname is null)
            ${text}`,
        parameters,
      );
    let open = (await numbers('', [])).map(({ number }) => number);
    while (open.length > 0) {
      if (performance.now() > deadline) return false;
      await delay(LOOK_MS);
      open = (await numbers(`and virtualxid || '/' || pid = any ($1)`, [open])).map(({ number }) => number);
    }
    return true;
  }

  months(tenantId: TenantId): Promise<{ readonly all: readonly TableMonth[]; readonly away: readonly TableMonth[] }> {
    return monthsOfTenant(this.client, tenantId);
  }

  async requestsWithSecrets(tenantId: TenantId): Promise<number> {
    return (
      await this.one<{ waiting: number }>(
        'select count(*)::integer as waiting from slack_app_waiting where tenant_id = $1',
        [tenantId],
      )
    ).waiting;
  }

  async followedUpTo(move: Move, position: string): Promise<boolean> {
    const [slot] = await this.rows<{ there: boolean }>(
      'select confirmed_flush_lsn >= $2::pg_lsn as there from pg_replication_slots where slot_name = $1',
      [nameOfMove(move), position],
    );
    return slot?.there === true;
  }

  async position(): Promise<string> {
    // A commit of its own, which waits for the disk. Every earlier commit is on the disk then, too.
    await this.rows('set synchronous_commit = on');
    return (
      await this.one<{ lsn: string }>("select pg_logical_emit_message(true, 'countersign_move', '')::text as lsn")
    ).lsn;
  }

  purge(tenantId: TenantId): Promise<number> {
    return purgeTenant(this.client, tenantId);
  }

  bundles(tenantId: TenantId): Promise<readonly StoredRow[]> {
    return this.rows<Record<string, unknown>>(
      `select ${POLICY_BUNDLE.revision} as revision, ${POLICY_BUNDLE.wasmDigest} as wasm_digest, ${POLICY_BUNDLE.entrypoints}::text, ${POLICY_BUNDLE.sources}::text,
         ${POLICY_BUNDLE.wasm} as wasm, installed_at from policy_bundle
        where ${POLICY_BUNDLE.revision} in (select ${DECISION.bundleRevision} from decision where tenant_id = $1)`,
      [tenantId],
    );
  }
}
