import { type BoundSubject, RevisionFacts } from '#lib/approval';
import { sealedRevision, storedDocument } from '#lib/autonomy';
import {
  type OwnExecutorSettings,
  type PlanState,
  taskSpecSchema,
  type TaskState,
  toolDefinitionSchema,
} from '#lib/formats';
import { ParsedTexts, sqlOf } from '#lib/database';
import {
  type AutonomyRevisionId,
  type Digest,
  type EnvironmentId,
  type ExecutorId,
  type PlanId,
  requireSeal,
  type RowSeals,
  type SimulationId,
  type TaskId,
  type ToolVersionId,
  type Tx,
} from '#lib/kernel';
import { invocationsOf, type PlanContents, type PlanRepository, taskFacts } from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import { type EnvironmentRecord, type SubmitterColumns, submitterFromColumns, type Task } from '#lib/task';
import type { ExecutorRecord, ToolRegistry, ToolVersion } from '#lib/tool';
import type { ActiveHalt, BoundRecords, LockedRecords } from '../application/bound-records.port.js';
import type { Run } from '../domain/run.js';
import { ATTEMPT, attemptOf, RUN, runOf, STEP, stepOf } from './run-rows.js';
import { sealedRun } from './run-seal.js';

interface TaskColumns extends SubmitterColumns {
  readonly id: TaskId;
  readonly environment_id: EnvironmentId;
  readonly state: TaskState;
  readonly spec: string;
  readonly spec_digest: Digest;
  readonly created_at: string;
  readonly updated_at: string;
}

interface AutonomyColumns {
  readonly id: AutonomyRevisionId;
  readonly number: number;
  /** Canonical JSON. */
  readonly document: string;
  readonly digest: Digest;
  readonly seal: string | null;
}

interface PlanColumns extends SubmitterColumns {
  readonly id: PlanId;
  readonly revision: number;
  readonly state: PlanState;
  readonly row_version: string;
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
  readonly kind: string;
  readonly url: string | null;
  readonly audience: string;
  readonly shared_audience: boolean;
  readonly secret: string | null;
  readonly settings: OwnExecutorSettings;
  readonly digest: Digest;
}

/** The answer of `run_turn_facts`. */
interface TurnFacts {
  readonly now: number;
  readonly bundle: string | null;
  readonly autonomy: AutonomyColumns | null;
  readonly tools: readonly ToolColumns[];
  readonly task: TaskColumns | null;
  readonly plan: PlanColumns | null;
  readonly environment: EnvironmentRecord | null;
  readonly executors: readonly ExecutorColumns[];
  readonly simulation: { readonly id: SimulationId; readonly digest: string | null } | null;
  readonly run: { readonly seal: string } | null;
  readonly ahead: readonly unknown[];
  readonly out: readonly unknown[];
  readonly halts: readonly ActiveHalt[];
}

/** The ports of earlier libraries that the adapter reads. */
export interface BoundRecordSources {
  readonly plans: Pick<PlanRepository, 'find'>;
  readonly contents: Pick<PlanContents, 'of'>;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly policy: Pick<PolicyDecisionPoint, 'lockBundleHead' | 'bundleRevision'>;
  readonly seals: RowSeals;
}

/** The names that a plan uses, each once. */
interface Names {
  readonly tools: readonly string[];
  readonly executors: readonly string[];
}

/** As many plans as workers have under way at once, and more. */
const MAX_PLANS = 1_000;

/** The records that a run is bound to, in PostgreSQL. The function `run_turn_facts` locks and reads them in one statement. */
export class SqlBoundRecords implements BoundRecords {
  readonly #revisions = new RevisionFacts();
  /** By tenant and plan, the latest used last. */
  readonly #names = new Map<string, Names>();
  readonly #definitions = new ParsedTexts('tool_version', toolDefinitionSchema);
  readonly #specs = new ParsedTexts('task', taskSpecSchema);
  /** Whether this process's bundle was seen in force. */
  #announced = false;

  constructor(private readonly sources: BoundRecordSources) {}

  async lock(tx: Tx, run: Run): Promise<LockedRecords | null> {
    const facts = await this.#facts(tx, run);
    return facts === null ? null : this.#locked(tx, facts);
  }

  async lockToAdvance(tx: Tx, run: Run): Promise<LockedRecords | null> {
    const facts = await this.#facts(tx, run);
    const locked = facts === null ? null : await this.#locked(tx, facts);
    if (locked !== null) await requireSeal(this.sources.seals, sealedRun(tx, locked.run), facts?.run?.seal ?? null);
    return locked;
  }

