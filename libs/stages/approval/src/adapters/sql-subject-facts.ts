import { z } from 'zod';
import { revisionInForce, revisionInForceSchema } from '#lib/autonomy';
import { storedId, planSimulationResultSchema } from '#lib/formats';
import { haltFactsSchema } from '#lib/policy-inputs';
import { parsedText, parsedValue, sqlOf } from '#lib/database';
import type { AgentId, PersonId, RowSeals, Tx } from '#lib/kernel';
import { planEntity, type SqlPlanContents } from '#lib/plan';
import { simulationEntity } from '#lib/simulation';
import { submitterIn, taskEntity, taskOf } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import {
  executorEntity,
  executorVersionEntity,
  toolVersionEntity,
  toolVersionOf,
  type ExecutorRecord,
} from '#lib/tool';
import type { SubjectFacts, SubjectFactsReader, SubjectOf } from '../application/subject-facts.js';
import type { SubjectSimulation } from '../domain/approval-subject.js';
import { approvalClaimEntity, approvalRequestEntity, reviewEntity } from './approval.entity.js';
import { authenticRequest, authenticReviews } from './approval-seals.js';

const PLAN = planEntity.pick('id', 'revision', 'state', 'digest', 'agentId', 'personId', 'onBehalfOf', 'credentialId');
const REVISION = planEntity.pick('id', 'agentId', 'personId', 'onBehalfOf', 'credentialId');
const TASK = taskEntity.all;
const ENVIRONMENT = environmentEntity.pick('id', 'name', 'production', 'version');
const SIMULATION = simulationEntity.pick('id', 'planDigest', 'state', 'digest', 'result', 'finishedAt');
const TOOL = toolVersionEntity.pick('id', 'name', 'version', 'digest', 'definition');
const EXECUTOR = executorEntity.pick('id', 'name');
const EXECUTOR_VERSION = executorVersionEntity.pick(
  'version',
  'kind',
  'url',
  'audience',
  'sharedAudience',
  'secret',
  'settings',
  'digest',
);
const REQUEST = approvalRequestEntity.all;
const REVIEW = reviewEntity.all;
const CLAIM = approvalClaimEntity.all;

/** The answer of `approval_facts`. */
const answerSchema = z.object({
  now: z.coerce.number(),
  plan: z.unknown().transform((row) => PLAN.parse(row)),
  row_version: z.string(),
  task: z.unknown().transform((row) => taskOf(TASK.parse(row))),
  environment: z.unknown().transform((row) => ENVIRONMENT.parse(row)),
  revisions: z.array(z.unknown().transform((row) => REVISION.parse(row))),
  simulation: z.unknown().transform((row) => (row === null ? null : simulationOf(SIMULATION.parse(row)))),
  autonomy: revisionInForceSchema.nullable(),
  tools: z.array(
    z
      .looseObject({ counts: z.boolean() })
      .transform((row) => ({ counts: row.counts, tool: toolVersionOf(TOOL.parse(row)) })),
  ),
  executors: z.array(
    z.unknown().transform((row): ExecutorRecord => ({ ...EXECUTOR.parse(row), ...EXECUTOR_VERSION.parse(row) })),
  ),
  promotion: z.boolean(),
  answerable: z.record(storedId<AgentId>(), z.array(storedId<PersonId>())),
  halts: z.array(haltFactsSchema),
  request: z.unknown().transform((row) => (row === null ? null : REQUEST.parse(row))),
  reviews: z.array(z.unknown().transform((row) => REVIEW.parse(row))),
  claim: z.unknown().transform((row) => (row === null ? null : CLAIM.parse(row))),
});

/** The records that an approval of a plan rests on, in PostgreSQL: by the function `approval_facts`. */
export class SqlSubjectFacts implements SubjectFactsReader {
  constructor(
    private readonly seals: RowSeals,
    private readonly contents: SqlPlanContents,
  ) {}

  hold(tx: Tx, of: SubjectOf): Promise<SubjectFacts | null> {
    return this.#facts(tx, of, true);
  }

  read(tx: Tx, of: SubjectOf): Promise<SubjectFacts | null> {
    return this.#facts(tx, of, false);
  }

  async #facts(tx: Tx, of: SubjectOf, hold: boolean): Promise<SubjectFacts | null> {
    const [planId, requestId] = 'planId' in of ? [of.planId, null] : [null, of.requestId];
    const [row] = await sqlOf(tx).query<object>('select * from approval_facts($1, $2, $3)', [planId, requestId, hold]);
    if (row === undefined) return null;
    const {
      row_version: rowVersion,
      revisions,
      tools,
      request,
      reviews,
      ...found
    } = parsedValue(answerSchema, row, {
      function: 'approval_facts',
      id: planId ?? requestId,
    });
    const { expansion, document } = await this.contents.of(tx, found.plan.id, rowVersion);
    if (expansion === null) return null;
    const { id: planned, revision, state } = found.plan;
    return {
      ...found,
      plan: { id: planned, revision, state, document, expansion, submitter: submitterIn(found.plan) },
      otherRevisions: revisions.filter((other) => other.id !== planned).map(submitterIn),
      autonomy: found.autonomy === null ? null : await revisionInForce(this.seals, tx, found.autonomy),
      tools: byName(tools.filter(({ counts }) => counts).map(({ tool }) => tool)),
      heldTools: tools.map(({ tool }) => tool),
      executors: byName(found.executors),
      // `Object.entries` forgets the type of the keys.
      answerable: new Map(Object.entries(found.answerable) as [AgentId, PersonId[]][]),
      request: request === null ? null : await authenticRequest(this.seals, tx, request),
      reviewedBy: reviews.map(({ personId }) => personId),
      reviews: () => authenticReviews(this.seals, tx, reviews),
    };
  }
}

const byName = <Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> =>
  new Map(all.map((one) => [one.name, one]));

const simulationOf = ({ result, ...row }: NonNullable<typeof SIMULATION.holds>): SubjectSimulation => ({
  ...row,
  result:
    result === null
      ? null
      : parsedText(planSimulationResultSchema, result, { table: 'simulation', column: 'result', id: row.id }),
});
