import { z } from 'zod';
import { type BoundSubject, reviewedRowsSchema, type ReviewedRequests, RevisionFacts } from '#lib/approval';
import { revisionInForceSchema, sealedRevision, storedDocument } from '#lib/autonomy';
import { parsedValue, sqlOf } from '#lib/database';
import { roleHoldersIn } from '#lib/identity';
import { type PlanId, requireSeal, type RowSeals, type Tx } from '#lib/kernel';
import { invocationsOf, planEntity, type SqlPlanContents, type PlanRepository, taskFacts } from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import { haltFactsSchema } from '#lib/policy-inputs';
import { simulationEntity } from '#lib/simulation';
import { submitterIn, taskEntity, taskOf } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import {
  executorEntity,
  executorVersionEntity,
  type ExecutorRecord,
  type ToolRegistry,
  toolVersionEntity,
  toolVersionOf,
} from '#lib/tool';
import type { BoundRecords, LockedRecords } from '../application/bound-records.port.js';
import { requestOf, type Run } from '../domain/run.js';
import { ATTEMPT_ROW, attemptOf, RUN_ROW, runOf, STEP_ROW, stepOf } from './run-rows.js';
import { sealedRun } from './run-seal.js';

const TASK = taskEntity.all;
const PLAN = planEntity.pick('id', 'revision', 'state', 'agentId', 'personId', 'onBehalfOf', 'credentialId');
const ENVIRONMENT = environmentEntity.pick('id', 'name', 'production', 'version');
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
const SIMULATION = simulationEntity.pick('id', 'digest');

/** A row as `read` takes it; null if there is none. */
const rowOr = <T>(read: (row: unknown) => T) => z.unknown().transform((row) => (row === null ? null : read(row)));
const rows = <T>(read: (row: unknown) => T) => z.array(z.unknown().transform(read));

/** The answer of `run_turn_facts`. */
const turnFactsSchema = z.object({
  now: z.number(),
  bundle: z.string().nullable(),
  autonomy: revisionInForceSchema.nullable(),
  tools: rows((row) => toolVersionOf(TOOL.parse(row))),
  task: rowOr((row) => taskOf(TASK.parse(row))),
  plan: z
    .looseObject({ row_version: z.string() })
    .transform((row) => ({ ...PLAN.parse(row), rowVersion: row.row_version }))
    .nullable(),
  environment: rowOr((row) => ENVIRONMENT.parse(row)),
  executors: rows((row): ExecutorRecord => Object.assign(EXECUTOR.parse(row), EXECUTOR_VERSION.parse(row))),
  simulation: rowOr((row) => SIMULATION.parse(row)),
  run: z
    .looseObject({ seal: z.string() })
    .transform((row) => ({ run: runOf(RUN_ROW.parse(row)), seal: row.seal }))
    .nullable(),
  ahead: rows((row) => stepOf(STEP_ROW.parse(row))),
  in_flight: rows((row) => attemptOf(ATTEMPT_ROW.parse(row))),
  halts: z.array(haltFactsSchema.extend({ tool: z.string().nullable() })),
  approval: reviewedRowsSchema.nullable(),
  people: z.array(z.unknown()),
});

type TurnFacts = z.infer<typeof turnFactsSchema>;

/** The ports of earlier libraries that the adapter reads. */
export interface BoundRecordSources {
  readonly plans: Pick<PlanRepository, 'find'>;
  readonly contents: Pick<SqlPlanContents, 'of'>;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly policy: Pick<PolicyDecisionPoint, 'lockBundleHead' | 'bundleRevision'>;
  readonly seals: RowSeals;
  readonly requests: Pick<ReviewedRequests, 'kept' | 'of'>;
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
  /** Whether this process's bundle was seen in force. */
  #announced = false;

  constructor(private readonly sources: BoundRecordSources) {}

  async lock(tx: Tx, run: Run): Promise<LockedRecords | null> {
    return this.#locked(tx, run, () => Promise.resolve());
  }

  async lockToAdvance(tx: Tx, run: Run): Promise<LockedRecords | null> {
    return this.#locked(tx, run, (locked) => requireSeal(this.sources.seals, sealedRun(tx, locked.run), locked.seal));
  }

  async #facts(tx: Tx, run: Run, known: string | null): Promise<TurnFacts | null> {
    const names = await this.#namesOf(tx, run.planId);
    if (names === null) return null;
    const { policy } = this.sources;
    if (!this.#announced) await policy.lockBundleHead(tx);
    const [row] = await sqlOf(tx).query<{ readonly facts: unknown }>(
      'select run_turn_facts($1, $2, $3, $4, $5, $6, $7, $8) as facts',
      [run.id, run.taskId, run.planId, run.environmentId, requestOf(run), known, names.tools, names.executors],
    );
    if (row === undefined) throw new Error('run_turn_facts answered nothing');
    const facts = parsedValue(turnFactsSchema, row.facts, { function: 'run_turn_facts', id: run.id });
    this.#announced ||= facts.bundle === policy.bundleRevision;
    return facts;
  }

  /** @param require refuses a run under its lock. */
  async #locked(
    tx: Tx,
    found: Run,
    require: (locked: NonNullable<TurnFacts['run']>) => Promise<void>,
  ): Promise<LockedRecords | null> {
    const { requests, seals } = this.sources;
    const requestId = requestOf(found);
    const kept = requestId === null ? null : requests.kept(tx, requestId);
    const facts = await this.#facts(tx, found, kept?.version ?? null);
    const subject = facts === null ? null : await this.#subject(tx, facts);
    if (facts?.run == null || subject === null) return null;
    await require(facts.run);
    const { run, now, ahead, in_flight: inFlight, halts, approval, people } = facts;
    return {
      ...{ run: run.run, now, subject, ahead, inFlight, halts },
      approval: requestId === null || approval === null ? null : await requests.of(tx, requestId, approval, kept),
      holders: await roleHoldersIn(seals, tx.tenantId, people),
    };
  }

  async #subject(tx: Tx, facts: TurnFacts): Promise<BoundSubject | null> {
    const { task, plan, environment, autonomy, simulation } = facts;
    if (task === null || plan === null || environment === null) return null;
    if (autonomy !== null) await requireSeal(this.sources.seals, sealedRevision(tx, autonomy), autonomy.seal);
    const { expansion } = await this.sources.contents.of(tx, plan.id, plan.rowVersion);
    if (expansion === null) return null;
    const tools = byName(facts.tools);
    const document = autonomy === null ? null : storedDocument(autonomy.document, autonomy.id);
    return {
      task,
      environment,
      plan: {
        id: plan.id,
        revision: plan.revision,
        state: plan.state,
        digest: expansion.digest,
        expanded: expansion.plan,
        submitter: submitterIn(plan),
      },
      simulation,
      registry: { tools, executors: byName(facts.executors) },
      facts: {
        task: taskFacts(task),
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
}

const byName = <Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> =>
  new Map(all.map((one) => [one.name, one]));
