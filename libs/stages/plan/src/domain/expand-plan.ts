import { canonicalJson } from '#lib/canonical';
import {
  type ExpandedCall,
  type ExpandedPlan,
  type ExpandedPhase,
  MAX_EXPANDED_CALLS,
  type PlanDocument,
  type PlanPhase,
  type PlanStep,
} from '#lib/formats';
import { err, type FieldError, ok, type Result } from '#lib/kernel';
import { environmentDigest, type Task } from '#lib/task';
import { changesUnder, secretsOf } from '#lib/tool';
import { batchSize, splitBatches } from './batches.js';
import { checkDocument } from './check-document.js';
import { resolveTool, type ResolvedTool, expandInvocation, type ToolCatalog } from './expand-invocation.js';
import { ExpansionErrors } from './expansion-errors.js';
import { phaseCondition } from './phase-condition.js';
import { batchReferencesIn, type BatchValues } from './substitute-batch.js';

/** The records with which a plan is expanded. */
export interface ExpansionContext extends ToolCatalog {
  readonly task: Pick<Task, 'id' | 'spec'>;
  /** The number of the revision that this plan becomes. */
  readonly revision: number;
}

/** Longest arguments of a whole plan, as canonical JSON: longer ones would not fit a policy's input either. */
export const MAX_EXPANDED_CHARACTERS = 1_048_576;

/** The tools that a plan names, each once. */
export const toolNamesOf = (document: PlanDocument): readonly string[] => [
  ...new Set(writtenCalls(document).map(({ tool }) => tool)),
];

/** The secrets that a plan names, each once, as `name@version`. */
export const secretNamesOf = (document: PlanDocument): readonly string[] => [
  ...new Set(writtenCalls(document).flatMap((call) => secretsOf(call.arguments).map(({ reference }) => reference))),
];

/** The calls of a plan, as it is written: its steps, their compensations, and its health checks. */
const writtenCalls = (document: PlanDocument): readonly Pick<PlanStep, 'tool' | 'arguments'>[] =>
  document.phases.flatMap((phase) => [
    ...phase.steps.flatMap((step) => [step, ...(step.compensate_with === undefined ? [] : [step.compensate_with])]),
    ...phase.health_checks,
  ]);

/**
 * Turns a plan as it was written into the batches and calls that would be executed. These are digested, simulated, shown
 * and approved. The same input always gives the same expansion. Nothing is repaired; `pointer` of each error leads into
 * the submitted document.
 */
export function expandPlan(
  document: PlanDocument,
  context: ExpansionContext,
): Result<ExpandedPlan, readonly FieldError[]> {
  const errors = new ExpansionErrors();
  checkDocument(document, context.task.spec, errors);
  const expansion = new Expansion(document, context, errors);
  const phases = document.phases.map((phase, index) => expansion.phase(phase, index));
  expansion.checkSize();
  if (!errors.none) return err(errors.list);
  return ok({
    format: 'countersign.plan/v1',
    task_id: context.task.id,
    revision: context.revision,
    environment: {
      id: context.environment.id,
      name: context.environment.name,
      digest: environmentDigest(context.environment),
    },
    distinct_targets: [...expansion.distinctTargets],
    phases,
  });
}

class Expansion {
  readonly distinctTargets: ReadonlySet<string>;
  readonly #context: ExpansionContext;
  readonly #errors: ExpansionErrors;
  #calls = 0;
  #characters = 0;

  constructor(document: PlanDocument, context: ExpansionContext, errors: ExpansionErrors) {
    this.#context = context;
    this.#errors = errors;
    this.distinctTargets = new Set(document.phases.flatMap((phase) => phase.targets));
  }

