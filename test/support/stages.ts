import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { canonicalJson, type Json } from '#lib/canonical';
import type { CreateHaltBody } from '#lib/api-schemas';
import {
  type AutonomyDocument,
  type PlanDocument,
  planDocumentSchema,
  type TaskSpec,
  taskSpecSchema,
  type ToolCatalog,
  toolCatalogSchema,
} from '#lib/formats';
import { packageRoot } from '#lib/database';
import type { DispatchOrder, DispatchOutcome, ToolDispatcher } from '#lib/dispatch';
import type { Halt } from '#lib/halt';
import {
  type AgentPrincipal,
  type AuditEvent,
  type AuditSink,
  digestOf,
  digestText,
  type EnvironmentId,
  newId,
  type Outbox,
  type OutboxMessage,
  type PersonId,
  type PersonPrincipal,
  type PlanId,
  type TenantId,
  type ToolVersionId,
  type Tx,
} from '#lib/kernel';
import type { Plans } from '#lib/plan';
import type { Simulations } from '#lib/simulation';
import type { Task, Tasks } from '#lib/task';
import { completeDefinition, type Tools, type ExecutorId } from '#lib/tool';
import type { Autonomy } from '#lib/autonomy';
import { sampleTenant } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import type { TestDatabase } from './database.js';
import { TenantRows } from './tenant-rows.js';
import { wireStages } from './wired-stages.js';

/** A tool server's answer, given by the test. */
export type AnswerTool = (order: DispatchOrder) => DispatchOutcome | Promise<DispatchOutcome>;

/** A tenant with the catalog of ADR-009 in production, and the use cases of tasks, plans and simulations over it. */
export interface Stages extends Tasks, Plans, Simulations {
  readonly tenantId: TenantId;
  readonly admin: PersonPrincipal;
  readonly owner: PersonPrincipal;
  readonly agent: AgentPrincipal;
  readonly environmentId: EnvironmentId;
  /** The recorded events, in order. */
  readonly audited: AuditEvent[];
  /** The messages to people outside. */
  readonly told: OutboxMessage[];
  answerTools(answer: AnswerTool): void;
  setHalt(body: CreateHaltBody): Promise<Halt>;
  /** All of the stages, by library. */
  readonly wired: ReturnType<typeof wireStages>;
  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A task of the agent's, over these servers. */
  task(overrides?: Partial<TaskSpec>): Promise<Task>;
  /** Its live plan. */
  planned(task: Task, document?: PlanDocument): Promise<PlanId>;
}

/** Names of servers: web-01, web-02 … */
export const servers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `web-${String(index + 1).padStart(2, '0')}`);

/** The plan of the demonstration. It has a canary of 5, then waves of 15 and 27, in batches of at most 20 percent. */
export function rolloutPlan(image = 'web-2026-11', targets = servers(47)): PlanDocument {
  const phase = (name: string, canary: boolean, names: readonly string[]) => ({
    name,
    canary,
    targets: [...names],
    batch_percent: 20,
    wait_seconds: 30,
    health_checks: [{ name: 'web', tool: 'query_alerts', arguments: { targets: { $batch: 'targets' } } }],
    rollback_if: 'web.error_rate > 0.05',
    steps: [
      {
        id: `rollout-${name}`,
        tool: 'execute_rollout_prod',
        arguments: { targets: { $batch: 'targets' }, image },
        on_failure: 'rollback',
        compensate_with: {
          tool: 'execute_rollout_prod',
          arguments: { targets: { $batch: 'targets' }, image: 'web-2026-10' },
        },
      },
    ],
  });
  return planDocumentSchema.parse({
    summary: 'Bring the web servers to the golden image.',
    phases: [
      phase('canary', true, targets.slice(0, 5)),
      phase('wave-1', false, targets.slice(5, 20)),
      phase('wave-2', false, targets.slice(20)),
    ],
  });
}

/** Its first two phases, of one target each. They are a run of two calls, for tests of the way to its end. */
export function shortPlan(image: string, targets: readonly [string, string]): PlanDocument {
  const plan = rolloutPlan(image);
  const phases = targets.flatMap((target, at) =>
    plan.phases.slice(at, at + 1).map((phase) => ({ ...phase, targets: [target] })),
  );
  return { ...plan, phases };
}

/** A tool server that predicts one asset a target and two minutes a call. */
const predictingFleet: AnswerTool = (order) => ({
  kind: 'succeeded',
  result: {
    affected_assets: Array.isArray(order.arguments.targets) ? order.arguments.targets.length : 1,
    estimated_duration_minutes: 2,
    predicted_risk: 'medium',
    health_check_points: ['error rate stays below 5 percent'],
    details: { tool: order.tool.name },
  },
});

