import { parseStrictJson } from '#lib/canonical';
import { sealedRevision } from '#lib/autonomy';
import {
  type AutonomyDocument,
  type ExecutorKind,
  taskSpecSchema,
  type TaskState,
  type ToolDefinition,
} from '#lib/formats';
import { sqlOf } from '#lib/database';
import {
  type AutonomyRevisionId,
  type Digest,
  type EnvironmentId,
  type ExecutorId,
  type PersonId,
  type PlanId,
  requireSeal,
  type RowSeals,
  type TaskId,
  type ToolVersionId,
  type Tx,
} from '#lib/kernel';
import { type EnvironmentRecord, type SubmitterColumns, submitterFromColumns, type Task } from '#lib/task';
import type { ExecutorRecord, ToolVersion } from '#lib/tool';
import type { SubmissionFacts, SubmissionFactsReader } from '../application/submission-facts.js';

interface TaskColumns extends SubmitterColumns {
  readonly id: TaskId;
  readonly environment_id: EnvironmentId;
  readonly state: TaskState;
  readonly spec: string;
  readonly spec_digest: Digest;
  readonly created_at: number;
  readonly updated_at: number;
}

interface AutonomyColumns {
  readonly id: AutonomyRevisionId;
  readonly number: number;
  /** Canonical JSON. */
  readonly document: string;
  readonly digest: Digest;
  readonly seal: string | null;
}

interface ToolColumns {
  readonly id: ToolVersionId;
  readonly name: string;
  readonly version: number;
  readonly digest: Digest;
  /** Canonical JSON. */
  readonly definition: string;
}

interface ExecutorColumns {
  readonly id: ExecutorId;
  readonly name: string;
  readonly version: number;
  readonly kind: ExecutorKind;
  readonly url: string | null;
  readonly audience: string;
  readonly shared_audience: boolean;
  readonly secret: string | null;
  readonly digest: Digest;
}

interface FactsRow {
  readonly now: string;
  readonly task: TaskColumns | null;
  readonly owner_id: PersonId | null;
  readonly environment: EnvironmentRecord;
  readonly autonomy: AutonomyColumns | null;
  readonly tools: readonly ToolColumns[];
  readonly executors: readonly ExecutorColumns[];
  readonly revision: number;
  readonly live: { readonly id: PlanId; readonly revision: number; readonly digest: Digest } | null;
}

/** The facts of a submission in PostgreSQL, by the function `plan_submission_facts`. */
export class SqlSubmissionFacts implements SubmissionFactsReader {
  constructor(private readonly seals: RowSeals) {}

  async hold(tx: Tx, taskId: TaskId, tools: readonly string[]): Promise<SubmissionFacts | null> {
    const [row] = await sqlOf(tx).query<FactsRow>('select * from plan_submission_facts($1, $2)', [taskId, tools]);
    if (row === undefined) throw new Error('plan_submission_facts answered nothing');
    const { autonomy, live } = row;
    if (autonomy !== null) await requireSeal(this.seals, sealedRevision(tx, autonomy), autonomy.seal);
    if (row.task === null) return null;
    return {
      now: Number(row.now),
      task: taskOf(row.task),
      ownerId: row.owner_id,
      environment: row.environment,
      autonomy: autonomy && {
        revisionId: autonomy.id,
        number: autonomy.number,
        document: JSON.parse(autonomy.document) as AutonomyDocument,
        digest: autonomy.digest,
      },
      tools: byName(row.tools.map(toolOf)),
      executors: byName(row.executors.map(executorOf)),
      revision: row.revision,
      live: live && {
        id: live.id,
        taskId,
        revision: live.revision,
        state: 'validated',
        expansion: { digest: live.digest },
      },
    };
  }
}

const byName = <Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> =>
  new Map(all.map((one) => [one.name, one]));

const taskOf = (row: TaskColumns): Task => ({
  id: row.id,
  environmentId: row.environment_id,
  state: row.state,
  spec: taskSpecSchema.parse(parseStrictJson(row.spec)),
  specText: row.spec,
  digest: row.spec_digest,
  submitter: submitterFromColumns(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

// Definitions and documents are stored after they were checked against their contract.
const toolOf = ({ definition, ...tool }: ToolColumns): ToolVersion => ({
  ...tool,
  definition: JSON.parse(definition) as ToolDefinition,
});

const executorOf = ({ shared_audience: sharedAudience, ...executor }: ExecutorColumns): ExecutorRecord => ({
  ...executor,
  sharedAudience,
});
