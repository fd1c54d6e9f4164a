import pc from 'picocolors';
import type {
  PlanDescription,
  RunView,
  ShownArgument,
  ShownLine,
  ShownPhase,
  ShownSide,
  ShownStep,
} from '#lib/api-schemas';
import {
  callNumbers,
  ON_FAILURE_IN_WORDS,
  partsInWords,
  reasonsInWords,
  secondsInWords,
  shellInWords,
  SPREAD_IN_WORDS,
  toolRiskInWords,
  verdictInWords,
  visibleValue,
} from '#lib/words';
import { counted, indented, oneLine, valueLine } from '../output.js';
import { namesLines, namesText } from './names.js';

/**
 * The execution, as pages and messages show it too: from the approved plan, and from no author's words (T11).
 *
 * @param scope the phases that are asked about, or were executed.
 */
export const doneLines = (
  { phases, targets, environment }: PlanDescription,
  scope: RunView['scope'] = 'all',
): string[] => [
  `${counted(targets.length, 'target')} in ${oneLine(environment)}: ${namesText(targets) || 'none of its own'}`,
  ...phases.flatMap((phase) => {
    const left = scope !== 'all' && phase.canary !== (scope === 'canary');
    return ['', ...phaseLines(phase, left)];
  }),
];

function phaseLines(phase: ShownPhase, left: boolean): string[] {
  const notes = [
    ...(phase.canary && phase.name !== 'canary' ? [pc.cyan('canary')] : []),
    ...(left ? [pc.dim('not part of this')] : []),
  ];
  return [
    `${pc.bold(`phase ${String(phase.number)}: ${oneLine(phase.name)}`)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
    ...indented([
      ...phase.batches.flatMap(({ number, targets }) => batchLines(number, targets)),
      ...phase.steps.flatMap(stepLines),
      pc.dim('after each batch:'),
      ...indented(afterwards(phase)),
    ]),
  ];
}

function batchLines(number: number, targets: readonly string[]): string[] {
  const [first = 'no targets of its own', ...more] = namesLines(targets);
  const count = targets.length > 1 ? ` ${pc.dim(`(${String(targets.length)})`)}` : '';
  return more.length === 0
    ? [`batch ${String(number)}  ${first}${count}`]
    : [`batch ${String(number)}${count}`, ...indented([first, ...more])];
}

function stepLines({ step_id: id, on_failure: onFailure, call, undo, spread, calls }: ShownStep): string[] {
  const { tool } = call;
  const effect = tool.effect === 'destructive' ? pc.red('destructive') : oneLine(tool.effect);
  return [
    `${oneLine(id)}: ${toolText(call)}, ${oneLine(toolRiskInWords(tool.risk))}, ${effect}${tool.idempotent ? '' : ', not repeatable'}`,
    ...indented([
      `${counted(calls.length, 'call')}, ${SPREAD_IN_WORDS[spread]} (${callNumbers(calls)})`,
      ...argumentLines(call),
      ...calls
        .filter((each) => spread === 'listed' || each.arguments.length > 0 || each.undo_arguments.length > 0)
        .map(
          (each) =>
            `#${String(each.seq)} in batch ${String(each.batch)} on ${namesText(each.targets) || 'nothing'}${argumentsText(': ', each.arguments)}${argumentsText('; undone with ', each.undo_arguments)}`,
        ),
      `if it fails: ${ON_FAILURE_IN_WORDS[onFailure]}`,
      ...(undo === null ? [pc.yellow('nothing undoes it')] : undoLines(undo, calls)),
    ]),
  ];
}

const undoLines = (undo: ShownSide, calls: ShownStep['calls']): string[] => [
  `undone by ${toolText(undo)}, ${oneLine(toolRiskInWords(undo.tool.risk))}${undo.tool.effect === 'destructive' ? `, ${pc.red('destructive')}` : ''}`,
  ...indented(argumentLines(undo)),
  ...calls.flatMap(({ seq, undo_targets: targets }) =>
    targets === null ? [] : [`#${String(seq)} is undone on ${namesText(targets) || 'nothing'}`],
  ),
];

function afterwards({ wait_seconds: wait, health_checks: checks, rollback_if: condition }: ShownPhase): string[] {
  return [
    wait === 0 ? pc.yellow('no wait') : `wait ${secondsInWords(wait)}`,
    ...(checks.length === 0 ? [pc.yellow('no health check')] : []),
    ...checks.flatMap(({ name, call, checks: made }) => [
      `check ${oneLine(name)} with ${toolText(call)}`,
      ...indented([
        ...argumentLines(call, 'batch'),
        ...made
          .filter((each) => each.targets.length + each.arguments.length > 0)
          .map(
            ({ batch, targets, arguments: own }) =>
              `after batch ${String(batch)}: ${namesText(targets) || 'no target'}${argumentsText(', with ', own)}`,
          ),
      ]),
    ]),
    condition === null ? pc.yellow('no condition rolls it back') : `roll back if ${oneLine(condition)}`,
  ];
}

const toolText = ({ tool }: ShownSide): string =>
  `${pc.bold(oneLine(`${tool.name}@${String(tool.version)}`))} on executor ${oneLine(tool.executor)}`;

const argumentLines = ({ shell, paths, arguments: given, targets_as: targetsAs }: ShownSide, of = 'call'): string[] => [
  ...(shell === null ? [] : lineLines(shell)),
  ...(paths === null
    ? []
    : [`paths, ${TIER_COLOURS[paths.tier](oneLine(verdictInWords(paths)))}: ${oneLine(reasonsInWords(paths))}`]),
  ...given.map(({ name, value }) => `${oneLine(name)} = ${visibleValue(value)}`),
  ...targetsAs.map((name) => `${oneLine(name)} = ${pc.cyan(`the targets of the ${of}`)}`),
];

const TIER_COLOURS = { 1: pc.green, 2: pc.yellow, 3: pc.red } as const;

/** A command line with its verdict, and each part of it with its reasons. */
const lineLines = (line: ShownLine): string[] => [
  `command line ${oneLine(shellInWords(line.shell))}, ${TIER_COLOURS[line.tier](oneLine(verdictInWords(line)))}: ${visibleValue(line.command)}`,
  ...indented(
    partsInWords(line).map(
      ({ text, tier, verdict, why }) =>
        `${TIER_COLOURS[tier](oneLine(verdict))} ${visibleValue(text, line.command)}: ${valueLine(why)}`,
    ),
  ),
];

const argumentsText = (lead: string, given: readonly ShownArgument[]): string =>
  given.length === 0
    ? ''
    : `${lead}${given.map(({ name, value }) => `${oneLine(name)} = ${visibleValue(value)}`).join(', ')}`;
