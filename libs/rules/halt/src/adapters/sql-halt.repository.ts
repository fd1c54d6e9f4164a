import { IsNull } from 'typeorm';
import type { HaltFacts } from '#lib/policy-inputs';
import { lockName, rowsOf, shareNameAhead, sqlOf, type RowOf } from '#lib/database';
import type { HaltId, PageRequest, Tx } from '#lib/kernel';
import { environmentEntity } from '#lib/tenancy';
import type { HaltRepository } from '../application/halt.ports.js';
import type { Halt, HaltEffect, HaltScope, HaltTarget, LiftedHalt } from '../domain/halt.js';
import { haltEntity } from './halt.entity.js';

const ENVIRONMENT = environmentEntity.as('environment');
const HALT = haltEntity.as('halt');

type Row = RowOf<typeof haltEntity>;

const HALT_ROW = haltEntity.all;

const SELECT = `select ${HALT_ROW.columns('halt')}, ${ENVIRONMENT.name} as environment
  from halt
  left join environment on environment.tenant_id = halt.tenant_id and ${ENVIRONMENT.id} = ${HALT.environmentId}`;

/** A halt that is being set holds this name alone. Calls outside a run share it. */
const nameOf = ({ tenantId }: Tx): string => `halt/${tenantId}`;

/** Halts in PostgreSQL. */
export class SqlHaltRepository implements HaltRepository {
  async active(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]> {
    return sqlOf(tx).query<HaltFacts>('select id, kind from halts_applying($1, $2, $3)', [
      scope.environmentId,
      scope.agentIds,
      scope.tools,
    ]);
  }

  async activeByTool(
    tx: Tx,
    { environmentId, agentIds, tools }: HaltScope,
  ): Promise<ReadonlyMap<string, readonly HaltFacts[]>> {
    const rows = await sqlOf(tx).query<HaltFacts & { readonly tool: string }>(
      `select tool, halt.id, halt.kind
         from unnest($3::text[]) tool
        cross join lateral halts_applying($1, $2, array[tool]) with ordinality halt (id, kind, nr)
        order by tool, halt.nr`,
      [environmentId, agentIds, tools],
    );
    const byTool = new Map<string, HaltFacts[]>(rows.map(({ tool }) => [tool, []]));
    for (const { tool, ...halt } of rows) byTool.get(tool)?.push(halt);
    return byTool;
  }

  keepOff(tx: Tx): void {
    shareNameAhead(tx, nameOf(tx));
  }

  activeNow(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]> {
    this.keepOff(tx);
    return this.active(tx, scope);
  }

  async insert(tx: Tx, halt: Halt): Promise<void> {
    const { id, target, reason, effect, createdAt, createdBy } = halt;
    await lockName(tx, nameOf(tx));
    await rowsOf(tx, haltEntity).insert({
      id,
      kind: target.kind,
      environmentId: target.kind === 'environment' ? target.environmentId : null,
      agentId: target.kind === 'agent' ? target.agentId : null,
      toolName: target.kind === 'tool' ? target.tool : null,
      reason,
      effect: storedEffect(effect),
      createdAt,
      createdBy,
      liftedAt: null,
      liftedBy: null,
      liftNote: null,
    });
  }

  async saveEffect(tx: Tx, id: HaltId, effect: HaltEffect): Promise<void> {
    await rowsOf(tx, haltEntity).update({ id }, { effect: storedEffect(effect) });
  }

  find(tx: Tx, id: HaltId): Promise<Halt | null> {
    return this.#one(tx, id, '');
  }

  lock(tx: Tx, id: HaltId): Promise<Halt | null> {
    return this.#one(tx, id, 'for no key update of halt');
  }

  async saveLifted(tx: Tx, { id, lifted }: LiftedHalt): Promise<void> {
    const { at: liftedAt, by: liftedBy, note: liftNote } = lifted;
    await rowsOf(tx, haltEntity).update({ id, liftedAt: IsNull() }, { liftedAt, liftedBy, liftNote });
  }

  async list(tx: Tx, page: PageRequest & { readonly active: boolean | null }): Promise<readonly Halt[]> {
    const { active, after, limit } = page;
    const rows = await sqlOf(tx).query<Named>(
      `${SELECT} where halt.tenant_id = $1
         and ($2::boolean is null or (${HALT.liftedAt} is null) = $2)
         and ($3::timestamptz is null or (${HALT.createdAt}, ${HALT.id}) < ($3, $4::uuid))
       order by ${HALT.createdAt} desc, ${HALT.id} desc limit $5`,
      [tx.tenantId, active, after && new Date(after.at), after?.id ?? null, limit],
    );
    return rows.map((row) => haltOf(HALT_ROW.row(row)));
  }

  async #one(tx: Tx, id: HaltId, lock: string): Promise<Halt | null> {
    const [row] = await sqlOf(tx).query<Named>(`${SELECT} where halt.tenant_id = $1 and ${HALT.id} = $2 ${lock}`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : haltOf(HALT_ROW.row(row));
  }
}

interface Named {
  /** The name of the halted environment; null for every other target. */
  readonly environment: string | null;
}

const storedEffect = ({ pausedRuns, revokedGrants, deniedCalls, inFlight }: HaltEffect): Row['effect'] => ({
  paused_runs: [...pausedRuns],
  revoked_grants: revokedGrants,
  denied_calls: [...deniedCalls],
  in_flight: inFlight.map((call) => ({ ...call, targets: [...call.targets] })),
});

function haltOf(row: Row & Named): Halt {
  const { id, reason, effect, createdAt, createdBy, liftedAt, liftedBy, liftNote } = row;
  return {
    id,
    target: targetOf(row),
    reason,
    effect: {
      pausedRuns: effect.paused_runs,
      revokedGrants: effect.revoked_grants,
      deniedCalls: effect.denied_calls,
      inFlight: effect.in_flight,
    },
    createdAt,
    createdBy,
    lifted:
      liftedAt === null || liftedBy === null || liftNote === null
        ? null
        : { at: liftedAt, by: liftedBy, note: liftNote },
  };
}

function targetOf({ environmentId, environment, agentId, toolName }: Row & Named): HaltTarget {
  if (environmentId !== null && environment !== null) return { kind: 'environment', environmentId, environment };
  if (agentId !== null) return { kind: 'agent', agentId };
  return toolName === null ? { kind: 'tenant' } : { kind: 'tool', tool: toolName };
}
