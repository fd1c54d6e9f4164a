import { In } from 'typeorm';
import { planSimulationResultSchema } from '#lib/formats';
import { parsedText, rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { EnvironmentId, PageRequest, PlanId, SimulationId, Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { storedSubmitter, submitterIn, taskEntity } from '#lib/task';
import type { SimulationRepository } from '../application/simulation.ports.js';
import type { Simulation, SimulationOutput, SimulationReason } from '../domain/simulation.js';
import { simulationEntity } from './simulation.entity.js';

const COLUMN = simulationEntity.column;
const SIMULATION = simulationEntity.as('simulation');
const PLAN = planEntity.as('plan');
const TASK = taskEntity.as('task');

type SimulationRow = RowOf<typeof simulationEntity>;

const ALL = simulationEntity.all;
const SELECT = `select ${ALL.columns('simulation')} from simulation where tenant_id = $1`;

/** Simulations in PostgreSQL. */
export class SqlSimulationRepository implements SimulationRepository {
  insert(tx: Tx, simulation: Simulation): Promise<void> {
    const row = { ...simulation, ...storedSubmitter(simulation.submitter), ...changingColumns(simulation) };
    sqlOf(tx).callAhead('simulation_insert', [ALL.documentOf(row)]);
    return Promise.resolve();
  }

  find(tx: Tx, id: SimulationId): Promise<Simulation | null> {
    return one(rowsOf(tx, simulationEntity).findOne({ id }));
  }

  lock(tx: Tx, id: SimulationId): Promise<Simulation | null> {
    return one(rowsOf(tx, simulationEntity).findOne({ id }, { lock: 'update' }));
  }

  async counting(tx: Tx, planId: PlanId): Promise<Simulation | null> {
    const order = `order by (${SIMULATION.result} is not null) desc, ${SIMULATION.createdAt} desc, ${SIMULATION.id} desc limit 1`;
    return (await this.#select(tx, `and ${SIMULATION.planId} = $2 ${order}`, [planId]))[0] ?? null;
  }

  list(tx: Tx, planId: PlanId, page: PageRequest): Promise<readonly Simulation[]> {
    return this.#select(
      tx,
      `and ${SIMULATION.planId} = $2 and ($3::timestamptz is null or (${SIMULATION.createdAt}, ${SIMULATION.id}) < ($3, $4::uuid))
       order by ${SIMULATION.createdAt} desc, ${SIMULATION.id} desc limit $5`,
      [planId, page.after === null ? null : new Date(page.after.at), page.after?.id ?? null, page.limit],
    );
  }

  async save(tx: Tx, simulation: Simulation): Promise<void> {
    await rowsOf(tx, simulationEntity).update({ id: simulation.id }, changingColumns(simulation));
  }

  async renew(tx: Tx, id: SimulationId, fence: number, nextAt: number): Promise<boolean> {
    const renewed = await sqlOf(tx).execute(
      `update simulation set ${COLUMN.nextAt} = greatest(${SIMULATION.nextAt}, $4)
        where tenant_id = $1 and ${SIMULATION.id} = $2 and ${SIMULATION.fence} = $3 and ${SIMULATION.state} = 'running'`,
      [tx.tenantId, id, fence, new Date(nextAt)],
    );
    return renewed === 1;
  }

  async giveBack(tx: Tx, id: SimulationId, fence: number, nextAt: number): Promise<void> {
    await rowsOf(tx, simulationEntity).update({ id, fence, state: 'running' }, { nextAt });
  }

  async outdate(
    tx: Tx,
    environmentId: EnvironmentId,
    targets: readonly string[],
    reason: SimulationReason,
    at: number,
  ): Promise<readonly { readonly id: SimulationId; readonly planId: PlanId }[]> {
    // Row by row in one order, so two runs that touch the same targets do not wait for each other.
    const rows = await sqlOf(tx).query<Pick<SimulationRow, 'id' | 'planId' | 'state'>>(
      `select ${OUTDATED.columns('simulation')}
         from simulation
         join plan on plan.tenant_id = simulation.tenant_id and ${PLAN.id} = ${SIMULATION.planId}
         join task on task.tenant_id = plan.tenant_id and ${TASK.id} = ${PLAN.taskId}
        where simulation.tenant_id = $1
          and ${SIMULATION.state} in ('running', 'succeeded')
          and ${TASK.environmentId} = $2
          and exists (
            select from plan_target
             where plan_target.tenant_id = plan.tenant_id and plan_target.plan_id = ${PLAN.id}
               and (plan_target.target = any ($3::text[]) or plan_target.target like 'environment:%' or $4))
        order by ${SIMULATION.id}
          for update of simulation`,
      [tx.tenantId, environmentId, [...targets], targets.some((target) => target.startsWith('environment:'))],
    );
    const inState = (state: SimulationRow['state']) => rows.filter((row) => row.state === state);
    await sqlOf(tx).execute(
      `update simulation set ${COLUMN.fence} = ${SIMULATION.fence} + 1, ${COLUMN.nextAt} = $3 where tenant_id = $1
         and ${SIMULATION.id} = any ($2::uuid[])`,
      [tx.tenantId, inState('running').map(({ id }) => id), new Date(at)],
    );
    const stale = inState('succeeded').map(({ id, planId }) => ({ id, planId }));
    await rowsOf(tx, simulationEntity).update(
      { id: In(stale.map(({ id }) => id)) },
      { state: 'stale', staleReason: reason, nextAt: null },
    );
    return stale;
  }

  async #select(tx: Tx, condition: string, parameters: readonly unknown[]): Promise<readonly Simulation[]> {
    const rows = await sqlOf(tx).query<object>(`${SELECT} ${condition}`, [tx.tenantId, ...parameters]);
    return rows.map((row) => simulationOf(ALL.row(row)));
  }
}

const OUTDATED = simulationEntity.pick('id', 'planId', 'state');

async function one(row: Promise<SimulationRow | null>): Promise<Simulation | null> {
  const found = await row;
  return found === null ? null : simulationOf(found);
}

/** The columns of a simulation that change. */
function changingColumns(simulation: Simulation) {
  const output = 'output' in simulation ? simulation.output : null;
  return {
    state: simulation.state,
    result: output?.text ?? null,
    digest: output?.digest ?? null,
    failure: simulation.state === 'failed' ? simulation.failure : null,
    staleReason: simulation.state === 'stale' ? simulation.staleReason : null,
    fence: simulation.fence,
    nextAt: simulation.nextAt,
    startedAt: 'startedAt' in simulation ? simulation.startedAt : null,
    finishedAt: 'finishedAt' in simulation ? simulation.finishedAt : null,
  };
}

function simulationOf(row: SimulationRow): Simulation {
  const { id, planId, planDigest, decisionId, fence, nextAt, createdAt } = row;
  const record = { id, planId, planDigest, decisionId, submitter: submitterIn(row), fence, nextAt, createdAt };
  const startedAt = row.startedAt ?? createdAt;
  const finishedAt = row.finishedAt ?? startedAt;
  const { state } = row;
  switch (state) {
    case 'pending':
      return { ...record, state };
    case 'running':
      return { ...record, state, startedAt };
    case 'failed':
      return { ...record, state, startedAt, finishedAt, failure: reasonOf(row.failure) };
    case 'succeeded':
      return { ...record, state, startedAt, finishedAt, output: outputOf(row) };
    case 'stale': {
      const staleReason = reasonOf(row.staleReason);
      return { ...record, state, startedAt, finishedAt, output: outputOf(row), staleReason };
    }
  }
}

// The table's checks say which states have a result and which a reason.
function outputOf({ id, state, result, digest }: SimulationRow): SimulationOutput {
  if (result === null || digest === null) throw new Error(`simulation ${id} is ${state} and has no result`);
  return {
    value: parsedText(planSimulationResultSchema, result, { table: 'simulation', column: 'result', id }),
    text: result,
    digest,
  };
}

function reasonOf(reason: SimulationReason | null): SimulationReason {
  if (reason === null) throw new Error('a simulation that failed or is stale has no reason');
  return reason;
}
