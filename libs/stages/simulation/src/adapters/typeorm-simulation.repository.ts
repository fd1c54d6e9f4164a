import { parseStrictJson } from '#lib/canonical';
import { planSimulationResultSchema, type SimulationState } from '#lib/formats';
import { sqlOf } from '#lib/database';
import type { DecisionId, Digest, EnvironmentId, PageRequest, PlanId, SimulationId, Tx } from '#lib/kernel';
import { type SubmitterColumns, submitterColumns, submitterFromColumns } from '#lib/task';
import type { SimulationRepository } from '../application/simulation.ports.js';
import type { Simulation, SimulationOutput, SimulationReason } from '../domain/simulation.js';

interface SimulationRow extends SubmitterColumns {
  readonly id: string;
  readonly plan_id: string;
  readonly plan_digest: string;
  readonly decision_id: string;
  readonly state: SimulationState;
  readonly result: string | null;
  readonly digest: string | null;
  readonly failure: SimulationReason | null;
  readonly stale_reason: SimulationReason | null;
  readonly fence: number;
  readonly next_at: Date | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

const COLUMNS = `id, plan_id, plan_digest, decision_id, agent_id, person_id, on_behalf_of, credential_id, state, result, digest,
  failure, stale_reason, fence, next_at, created_at, started_at, finished_at`;

/** Simulations in PostgreSQL. */
export class TypeormSimulationRepository implements SimulationRepository {
  async insert(tx: Tx, simulation: Simulation): Promise<void> {
    const submitter = submitterColumns(simulation.submitter);
    await sqlOf(tx).execute(
      `insert into simulation (tenant_id, id, plan_id, plan_digest, decision_id, agent_id, person_id, on_behalf_of,
                               credential_id, state, fence, next_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        tx.tenantId,
        simulation.id,
        simulation.planId,
        simulation.planDigest,
        simulation.decisionId,
        submitter.agent_id,
        submitter.person_id,
        submitter.on_behalf_of,
        submitter.credential_id,
        simulation.state,
        simulation.fence,
        dateOrNull(simulation.nextAt),
        new Date(simulation.createdAt),
      ],
    );
  }

  async find(tx: Tx, id: SimulationId): Promise<Simulation | undefined> {
    return (await this.#select(tx, 'and id = $2', [id]))[0];
  }

  async lock(tx: Tx, id: SimulationId): Promise<Simulation | undefined> {
    return (await this.#select(tx, 'and id = $2 for update', [id]))[0];
  }

  async active(tx: Tx, planId: PlanId): Promise<Simulation | undefined> {
    return (await this.#select(tx, "and plan_id = $2 and state in ('pending', 'running')", [planId]))[0];
  }

  async counting(tx: Tx, planId: PlanId): Promise<Simulation | undefined> {
    const order = 'order by (result is not null) desc, created_at desc, id desc limit 1';
    return (await this.#select(tx, `and plan_id = $2 ${order}`, [planId]))[0];
  }

  async list(tx: Tx, planId: PlanId, page: PageRequest): Promise<readonly Simulation[]> {
    return this.#select(
      tx,
      `and plan_id = $2 and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
       order by created_at desc, id desc limit $5`,
      [planId, page.after === null ? null : new Date(page.after.at), page.after?.id ?? null, page.limit],
    );
  }

  async save(tx: Tx, simulation: Simulation): Promise<void> {
    const output = 'output' in simulation ? simulation.output : null;
    await sqlOf(tx).execute(
      `update simulation
          set state = $3, result = $4, digest = $5, failure = $6::jsonb, stale_reason = $7::jsonb, fence = $8, next_at = $9,
              started_at = $10, finished_at = $11
        where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
        simulation.id,
        simulation.state,
        output?.text ?? null,
        output?.digest ?? null,
        simulation.state === 'failed' ? JSON.stringify(simulation.failure) : null,
        simulation.state === 'stale' ? JSON.stringify(simulation.staleReason) : null,
        simulation.fence,
        dateOrNull(simulation.nextAt),
        'startedAt' in simulation ? new Date(simulation.startedAt) : null,
        'finishedAt' in simulation ? new Date(simulation.finishedAt) : null,
      ],
    );
  }

