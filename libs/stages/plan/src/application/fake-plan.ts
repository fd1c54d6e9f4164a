import { canonicalJson } from '#lib/canonical';
import { type PlanDocument, planDocumentSchema } from '#lib/formats';
import { digestText, newId, type PlanId } from '#lib/kernel';
import type { Task } from '#lib/task';
import { type ExecutorRecord, toolFacts, type ToolVersion } from '#lib/tool';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleExecutor, sampleRollout } from '../../../../registry/tool/src/application/fake-tool.js';
import { expandPlan, toolNamesOf } from '../domain/expand-plan.js';
import { toolKeyOf } from '../domain/plan-facts.js';
import { headlineOf } from '../domain/plan-headline.js';
import type { Expansion, Plan } from '../domain/plan.js';

/** A canary on one server, then two more. */
const sampleDocument = (targets: readonly string[] = ['web-1', 'web-2', 'web-3']): PlanDocument => {
  const phase = (name: string, canary: boolean, names: readonly string[]): object => ({
    name,
    canary,
    targets: names,
    steps: [
      { id: `roll-${name}`, tool: 'rollout', arguments: { targets: { $batch: 'targets' }, image: 'web-2026.11' } },
    ],
  });
  return planDocumentSchema.parse({
    phases: [phase('canary', true, targets.slice(0, 1)), phase('rest', false, targets.slice(1))],
  });
};

/** The members that a test sets of a sample plan, and the parts that it is expanded from. */
interface Wanted extends Partial<Omit<Plan, 'document' | 'expansion' | 'headline'>> {
  readonly document?: PlanDocument;
  /** Those that the document names. */
  readonly tools?: readonly ToolVersion[];
  readonly executor?: ExecutorRecord;
}

/** A validated revision for a task in production, expanded as SubmitPlan would. */
export function samplePlan(
  tenant: SampleTenant,
  task: Task,
  wanted: Wanted = {},
): Plan & { readonly expansion: Expansion } {
  const {
    document = sampleDocument(),
    tools = [sampleRollout()],
    executor = sampleExecutor(tenant.production),
    revision = 1,
    ...members
  } = wanted;
  const expanded = expandPlan(document, {
    task,
    revision,
    environment: tenant.production,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    executors: new Map([[executor.name, executor]]),
    toolNames: toolNamesOf(document),
    secrets: new Map(),
  });
  if (!expanded.ok) throw new Error(JSON.stringify(expanded.error));
  const text = canonicalJson(expanded.value);
  const facts = Object.fromEntries(tools.map((tool) => [toolKeyOf(tool), toolFacts(tool)]));
  const createdAt = members.createdAt ?? task.createdAt;
  return {
    id: newId<PlanId>(),
    taskId: task.id,
    revision,
    state: 'validated',
    document,
    expansion: { plan: expanded.value, text, digest: digestText('plan', text) },
    headline: headlineOf(expanded.value, facts),
    errors: [],
    decisionId: null,
    submitter: task.submitter,
    createdAt,
    updatedAt: createdAt,
    ...members,
  };
}