const PRODUCTION_RULES: AutonomyDocument = {
  autonomy: {
    mode: 'plan_only',
    environments: { production: { mode: 'full_auto', allowed_approvers: ['SRELead'], require_two_approvers: true } },
  },
};

export async function makeStages(db: TestDatabase): Promise<Stages> {
  const sample = sampleTenant();
  const { tenantId, admin, owner, agent } = sample;
  const environmentId = sample.production.id;
  await TenantRows.of(db.uow, sample);
  const audited: AuditEvent[] = [];
  const audit: AuditSink = { record: (_tx, event) => Promise.resolve(void audited.push(event)) };
  const told: OutboxMessage[] = [];
  const outbox: Outbox = { write: (_tx, message) => Promise.resolve(void told.push(message)) };
  let answer: AnswerTool = predictingFleet;
  const dispatcher: ToolDispatcher = {
    dispatch: async (order) => answer(order),
  };
  const { uow } = db;
  const wired = wireStages(db, { audit, outbox, dispatcher });
  const { task, plan, simulation, halt } = wired;
  await uow.run(tenantId, (tx) =>
    putCatalog(tx, {
      registry: wired.tool.tools,
      executors: wired.tool.executors,
      autonomy: wired.autonomy.revisions,
      environmentId,
      by: admin.personId,
    }),
  );

  const stages: Stages = {
    tenantId,
    admin,
    owner,
    agent,
    environmentId,
    audited,
    told,
    answerTools: (next) => {
      answer = next;
    },
    setHalt: async (body) => valueOf(await halt.setHalt.execute({ ...admin, scopes: ['halt'] }, body)),
    wired,
    ...task,
    ...plan,
    ...simulation,
    inTenant: (work) => uow.run(tenantId, work),
    task: async (overrides = {}) => valueOf(await task.createTask.execute(agent, anotherTaskSpec(overrides))),
    planned: async (of, document = rolloutPlan()) =>
      valueOf(await plan.submitPlan.execute(agent, of.id, document)).plan.id,
  };
  return stages;
}

/** The task of the demonstration. */
export const taskSpec = (overrides: Partial<TaskSpec> = {}): TaskSpec =>
  taskSpecSchema.parse({
    goal: 'Remediate drift on 47 production web servers',
    task_type: 'drift_remediation',
    environment: 'production',
    ...overrides,
  });

/** A spec that differs from every other in an unread member: identical requests of an agent are one request. */
export const anotherTaskSpec = (overrides: Partial<TaskSpec> = {}): TaskSpec =>
  taskSpec({ agent: { model: 'test', version: newId() }, ...overrides });

/** The registry's rows, written as their use cases would. */
async function putCatalog(
  tx: Tx,
  to: {
    readonly registry: Tools['tools'];
    readonly executors: Tools['executors'];
    readonly autonomy: Autonomy['revisions'];
    readonly environmentId: EnvironmentId;
    readonly by: PersonId;
  },
): Promise<void> {
  const now = await tx.now();
  for (const [name, document] of Object.entries(catalog().tools)) {
    const completed = completeDefinition(name, document, `/tools/${name}`);
    if (!completed.ok) throw new Error(JSON.stringify(completed.error));
    const definition = completed.value;
    const text = canonicalJson(definition as Json);
    const version = { id: newId<ToolVersionId>(), name, version: 1, digest: digestText('tool', text), definition };
    await to.registry.addVersion(tx, version, text, to.by, now);
  }
  const content = {
    kind: 'http' as const,
    url: 'http://127.0.0.1:9/',
    audience: 'fleet',
    sharedAudience: false,
    secret: null,
    settings: {},
  };
  const record = {
    id: newId<ExecutorId>(),
    name: 'fleet',
    ...content,
    version: 1,
    digest: digestOf('executor', content),
  };
  await to.executors.save(tx, to.environmentId, record, to.by, now);
  const source = JSON.stringify(PRODUCTION_RULES);
  await to.autonomy.put(tx, {
    revisionId: newId(),
    number: 1,
    document: PRODUCTION_RULES,
    digest: digestOf('autonomy', PRODUCTION_RULES as never),
    source,
    sourceSha256: '0'.repeat(64),
    createdAt: now,
    createdBy: to.by,
  });
}

const catalog = (): ToolCatalog =>
  toolCatalogSchema.parse(parse(readFileSync(join(packageRoot(), 'catalog', 'adr-009.yaml'), 'utf8')));