  async renew(tx: Tx, id: SimulationId, fence: number, nextAt: number): Promise<boolean> {
    const renewed = await sqlOf(tx).execute(
      `update simulation set next_at = greatest(next_at, $4)
        where tenant_id = $1 and id = $2 and fence = $3 and state = 'running'`,
      [tx.tenantId, id, fence, new Date(nextAt)],
    );
    return renewed === 1;
  }

  async outdate(
    tx: Tx,
    environmentId: EnvironmentId,
    targets: readonly string[],
    reason: SimulationReason,
    at: number,
  ): Promise<readonly { readonly id: SimulationId; readonly planId: PlanId }[]> {
    // Row by row in one order, so that two runs that touch the same targets do not wait for each other.
    const rows = await sqlOf(tx).query<{ id: string; plan_id: string; state: SimulationState }>(
      `select simulation.id, simulation.plan_id, simulation.state
         from simulation
         join plan on plan.tenant_id = simulation.tenant_id and plan.id = simulation.plan_id
         join task on task.tenant_id = plan.tenant_id and task.id = plan.task_id
        where simulation.tenant_id = $1
          and simulation.state in ('running', 'succeeded')
          and task.environment_id = $2
          and exists (
            select from plan_target
             where plan_target.tenant_id = plan.tenant_id and plan_target.plan_id = plan.id
               and (plan_target.target = any ($3::text[]) or plan_target.target like 'environment:%' or $4))
        order by simulation.id
          for update of simulation`,
      [tx.tenantId, environmentId, [...targets], targets.some((target) => target.startsWith('environment:'))],
    );
    const ids = (state: SimulationState): string[] => rows.filter((row) => row.state === state).map((row) => row.id);
    await sqlOf(tx).execute(
      'update simulation set fence = fence + 1, next_at = $3 where tenant_id = $1 and id = any ($2::uuid[])',
      [tx.tenantId, ids('running'), new Date(at)],
    );
    await sqlOf(tx).execute(
      "update simulation set state = 'stale', stale_reason = $3::jsonb, next_at = null where tenant_id = $1 and id = any ($2::uuid[])",
      [tx.tenantId, ids('succeeded'), JSON.stringify(reason)],
    );
    return rows
      .filter((row) => row.state === 'succeeded')
      .map((row) => ({ id: row.id as SimulationId, planId: row.plan_id as PlanId }));
  }

  async #select(tx: Tx, condition: string, parameters: readonly unknown[]): Promise<readonly Simulation[]> {
    const rows = await sqlOf(tx).query<SimulationRow>(
      `select ${COLUMNS} from simulation where tenant_id = $1 ${condition}`,
      [tx.tenantId, ...parameters],
    );
    return rows.map(simulationOf);
  }
}

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));

function simulationOf(row: SimulationRow): Simulation {
  const record = {
    id: row.id as SimulationId,
    planId: row.plan_id as PlanId,
    planDigest: row.plan_digest as Digest,
    decisionId: row.decision_id as DecisionId,
    submitter: submitterFromColumns(row),
    fence: row.fence,
    nextAt: row.next_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
  };
  const startedAt = row.started_at?.getTime() ?? row.created_at.getTime();
  const finishedAt = row.finished_at?.getTime() ?? startedAt;
  switch (row.state) {
    case 'pending':
      return { ...record, state: 'pending' };
    case 'running':
      return { ...record, state: 'running', startedAt };
    case 'failed':
      return { ...record, state: 'failed', startedAt, finishedAt, failure: reasonOf(row.failure) };
    case 'succeeded':
      return { ...record, state: 'succeeded', startedAt, finishedAt, output: outputOf(row) };
    case 'stale':
      return {
        ...record,
        state: 'stale',
        startedAt,
        finishedAt,
        output: outputOf(row),
        staleReason: reasonOf(row.stale_reason),
      };
  }
}

// The table's checks say which states have a result and which a reason.
function outputOf(row: SimulationRow): SimulationOutput {
  if (row.result === null) throw new Error(`simulation ${row.id} is ${row.state} and has no result`);
  return {
    value: planSimulationResultSchema.parse(parseStrictJson(row.result)),
    text: row.result,
    digest: row.digest as Digest,
  };
}

function reasonOf(reason: SimulationReason | null): SimulationReason {
  if (reason === null) throw new Error('a simulation that failed or is stale has no reason');
  return reason;
}
