import { z } from 'zod';
import { revisionInForce, revisionInForceSchema } from '#lib/autonomy';
import { parsedValue, sqlOf } from '#lib/database';
import type { PersonId, RowSeals, TaskId, Tx } from '#lib/kernel';
import { taskEntity, taskOf } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import {
  executorEntity,
  executorVersionEntity,
  toolVersionEntity,
  toolVersionOf,
  type ExecutorRecord,
} from '#lib/tool';
import { storedId } from '#lib/formats';
import type { SubmissionFacts, SubmissionFactsReader } from '../application/submission-facts.js';
import { LIVE, liveRevisionOf } from './live-revision.js';

const ENVIRONMENT = environmentEntity.pick('id', 'name', 'production', 'version');
const TASK = taskEntity.all;
const TOOL = toolVersionEntity.pick('id', 'name', 'version', 'digest', 'definition');
const EXECUTOR = executorEntity.pick('id', 'name', 'version');
const EXECUTOR_VERSION = executorVersionEntity.pick(
  'kind',
  'url',
  'audience',
  'sharedAudience',
  'secret',
  'settings',
  'digest',
);

/** The answer of `plan_submission_facts`. Its environment is empty if there is no such task. */
const answerSchema = z.object({
  now: z.coerce.number(),
  task: z.unknown().transform((row) => (row === null ? null : taskOf(TASK.parse(row)))),
  owner_id: storedId<PersonId>().nullable(),
  environment: z.unknown(),
  autonomy: revisionInForceSchema.nullable(),
  tools: z.array(z.unknown().transform((row) => toolVersionOf(TOOL.parse(row)))),
  executors: z.array(
    z.unknown().transform((row): ExecutorRecord => ({ ...EXECUTOR.parse(row), ...EXECUTOR_VERSION.parse(row) })),
  ),
  revision: z.int(),
  live: z.unknown().transform((row) => (row === null ? null : LIVE.parse(row))),
});

/** The facts of a submission in PostgreSQL, by the function `plan_submission_facts`. */
export class SqlSubmissionFacts implements SubmissionFactsReader {
  constructor(private readonly seals: RowSeals) {}

  async hold(tx: Tx, taskId: TaskId, tools: readonly string[]): Promise<SubmissionFacts | null> {
    const [row] = await sqlOf(tx).query<object>('select * from plan_submission_facts($1, $2)', [taskId, tools]);
    const {
      task,
      owner_id: ownerId,
      environment,
      autonomy,
      live,
      ...found
    } = parsedValue(answerSchema, row, {
      function: 'plan_submission_facts',
      id: taskId,
    });
    const inForce = autonomy === null ? null : await revisionInForce(this.seals, tx, autonomy);
    if (task === null) return null;
    return {
      ...found,
      task,
      ownerId,
      environment: ENVIRONMENT.parse(environment),
      autonomy: inForce,
      tools: byName(found.tools),
      executors: byName(found.executors),
      live: live && liveRevisionOf(taskId, live),
    };
  }
}

const byName = <Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> =>
  new Map(all.map((one) => [one.name, one]));
