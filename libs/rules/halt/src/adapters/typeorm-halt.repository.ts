import type { HaltFacts } from '#lib/contracts';
import { sqlOf } from '#lib/database';
import type { Actor, AgentId, EnvironmentId, HaltId, PageRequest, Tx } from '#lib/kernel';
import type { HaltRepository } from '../application/halt.ports.js';
import type { Halt, HaltEffect, HaltScope, HaltTarget } from '../domain/halt.js';

interface HaltRow {
  readonly id: HaltId;
  readonly kind: HaltTarget['kind'];
  readonly environment_id: EnvironmentId | null;
  readonly environment_name: string | null;
  readonly agent_id: AgentId | null;
  readonly tool_name: string | null;
  readonly reason: string;
  readonly effect: EffectDocument;
  readonly created_at: Date;
  readonly created_by: Actor;
  readonly lifted_at: Date | null;
  readonly lifted_by: Actor | null;
  readonly lift_note: string | null;
}

interface EffectDocument {
  readonly paused_runs: readonly string[];
  readonly revoked_grants: number;
  readonly in_flight: HaltEffect['inFlight'];
}

const SELECT = `select halt.id, halt.kind, halt.environment_id, environment.name as environment_name, halt.agent_id,
    halt.tool_name, halt.reason, halt.effect, halt.created_at, halt.created_by, halt.lifted_at, halt.lifted_by, halt.lift_note
  from halt
  left join environment on environment.tenant_id = halt.tenant_id and environment.id = halt.environment_id`;

/** Halts in PostgreSQL, table halt. */
export class TypeormHaltRepository implements HaltRepository {
  async active(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]> {
    return sqlOf(tx).query<HaltFacts>('select id, kind from halts_applying($1, $2, $3)', [
      scope.environmentId,
      scope.agentIds,
      scope.tools,
    ]);
  }

  async activeNow(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]> {
    await sqlOf(tx).query("select pg_advisory_xact_lock_shared(hashtextextended('halt/' || $1, 0))", [tx.tenantId]);
    return this.active(tx, scope);
  }

  async insert(tx: Tx, halt: Halt): Promise<void> {
    const { target } = halt;
    await sqlOf(tx).query("select pg_advisory_xact_lock(hashtextextended('halt/' || $1, 0))", [tx.tenantId]);
    await sqlOf(tx).query(
      `insert into halt (tenant_id, id, kind, environment_id, agent_id, tool_name, reason, effect, created_at, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        tx.tenantId,
        halt.id,
        target.kind,
        target.kind === 'environment' ? target.environmentId : null,
        target.kind === 'agent' ? target.agentId : null,
        target.kind === 'tool' ? target.tool : null,
        halt.reason,
        JSON.stringify(effectDocument(halt.effect)),
        new Date(halt.createdAt),
        JSON.stringify(halt.createdBy),
      ],
    );
  }

  async saveEffect(tx: Tx, id: HaltId, effect: HaltEffect): Promise<void> {
    await sqlOf(tx).query('update halt set effect = $3 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
      JSON.stringify(effectDocument(effect)),
    ]);
  }

  async find(tx: Tx, id: HaltId): Promise<Halt | null> {
    const [row] = await sqlOf(tx).query<HaltRow>(`${SELECT} where halt.tenant_id = $1 and halt.id = $2`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : haltOf(row);
  }

  async lock(tx: Tx, id: HaltId): Promise<Halt | null> {
    const [row] = await sqlOf(tx).query<HaltRow>(
      `${SELECT} where halt.tenant_id = $1 and halt.id = $2 for no key update of halt`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : haltOf(row);
  }

  async saveLifted(tx: Tx, halt: Halt): Promise<void> {
    if (halt.lifted === null) throw new Error('only a lifted halt is saved as lifted');
    await sqlOf(tx).query(
      `update halt set lifted_at = $3, lifted_by = $4, lift_note = $5
       where tenant_id = $1 and id = $2 and lifted_at is null`,
      [tx.tenantId, halt.id, new Date(halt.lifted.at), JSON.stringify(halt.lifted.by), halt.lifted.note],
    );
  }

  async list(tx: Tx, page: PageRequest & { readonly active: boolean | null }): Promise<readonly Halt[]> {
    const rows = await sqlOf(tx).query<HaltRow>(
      `${SELECT} where halt.tenant_id = $1
         and ($2::boolean is null or (halt.lifted_at is null) = $2)
         and ($3::timestamptz is null or (halt.created_at, halt.id) < ($3, $4::uuid))
       order by halt.created_at desc, halt.id desc limit $5`,
      [
        tx.tenantId,
        page.active,
        page.after === null ? null : new Date(page.after.at),
        page.after?.id ?? null,
        page.limit,
      ],
    );
    return rows.map(haltOf);
  }
}

const effectDocument = (effect: HaltEffect): EffectDocument => ({
  paused_runs: effect.pausedRuns,
  revoked_grants: effect.revokedGrants,
  in_flight: effect.inFlight,
});

function haltOf(row: HaltRow): Halt {
  return {
    id: row.id,
    target: targetOf(row),
    reason: row.reason,
    effect: {
      pausedRuns: row.effect.paused_runs,
      revokedGrants: row.effect.revoked_grants,
      inFlight: row.effect.in_flight,
    },
    createdAt: row.created_at.getTime(),
    createdBy: row.created_by,
    lifted:
      row.lifted_at === null || row.lifted_by === null || row.lift_note === null
        ? null
        : { at: row.lifted_at.getTime(), by: row.lifted_by, note: row.lift_note },
  };
}

function targetOf(row: HaltRow): HaltTarget {
  if (row.environment_id !== null && row.environment_name !== null) {
    return { kind: 'environment', environmentId: row.environment_id, environment: row.environment_name };
  }
  if (row.agent_id !== null) return { kind: 'agent', agentId: row.agent_id };
  if (row.tool_name !== null) return { kind: 'tool', tool: row.tool_name };
  return { kind: 'tenant' };
}
