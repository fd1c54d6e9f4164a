import type { Json } from '#lib/canonical';
import type { ExpandedCall, ExpandedPlan, PlanDocument, PlanPhase } from '#lib/formats';
import { changesInWords, type ChangeInWords } from './changes-in-words.js';
import { diffJson, type ValueChange } from './diff-json.js';

/** A call that would be made, not be made any more, or be made differently. */
export interface CallChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly phase: string;
  readonly stepId: string;
  readonly targets: readonly string[];
  readonly seqBefore: number | null;
  readonly seqAfter: number | null;
  /** The differences, relative to the call: `/arguments/image`. Empty for added and removed. */
  readonly changes: readonly ValueChange[];
}

/** The differences between two revisions, as they were written and as they would be executed. */
export interface PlanDiff {
  readonly document: readonly ValueChange[];
  /** Null if one of the two could not be expanded. */
  readonly calls: readonly CallChange[] | null;
  /** The same for people: each difference once. */
  readonly inWords: readonly ChangeInWords[];
  readonly targets: { readonly added: readonly string[]; readonly removed: readonly string[] };
}

/**
 * Compares two revisions of one task. Phases and health checks are matched by name, steps by id, and calls by phase, step and targets.
 * So an inserted phase does not make everything after it look new.
 */
export function diffPlans(
  before: { readonly document: PlanDocument; readonly expanded: ExpandedPlan | null },
  after: { readonly document: PlanDocument; readonly expanded: ExpandedPlan | null },
): PlanDiff {
  const [was, is] = [targetsOf(before.document), targetsOf(after.document)];
  const document = diffDocuments(before.document, after.document);
  const calls = before.expanded === null || after.expanded === null ? null : diffCalls(before.expanded, after.expanded);
  return {
    document,
    calls,
    inWords: changesInWords({ before: before.document, after: after.document, document, calls }),
    targets: {
      added: [...is].filter((target) => !was.has(target)),
      removed: [...was].filter((target) => !is.has(target)),
    },
  };
}

const targetsOf = (document: PlanDocument): ReadonlySet<string> =>
  new Set(document.phases.flatMap((phase) => phase.targets));

/** A part of a plan as JSON. The cast: a schema read it from JSON, so each member that is there is JSON. */
const jsonOf = (part: object): Json => part as Json;

const whole = (before: object, after: object, pointer: string): readonly ValueChange[] =>
  diffJson(jsonOf(before), jsonOf(after), pointer);

function diffDocuments(before: PlanDocument, after: PlanDocument): readonly ValueChange[] {
  const { phases: phasesBefore, ...restBefore } = before;
  const { phases: phasesAfter, ...restAfter } = after;
  return [
    ...whole(restBefore, restAfter, ''),
    ...diffNamed(phasesBefore, phasesAfter, '/phases', (phase) => phase.name, diffPhases),
  ];
}

const diffPhases = (before: PlanPhase, after: PlanPhase, pointer: string): readonly ValueChange[] => {
  const { steps: stepsBefore, health_checks: checksBefore, ...restBefore } = before;
  const { steps: stepsAfter, health_checks: checksAfter, ...restAfter } = after;
  return [
    ...whole(restBefore, restAfter, pointer),
    ...diffNamed(checksBefore, checksAfter, `${pointer}/health_checks`, (check) => check.name, whole),
    ...diffNamed(stepsBefore, stepsAfter, `${pointer}/steps`, (step) => step.id, whole),
  ];
};

/** Compares lists of named items. An order that changed is one difference: the names in order. */
function diffNamed<Item extends object>(
  before: readonly Item[],
  after: readonly Item[],
  pointer: string,
  nameOf: (item: Item) => string,
  diffItems: (before: Item, after: Item, pointer: string) => readonly ValueChange[],
): readonly ValueChange[] {
  const [was, is] = [
    new Map(before.map((item) => [nameOf(item), item])),
    new Map(after.map((item) => [nameOf(item), item])),
  ];
  const kept = (items: readonly Item[], others: ReadonlyMap<string, Item>): string[] =>
    items.map(nameOf).filter((name) => others.has(name));
  const pointerTo = (index: number): string => `${pointer}/${String(index)}`;
  return [
    ...diffJson(kept(before, is), kept(after, was), pointer),
    ...before.flatMap((item, index): readonly ValueChange[] =>
      is.has(nameOf(item)) ? [] : [{ pointer: pointerTo(index), kind: 'removed', before: jsonOf(item) }],
    ),
    ...after.flatMap((item, index): readonly ValueChange[] => {
      const counterpart = was.get(nameOf(item));
      return counterpart === undefined
        ? [{ pointer: pointerTo(index), kind: 'added', after: jsonOf(item) }]
        : diffItems(counterpart, item, pointerTo(index));
    }),
  ];
}

interface CallOfPhase {
  readonly phase: string;
  readonly call: ExpandedCall;
}

function diffCalls(before: ExpandedPlan, after: ExpandedPlan): readonly CallChange[] {
  const [was, is] = [callsByName(before), callsByName(after)];
  const removed = [...was]
    .filter(([key]) => !is.has(key))
    .map(([, found]) => changeOf('removed', found, found.call.seq, null, []));
  const others = [...is].flatMap(([key, found]): readonly CallChange[] => {
    const counterpart = was.get(key);
    if (counterpart === undefined) return [changeOf('added', found, null, found.call.seq, [])];
    const changes = diffJson(effectOf(counterpart.call), effectOf(found.call), '');
    return changes.length === 0 ? [] : [changeOf('changed', found, counterpart.call.seq, found.call.seq, changes)];
  });
  return [...removed, ...others];
}

/** Calls by phase, step and targets, numbered if these are the same. */
function callsByName(plan: ExpandedPlan): ReadonlyMap<string, CallOfPhase> {
  const found = new Map<string, CallOfPhase>();
  for (const phase of plan.phases) {
    for (const call of phase.batches.flatMap((batch) => batch.calls)) {
      const name = [phase.name, call.step_id, ...[...call.invocation.targets].sort()];
      let key = JSON.stringify(name);
      for (let again = 2; found.has(key); again += 1) key = JSON.stringify([...name, again]);
      found.set(key, { phase: phase.name, call });
    }
  }
  return found;
}

/** The effect of a call, without its position in the plan. */
const effectOf = ({ invocation, on_failure, compensate_with }: ExpandedCall): Json => ({
  tool: invocation.tool,
  executor: invocation.executor,
  arguments: invocation.arguments,
  on_failure,
  compensate_with:
    compensate_with === null
      ? null
      : { tool: compensate_with.tool, executor: compensate_with.executor, arguments: compensate_with.arguments },
});

const changeOf = (
  kind: CallChange['kind'],
  { phase, call }: CallOfPhase,
  seqBefore: number | null,
  seqAfter: number | null,
  changes: readonly ValueChange[],
): CallChange => ({
  kind,
  phase,
  stepId: call.step_id,
  targets: call.invocation.targets,
  seqBefore,
  seqAfter,
  changes,
});
