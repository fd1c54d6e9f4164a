import { z } from 'zod';
import { revisionInForce, revisionInForceSchema } from '#lib/autonomy';
import { parsedValue, sqlOf } from '#lib/database';
import type { PersonId, PlanId, RowSeals, SimulationId, Tx } from '#lib/kernel';
import { planEntity, type SqlPlanContents } from '#lib/plan';
import { submitterIn, taskEntity, taskOf } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import { toolVersionEntity, toolVersionOf } from '#lib/tool';
import { storedId } from '#lib/formats';
import type { StartFacts, StartFactsReader } from '../application/start-facts.js';

const PLAN = planEntity.pick('id', 'state', 'agentId', 'personId', 'onBehalfOf', 'credentialId');
const TASK = taskEntity.all;
const ENVIRONMENT = environmentEntity.pick('id', 'name', 'production', 'version');
const TOOL = toolVersionEntity.pick('id', 'name', 'version', 'digest', 'definition');

/** The answer of `simulation_facts`. */
const answerSchema = z.object({
  now: z.coerce.number(),
  plan: z.unknown().transform((row) => PLAN.parse(row)),
  row_version: z.string(),
  task: z.unknown().transform((row) => taskOf(TASK.parse(row))),
  owner_id: storedId<PersonId>().nullable(),
  environment: z.unknown().transform((row) => ENVIRONMENT.parse(row)),
  autonomy: revisionInForceSchema.nullable(),
  tools: z.array(z.unknown().transform((row) => toolVersionOf(TOOL.parse(row)))),
  active: storedId<SimulationId>().nullable(),
});

/** The records by which a simulation is decided, in PostgreSQL: by the function `simulation_facts`. */
export class SqlStartFacts implements StartFactsReader {
  constructor(
    private readonly seals: RowSeals,
    private readonly contents: SqlPlanContents,
  ) {}

  async hold(tx: Tx, planId: PlanId): Promise<StartFacts | null> {
    const [row] = await sqlOf(tx).query<object>('select * from simulation_facts($1)', [planId]);
    if (row === undefined) return null;
    const {
      row_version: rowVersion,
      owner_id: ownerId,
      autonomy,
      ...found
    } = parsedValue(answerSchema, row, {
      function: 'simulation_facts',
      id: planId,
    });
    const { id, state } = found.plan;
    const { expansion } = await this.contents.of(tx, id, rowVersion);
    return {
      ...found,
      ownerId,
      plan: { id, state, submitter: submitterIn(found.plan), expansion },
      autonomy: autonomy === null ? null : await revisionInForce(this.seals, tx, autonomy),
    };
  }
}
