import { ownMember, type Json } from '#lib/canonical';
import { planWords, type PlanDocument, type PlanPhase } from '#lib/formats';
import { counted, foldTargets, secondsInWords, visibleText, visibleValue } from '#lib/words';
import type { ValueChange } from './diff-json.js';

/** One difference as people say it: `canary: image "web-2026.08" → "web-2026.11"`. */
export interface ChangeInWords {
  /** The phase; empty for changes of the plan as a whole. */
  readonly where: string;
  readonly what: string;
  /** Null for an addition. */
  readonly before: string | null;
  /** Null for a removal. */
  readonly after: string | null;
}

interface ComparedCall {
  readonly phase: string;
  readonly stepId: string;
  readonly changes: readonly ValueChange[];
}

interface Compared {
  readonly before: PlanDocument;
  readonly after: PlanDocument;
  readonly document: readonly ValueChange[];
  readonly calls: readonly ComparedCall[] | null;
}

/** The differences of two revisions, each once: from the documents, and from calls those that only expansion made. */
export function changesInWords(compared: Compared): readonly ChangeInWords[] {
  const changes = [
    ...phaseTargets(compared),
    ...compared.document.flatMap((change) => written(change, compared)),
    ...(compared.calls ?? []).flatMap(resolvedAnew),
  ];
  const seen = new Set<string>();
  return changes.filter((change) => {
    const key = JSON.stringify(change);
    return seen.has(key) ? false : seen.add(key);
  });
}

/** The targets that each phase gained, lost, or takes in another order. */
function phaseTargets({ before, after }: Compared): ChangeInWords[] {
  return after.phases.flatMap((phase) => {
    const was = before.phases.find(({ name }) => name === phase.name);
    if (was === undefined) return [];
    const lost = was.targets.filter((target) => !phase.targets.includes(target));
    const gained = phase.targets.filter((target) => !was.targets.includes(target));
    if (lost.length + gained.length > 0)
      return [{ where: phase.name, what: 'targets', before: namesOf(lost), after: namesOf(gained) }];
    return was.targets.join() === phase.targets.join()
      ? []
      : [
          {
            where: phase.name,
            what: 'order of targets',
            before: namesOf(was.targets),
            after: namesOf(phase.targets),
          },
        ];
  });
}

const namesOf = (targets: readonly string[]): string | null =>
  targets.length === 0 ? null : foldTargets(targets).join(', ');

const PHASE = /^\/phases\/(\d+)(\/.*)?$/;
const PART = /^\/(steps|health_checks)\/(\d+)(\/.*)?$/;

function written(change: ValueChange, { before, after }: Compared): ChangeInWords[] {
  const [, phaseIndex, rest = ''] = PHASE.exec(change.pointer) ?? [];
  const ownWords = agentWordsAt(change.pointer);
  if (phaseIndex === undefined)
    return [said(change, '', change.pointer === '/phases' ? 'order of phases' : (ownWords ?? nameOf(change.pointer)))];
  if (rest === '/targets') return [];
  const phases = (change.kind === 'removed' && rest === '' ? before : after).phases;
  const phase = phases[Number(phaseIndex)];
  if (phase === undefined) return [said(change, '', nameOf(change.pointer))];
  if (rest === '')
    return [
      // The pointer says that the value is a phase.
      { where: phase.name, what: 'phase', ...sides(change, (value) => phaseText(value as unknown as PlanPhase)) },
    ];
  const [, kind, partIndex, inside = ''] = PART.exec(rest) ?? [];
  if (kind === undefined)
    return [said(change, phase.name, ownWords ?? ownMember(SETTINGS, rest) ?? nameOf(rest), rest)];
  // A removed part counts its place in the plan before.
  const removed = change.kind === 'removed' && inside === '';
  const owner = removed ? before.phases.find(({ name }) => name === phase.name) : phase;
  const part = kind === 'steps' ? owner?.steps[Number(partIndex)] : owner?.health_checks[Number(partIndex)];
  if (part === undefined) return [said(change, phase.name, nameOf(rest))];
  const title = 'id' in part ? `step ${part.id}` : `check ${part.name}`;
  if (inside === '')
    // The pointer says that the value is a step or a check.
    return [{ where: phase.name, what: title, ...sides(change, (value) => callText(value as unknown as Call)) }];
  const alone = kind === 'steps' && phase.steps.length === 1;
  const name = ownWords ?? partName(inside);
  return [said(change, phase.name, alone ? name : `${title}, ${name}`)];
}

/** The agent's words at a pointer, as people call them; undefined if none stand there. */
function agentWordsAt(pointer: string): string | undefined {
  const heading = planWords.headingAt(pointer);
  if (heading === undefined) return undefined;
  return heading === null ? "the agent's words" : `the agent's words, ${heading}`;
}

interface Call {
  readonly tool: string;
  readonly arguments: Json;
}

const callText = (call: Call): string => `${call.tool} ${visibleValue(call.arguments)}`;

const phaseText = ({ steps, targets }: PlanPhase): string =>
  `${steps.map(({ tool }) => tool).join(', ')} on ${counted(targets.length, 'target')}`;

const SETTINGS: Readonly<Record<string, string>> = {
  '/wait_seconds': 'wait',
  '/rollback_if': 'rolls back if',
  '/batch_percent': 'batch size in percent',
  '/canary': 'canary',
  '/steps': 'order of steps',
  '/health_checks': 'order of checks',
};

function partName(pointer: string): string {
  if (pointer === '/on_failure') return 'if it fails';
  if (pointer === '/compensate_with') return 'undo';
  const undo = pointer.startsWith('/compensate_with/');
  const name = nameOf(pointer.replace('/compensate_with', '').replace('/arguments', '') || '/arguments');
  return undo ? `undo, ${name}` : name;
}

/** `/labels/tier` as `labels.tier`. */
const nameOf = (pointer: string): string =>
  visibleText(
    pointer
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .join('.'),
  );

const said = (change: ValueChange, where: string, what: string, setting = ''): ChangeInWords => ({
  where,
  what,
  ...sides(change, (value) =>
    setting === '/wait_seconds' && typeof value === 'number' ? secondsInWords(value) : visibleValue(value),
  ),
});

const sides = (
  { before, after }: ValueChange,
  text: (value: Json) => string,
): Pick<ChangeInWords, 'before' | 'after'> => ({
  before: before === undefined ? null : text(before),
  after: after === undefined ? null : text(after),
});

const RESOLVED: Readonly<Record<string, string>> = {
  '/tool/version': 'version of its tool',
  '/executor/name': 'executor',
  '/compensate_with/tool/version': 'version of the tool that undoes it',
  '/compensate_with/executor/name': 'executor of what undoes it',
  '/executor/digest': 'address or terms of its executor',
  '/compensate_with/executor/digest': 'address or terms of the executor that undoes it',
};

/** The changes that a revision did not write: a tool or executor that changed in between. */
function resolvedAnew({ phase, stepId, changes }: ComparedCall): ChangeInWords[] {
  return changes.flatMap((change) => {
    const what = ownMember(RESOLVED, change.pointer);
    if (what === undefined) return [];
    const digest = change.pointer.endsWith('/digest');
    return [
      {
        where: phase,
        what: `step ${stepId}, ${what}`,
        ...sides(change, (value) => (digest ? visibleValue(value).slice(1, 20) : visibleValue(value))),
      },
    ];
  });
}