  phase(phase: PlanPhase, index: number): ExpandedPhase {
    const pointer = `/phases/${String(index)}`;
    const constraints = this.#context.task.spec.constraints ?? {};
    const percent = Math.min(phase.batch_percent, constraints.max_batch_percent ?? 100);
    const batches = splitBatches(phase.targets, batchSize(this.distinctTargets.size, percent));
    return {
      index,
      name: phase.name,
      canary: phase.canary,
      wait_seconds: phase.wait_seconds,
      rollback_if: phaseCondition(phase, constraints.rollback_trigger, pointer, this.#errors),
      batches: batches.map((targets, batch) => ({
        index: batch,
        targets: [...targets],
        calls: phase.steps.flatMap((step, position) =>
          this.#step(step, targets, `${pointer}/steps/${String(position)}`),
        ),
        health_checks: this.#healthChecks(phase, targets, pointer),
      })),
    };
  }

  #step(step: PlanStep, targets: readonly string[], pointer: string): ExpandedCall[] {
    const tool = resolveTool(this.#context, step.tool, pointer, this.#errors);
    const compensation =
      step.compensate_with === undefined
        ? null
        : resolveTool(this.#context, step.compensate_with.tool, `${pointer}/compensate_with`, this.#errors);
    const each = batchReferencesIn(step.arguments).used.has('target');
    if (tool === undefined || compensation === undefined) return [];
    if (step.on_failure === 'retry' && !tool.version.definition.idempotent) {
      this.#errors.add(
        `${pointer}/on_failure`,
        'plan.retry_not_idempotent',
        `"${step.tool}" is not idempotent: it is never started a second time.`,
        { suggestion: 'pause or rollback' },
      );
    }
    if (compensation?.version.definition.risk === 'read_only') {
      this.#undoesNothing(`${pointer}/compensate_with/tool`, `"${compensation.version.name}"`);
    }
    const calls: ExpandedCall[] = [];
    for (const values of each ? targets.map((target) => ({ targets, target })) : [{ targets, target: null }]) {
      const call = this.#call(step, tool, compensation, values, pointer);
      // One bad call says all there is to say about its step; the limits end everything.
      if (call === undefined) return calls;
      calls.push(call);
    }
    return calls;
  }

  #call(
    step: PlanStep,
    tool: ResolvedTool,
    compensation: ResolvedTool | null,
    values: BatchValues,
    pointer: string,
  ): ExpandedCall | undefined {
    if (!this.#withinLimits(this.#calls + 1)) return undefined;
    const invocation = expandInvocation(this.#context, tool, step.arguments, values, pointer, this.#errors);
    const undo =
      compensation === null || step.compensate_with === undefined
        ? null
        : expandInvocation(
            this.#context,
            compensation,
            step.compensate_with.arguments,
            values,
            `${pointer}/compensate_with`,
            this.#errors,
          );
    if (invocation === undefined || undo === undefined) return undefined;
    if (undo?.shell?.risk === 'read_only') {
      this.#undoesNothing(`${pointer}/compensate_with/arguments${undo.shell.argument}`, 'The command line');
      return undefined;
    }
    this.#calls += 1;
    this.#characters += canonicalJson(invocation).length + (undo === null ? 0 : canonicalJson(undo).length);
    return { seq: this.#calls, step_id: step.id, invocation, on_failure: step.on_failure, compensate_with: undo };
  }

  #undoesNothing(pointer: string, what: string): void {
    this.#errors.add(pointer, 'plan.compensation_read_only', `${what} only reads: it undoes nothing.`, {
      suggestion: 'Name the tool that puts things back, or leave compensate_with out.',
    });
  }

  #healthChecks(
    phase: PlanPhase,
    targets: readonly string[],
    phasePointer: string,
  ): ExpandedPhase['batches'][number]['health_checks'] {
    return phase.health_checks.flatMap((check, position) => {
      const pointer = `${phasePointer}/health_checks/${String(position)}`;
      const tool = resolveTool(this.#context, check.tool, pointer, this.#errors);
      if (tool === undefined) return [];
      if (tool.version.definition.risk !== 'read_only') {
        this.#errors.add(
          `${pointer}/tool`,
          'plan.health_check_not_read_only',
          `A health check only reads, and "${check.tool}" does not.`,
        );
        return [];
      }
      if (!this.#withinLimits(this.#calls)) return [];
      const values = { targets, target: null };
      const invocation = expandInvocation(this.#context, tool, check.arguments, values, pointer, this.#errors);
      if (invocation === undefined) return [];
      if (changesUnder(invocation.paths?.risk ?? 'read_only')) {
        this.#errors.add(
          `${pointer}/arguments`,
          'plan.health_check_not_read_only',
          'A health check only reads, and no secrets: no person is asked about it.',
        );
        return [];
      }
      this.#characters += canonicalJson(invocation).length;
      return [{ name: check.name, invocation }];
    });
  }

  #withinLimits(calls: number): boolean {
    if (calls > MAX_EXPANDED_CALLS) {
      this.#errors.add(
        '/phases',
        'plan.too_many_calls',
        `The plan comes to more than ${String(MAX_EXPANDED_CALLS)} calls.`,
        {
          suggestion: 'Hand a batch to one call with {"$batch":"targets"}, or split the task.',
        },
      );
      return false;
    }
    return this.checkSize();
  }

  /** False if the calls and health checks so far are together too large. */
  checkSize(): boolean {
    if (this.#characters <= MAX_EXPANDED_CHARACTERS) return true;
    this.#errors.add('/phases', 'plan.too_large', 'The expanded plan is larger than can be decided on.', {
      suggestion: 'Split the task.',
    });
    return false;
  }
}
