import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { canonicalJson, type Json } from '#lib/canonical';
import {
  toolCatalogSchema,
  type AutonomyDocument,
  type ExpandedInvocation,
  type ExpandedPlan,
  type ToolDocument,
} from '#lib/formats';
import { packageRoot } from '#lib/database';
import { fakeExpandedPhase } from '../../../../foundation/formats/src/fake-expanded-phase.js';
import {
  digestOf,
  digestText,
  newId,
  type AutonomyRevisionId,
  type PlanId,
  type SimulationId,
  type ToolVersionId,
} from '#lib/kernel';
import { planFacts, taskFacts } from '#lib/plan';
import { environmentDigest } from '#lib/task';
import { completeDefinition, type ToolVersion } from '#lib/tool';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleExecutor } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import type { PlanSubject, SubjectSimulation } from '../domain/approval-subject.js';

const known = new Map<string, ToolVersion>();

/** A tool of the catalog; read once a file. */
function toolOf(name: string): ToolVersion {
  const before = known.get(name);
  if (before !== undefined) return before;
  const { tools } = toolCatalogSchema.parse(
    parse(readFileSync(join(packageRoot(), 'catalog', 'adr-009.yaml'), 'utf8')),
  );
  const document = tools[name];
  if (document === undefined) throw new Error(`the catalog has no ${name}`);
  const version = versionOf(name, document);
  known.set(name, version);
  return version;
}

/** The first version of a tool. */
export function versionOf(name: string, document: ToolDocument): ToolVersion {
  const completed = completeDefinition(name, document, '');
  if (!completed.ok) throw new Error(`the tool ${name} contradicts itself: ${JSON.stringify(completed.error)}`);
  const definition = completed.value;
  return {
    id: newId<ToolVersionId>(),
    name,
    version: 1,
    digest: digestText('tool', canonicalJson(definition as Json)),
    definition,
  };
}

const executor = { name: 'fleet', digest: digestOf('executor', { url: 'http://127.0.0.1:9/' }) };

const serversFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `web-${String(first + index).padStart(2, '0')}`);

const invocation = ({ name, version, digest }: ToolVersion, targets: string[]): ExpandedInvocation => ({
  tool: { name, version, digest },
  executor,
  arguments: { targets, image: 'web-2026-11' },
  arguments_digest: digestOf('arguments', { targets, image: 'web-2026-11' }),
  targets,
});

/** Ten servers: one as a canary, the others two at a time. */
function expandedPlan(taskId: string, environment: PlanSubject['environment'], tool: ToolVersion): ExpandedPlan {
  const phase = (index: number, name: string, batches: string[][]): ExpandedPlan['phases'][number] =>
    fakeExpandedPhase({
      index,
      name,
      canary: index === 0,
      wait_seconds: 30,
      rollback_if: 'web.error_rate > 0.05',
      batches: batches.map((targets, position) => ({
        index: position,
        targets,
        calls: [
          {
            seq: index + position + 1,
            step_id: name,
            invocation: invocation(tool, targets),
            on_failure: 'rollback',
            compensate_with: null,
          },
        ],
        health_checks: [],
      })),
    });
  return {
    format: 'countersign.plan/v1',
    task_id: taskId,
    revision: 1,
    environment: { id: environment.id, name: environment.name, digest: environmentDigest(environment) },
    distinct_targets: serversFrom(1, 10),
    phases: [
      phase(0, 'canary', [serversFrom(1, 1)]),
      phase(1, 'wave', [
        serversFrom(2, 2),
        serversFrom(4, 2),
        serversFrom(6, 2),
        serversFrom(8, 2),
        serversFrom(10, 1),
      ]),
    ],
  };
}

/** A prediction of this plan that came to a result just now. */
export const simulationOf = (
  plan: { readonly digest: string },
  finishedAt: number,
  mark = 'first',
): SubjectSimulation => ({
  id: newId<SimulationId>(),
  planDigest: plan.digest,
  state: 'succeeded',
  digest: digestOf('simulation', { mark }),
  result: null,
  finishedAt,
});

/** The wishes of a test: another tool, and other members of the task. */
export interface SubjectOptions {
  readonly tool?: string;
  readonly task?: Parameters<typeof sampleTask>[1];
}

/** The subject of a plan's approval: a rollout of ten servers in production, which the tenant's agent planned. */
export function sampleSubject(
  tenant: SampleTenant,
  now: number,
  { tool: name = 'execute_rollout_prod', task: more = {} }: SubjectOptions = {},
): PlanSubject {
  const tool = toolOf(name);
  const task = sampleTask(tenant, { state: 'planned', createdAt: now - 3_600_000, ...more });
  const environment = tenant.production;
  const id = newId<PlanId>();
  const expanded = expandedPlan(task.id, environment, tool);
  const digest = digestOf('plan', expanded);
  const facts = planFacts({ id, digest, expanded }, [tool]);
  const plan = {
    id,
    revision: 1,
    state: 'validated',
    digest,
    document: { phases: [] },
    expanded,
    submitter: task.submitter,
  } as const satisfies PlanSubject['plan'];
  return {
    type: 'plan',
    task,
    environment,
    plan,
    otherRevisions: [],
    answerable: new Map([[tenant.agent.agentId, [tenant.owner.personId]]]),
    simulation: simulationOf(plan, now),
    registry: {
      tools: new Map([[tool.name, tool]]),
      executors: new Map([[executor.name, { ...sampleExecutor(environment), ...executor }]]),
    },
    facts: { task: taskFacts(task), plan: facts.plan, tools: facts.tools },
    autonomy: { revisionId: null, facts: null, document: null, emergencyOverride: null },
    halts: [],
    promotion: false,
  };
}

/** As a subject holds the document in force. */
export const autonomyOf = (document: AutonomyDocument): PlanSubject['autonomy'] => ({
  revisionId: newId<AutonomyRevisionId>(),
  facts: document,
  document,
  emergencyOverride: null,
});
