import type { JsonObject } from '#lib/canonical';
import type { PlanDocument, PlanPhase, TaskSpec } from '#lib/formats';
import type { ExpansionErrors } from './expansion-errors.js';
import { batchReferencesIn } from './substitute-batch.js';

/** Makes the checks that need no tool: names that must differ, targets within the task's scope, batch references. */
export function checkDocument(document: PlanDocument, spec: TaskSpec, errors: ExpansionErrors): void {
  const scope = spec.scope?.targets === undefined ? undefined : new Set(spec.scope.targets);
  distinct(
    document.phases,
    (phase) => phase.name,
    (index) => `/phases/${String(index)}/name`,
    'phase',
    errors,
  );
  const steps = document.phases.flatMap((phase, phaseIndex) =>
    phase.steps.map((step, stepIndex) => ({
      id: step.id,
      pointer: `/phases/${String(phaseIndex)}/steps/${String(stepIndex)}/id`,
    })),
  );
  distinct(
    steps,
    (step) => step.id,
    (index) => steps[index]?.pointer ?? '',
    'step',
    errors,
  );
  document.phases.forEach((phase, index) => {
    checkPhase(phase, `/phases/${String(index)}`, scope, errors);
  });
}

function checkPhase(
  phase: PlanPhase,
  pointer: string,
  scope: ReadonlySet<string> | undefined,
  errors: ExpansionErrors,
): void {
  distinct(
    phase.targets,
    (target) => target,
    (index) => `${pointer}/targets/${String(index)}`,
    'target',
    errors,
  );
  distinct(
    phase.health_checks,
    (check) => check.name,
    (index) => `${pointer}/health_checks/${String(index)}/name`,
    'health check',
    errors,
  );
  phase.targets.forEach((target, index) => {
    const itemPointer = `${pointer}/targets/${String(index)}`;
    if (target.startsWith('environment:')) {
      errors.add(itemPointer, 'plan.reserved_target', 'Names that begin with "environment:" stand for environments.');
    }
    if (scope !== undefined && !scope.has(target)) {
      errors.add(itemPointer, 'plan.target_outside_scope', `"${target}" is not among the targets of the task.`);
    }
  });
  phase.steps.forEach((step, index) => {
    const itemPointer = `${pointer}/steps/${String(index)}`;
    const own = checkReferences(step.arguments, `${itemPointer}/arguments`, phase, errors);
    if (own.has('target') && own.has('targets')) mixed(`${itemPointer}/arguments`, errors);
    if (step.compensate_with === undefined) return;
    const undo = checkReferences(
      step.compensate_with.arguments,
      `${itemPointer}/compensate_with/arguments`,
      phase,
      errors,
    );
    // The compensation belongs to one call: it undoes that call, for the same targets.
    if ((own.has('target') && undo.has('targets')) || (!own.has('target') && undo.has('target'))) {
      mixed(`${itemPointer}/compensate_with/arguments`, errors);
    }
  });
  phase.health_checks.forEach((check, index) => {
    const itemPointer = `${pointer}/health_checks/${String(index)}/arguments`;
    if (checkReferences(check.arguments, itemPointer, phase, errors).has('target')) {
      errors.add(itemPointer, 'plan.batch_reference', 'A health check is one call for the whole batch.', {
        suggestion: '{"$batch":"targets"}',
      });
    }
  });
}

function checkReferences(
  args: JsonObject,
  pointer: string,
  phase: PlanPhase,
  errors: ExpansionErrors,
): ReadonlySet<string> {
  const { used, malformed } = batchReferencesIn(args);
  for (const itemPointer of malformed) {
    errors.add(
      `${pointer}${itemPointer}`,
      'plan.batch_reference',
      '"$batch" stands alone in its object, and is "targets" or "target".',
      {
        suggestion: '{"$batch":"targets"}',
      },
    );
  }
  if (used.size > 0 && phase.targets.length === 0) {
    errors.add(pointer, 'plan.batch_without_targets', 'The phase has no targets that "$batch" could stand for.');
  }
  return used;
}

const mixed = (pointer: string, errors: ExpansionErrors): void => {
  errors.add(
    pointer,
    'plan.batch_reference',
    'A step is made either for each target or for the whole batch, and so is what undoes it.',
    {
      suggestion: 'Use {"$batch":"target"} throughout, or {"$batch":"targets"} throughout.',
    },
  );
};

function distinct<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  pointerOf: (index: number) => string,
  what: string,
  errors: ExpansionErrors,
): void {
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const name = nameOf(item);
    if (seen.has(name))
      errors.add(pointerOf(index), 'plan.duplicate_name', `There is another ${what} named "${name}" before this one.`);
    seen.add(name);
  });
}