  async #facts(tx: Tx, run: Run): Promise<TurnFacts | null> {
    const names = await this.#namesOf(tx, run.planId);
    if (names === null) return null;
    const { policy } = this.sources;
    if (!this.#announced) await policy.lockBundleHead(tx);
    const [row] = await sqlOf(tx).query<{ readonly facts: TurnFacts }>(
      'select run_turn_facts($1, $2, $3, $4, $5, $6, $7) as facts',
      [run.id, run.taskId, run.planId, run.environmentId, run.approvalRequestId, names.tools, names.executors],
    );
    if (row === undefined) throw new Error('run_turn_facts answered nothing');
    this.#announced ||= row.facts.bundle === policy.bundleRevision;
    return row.facts;
  }

  async #locked(tx: Tx, facts: TurnFacts): Promise<LockedRecords | null> {
    const { run, halts, now } = facts;
    const subject = await this.#subject(tx, facts);
    if (run === null || subject === null) return null;
    const ahead = facts.ahead.map((row) => stepOf(STEP.parse(row)));
    const out = facts.out.map((row) => attemptOf(ATTEMPT.parse(row)));
    return { run: runOf(RUN.parse(run)), now, subject, ahead, out, halts };
  }

  async #subject(tx: Tx, facts: TurnFacts): Promise<BoundSubject | null> {
    const { task, plan, environment, autonomy, simulation } = facts;
    if (task === null || plan === null || environment === null) return null;
    if (autonomy !== null) await requireSeal(this.sources.seals, sealedRevision(tx, autonomy), autonomy.seal);
    const { expansion } = await this.sources.contents.of(tx, plan.id, plan.row_version);
    if (expansion === null) return null;
    const tools = byName(facts.tools.map((tool) => this.#toolOf(tool)));
    const document = autonomy === null ? null : storedDocument(autonomy.document);
    const taskNow = this.#taskOf(task);
    return {
      task: taskNow,
      environment,
      plan: {
        id: plan.id,
        revision: plan.revision,
        state: plan.state,
        digest: expansion.digest,
        expanded: expansion.plan,
        submitter: submitterFromColumns(plan),
      },
      simulation,
      registry: { tools, executors: byName(facts.executors.map(executorOf)) },
      facts: {
        task: taskFacts(taskNow),
        ...(await this.#revisions.of(plan.id, expansion, async (name, version) => {
          const inForce = tools.get(name);
          return inForce?.version === version ? inForce : this.sources.tools.get(tx, name, version);
        })),
      },
      autonomy: {
        revisionId: autonomy?.id ?? null,
        facts: document,
        document,
        emergencyOverride: document?.emergency_override ?? null,
      },
    };
  }

  /**
   * The names that a revision uses. They may be known from before, since content never changes: they say which rows to lock.
   * Decisions come from the revision as it is read under its lock.
   */
  async #namesOf(tx: Tx, planId: PlanId): Promise<Names | null> {
    const key = `${tx.tenantId}/${planId}`;
    let names = this.#names.get(key);
    if (names === undefined) {
      const plan = await this.sources.plans.find(tx, planId);
      if (plan?.expansion == null) return null;
      const invocations = invocationsOf(plan.expansion.plan);
      names = {
        tools: [...new Set(invocations.map(({ tool }) => tool.name))],
        executors: [...new Set(invocations.map(({ executor }) => executor.name))],
      };
    }
    this.#names.delete(key);
    this.#names.set(key, names);
    const [oldest] = this.#names.keys();
    if (this.#names.size > MAX_PLANS && oldest !== undefined) this.#names.delete(oldest);
    return names;
  }

  #toolOf({ definition, ...tool }: ToolColumns): ToolVersion {
    return { ...tool, definition: this.#definitions.of(definition) };
  }

  #taskOf(row: TaskColumns): Task {
    return {
      id: row.id,
      environmentId: row.environment_id,
      state: row.state,
      spec: this.#specs.of(row.spec),
      specText: row.spec,
      digest: row.spec_digest,
      submitter: submitterFromColumns(row),
      createdAt: Date.parse(row.created_at),
      updatedAt: Date.parse(row.updated_at),
    };
  }
}

const byName = <Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> =>
  new Map(all.map((one) => [one.name, one]));

const executorOf = ({ shared_audience: sharedAudience, ...executor }: ExecutorColumns): ExecutorRecord => ({
  ...executor,
  sharedAudience,
});
