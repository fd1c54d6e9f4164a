import type { ExpandedCall, ExpandedInvocation, ExpandedPhase, ExpandedPlan } from '#lib/formats';
import type { ToolFacts } from '#lib/policy-inputs';
import { toolKeyOf, wholeEnvironment } from '#lib/plan';
import { changesUnder } from '#lib/tool';
import type { RunPhases } from './run.js';
import type { RunStep } from './run-step.js';

/** The facts of a tool, at the version that the plan names, that a run needs. */
export interface StepTool {
  readonly idempotent: boolean;
  readonly changes: boolean;
}

export const stepToolsOf = (facts: Readonly<Record<string, ToolFacts>>): ReadonlyMap<string, StepTool> =>
  new Map(
    Object.entries(facts).map(([key, { idempotent, risk }]) => [key, { idempotent, changes: changesUnder(risk) }]),
  );

/** The phases that a run executes. */
export const phasesOf = (plan: ExpandedPlan, phases: RunPhases): readonly ExpandedPhase[] =>
  plan.phases.filter((phase) => phases === 'all' || phase.canary === (phases === 'canary'));

/** A step before it has an id. */
export type PlannedStep = Pick<
  RunStep,
  | 'position'
  | 'kind'
  | 'phaseIndex'
  | 'batchIndex'
  | 'seq'
  | 'stepId'
  | 'healthRound'
  | 'toolName'
  | 'toolVersion'
  | 'idempotent'
  | 'changes'
  | 'onFailure'
  | 'compensationIdempotent'
>;

/** The steps of a run in order: each batch's calls, then its health checks in their first round. */
export function plannedSteps(
  plan: ExpandedPlan,
  phases: RunPhases,
  tools: ReadonlyMap<string, StepTool>,
): readonly PlannedStep[] {
  const steps: PlannedStep[] = [];
  for (const phase of phasesOf(plan, phases)) {
    for (const batch of phase.batches) {
      const at = { phaseIndex: phase.index, batchIndex: batch.index };
      for (const call of batch.calls) {
        const undo = call.compensate_with === null ? null : toolOf(tools, call.compensate_with).idempotent;
        steps.push({
          ...at,
          ...called(call.invocation, tools),
          position: steps.length + 1,
          kind: 'call',
          seq: call.seq,
          stepId: call.step_id,
          healthRound: 0,
          onFailure: call.on_failure,
          compensationIdempotent: undo,
        });
      }
      const seq = batch.calls.at(-1)?.seq ?? 0;
      for (const check of batch.health_checks) {
        steps.push({
          ...at,
          ...called(check.invocation, tools),
          position: steps.length + 1,
          kind: 'health_check',
          seq,
          stepId: check.name,
          healthRound: 1,
          onFailure: 'pause',
          compensationIdempotent: null,
        });
      }
    }
  }
  return steps;
}

/** The targets that a run holds before it starts: all that its calls or compensations may change, sorted. */
export function targetsToLock(
  plan: ExpandedPlan,
  phases: RunPhases,
  tools: ReadonlyMap<string, StepTool>,
): readonly string[] {
  const whole = wholeEnvironment(plan.environment.name);
  const targets = new Set<string>();
  for (const { invocation, compensate_with } of callsOfPlan(plan, phases)) {
    for (const called of compensate_with === null ? [invocation] : [invocation, compensate_with]) {
      if (!toolOf(tools, called).changes) continue;
      for (const target of called.targets.length === 0 ? [whole] : called.targets) targets.add(target);
    }
  }
  return [...targets].sort();
}

/** The invocation behind a step: the plan's own, or the one that undoes it. */
export function invocationOf(
  plan: ExpandedPlan,
  step: Pick<RunStep, 'kind' | 'phaseIndex' | 'batchIndex' | 'seq' | 'stepId'>,
  purpose: 'call' | 'compensation',
): ExpandedInvocation | null {
  const batch = plan.phases
    .find((phase) => phase.index === step.phaseIndex)
    ?.batches.find((candidate) => candidate.index === step.batchIndex);
  if (step.kind === 'health_check') {
    return batch?.health_checks.find((check) => check.name === step.stepId)?.invocation ?? null;
  }
  const call = batch?.calls.find((candidate) => candidate.seq === step.seq);
  return (purpose === 'call' ? call?.invocation : call?.compensate_with) ?? null;
}

const callsOfPlan = (plan: ExpandedPlan, phases: RunPhases): readonly ExpandedCall[] =>
  phasesOf(plan, phases).flatMap((phase) => phase.batches.flatMap((batch) => batch.calls));

function called(
  invocation: ExpandedInvocation,
  tools: ReadonlyMap<string, StepTool>,
): Pick<PlannedStep, 'toolName' | 'toolVersion' | 'idempotent' | 'changes'> {
  return { toolName: invocation.tool.name, toolVersion: invocation.tool.version, ...toolOf(tools, invocation) };
}

/** An unknown tool counts as one that changes something and is not idempotent. A command line says itself whether it changes something. */
function toolOf(tools: ReadonlyMap<string, StepTool>, { tool, shell }: ExpandedInvocation): StepTool {
  const found = tools.get(toolKeyOf(tool)) ?? { idempotent: false, changes: true };
  return shell === undefined ? found : { ...found, changes: changesUnder(shell.risk) };
}
