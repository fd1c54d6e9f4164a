import type { PlanDescription, ShownArgument, ShownLine, ShownPhase, ShownSide, ShownStep } from '#lib/plan';
import {
  callNumbers,
  counted,
  foldTargets,
  ON_FAILURE_IN_WORDS,
  partsInWords,
  reasonsInWords,
  secondsInWords,
  shellInWords,
  SPREAD_IN_WORDS,
  toolRiskInWords,
  verdictInWords,
} from '#lib/words';
import { span, type Line, type Span } from './rich-text.js';
import { bold, bullet, code, paragraph, point, shown, valueCode } from './lines.js';

/** The calls of a plan as lines of a message: everything that the page shows, in the same order (T11). */
export const whatIsDone = ({ phases, targets, environment }: PlanDescription): Line[] => [
  paragraph(span('In '), bold(environment), span(': '), ...targetSpans(targets, 'no target of its own')),
  ...phases.flatMap(phaseLines),
];

function phaseLines(phase: ShownPhase): Line[] {
  return [
    paragraph(
      span(`Phase ${String(phase.number)}: `),
      bold(phase.name),
      span(phase.canary && phase.name !== 'canary' ? ' (canary)' : ''),
    ),
    ...phase.batches.map(({ number, targets }) =>
      bullet(span(`batch ${String(number)}: `), ...targetSpans(targets, 'no targets of its own')),
    ),
    ...phase.steps.flatMap(stepLines),
    ...afterwards(phase),
  ];
}

function stepLines({ step_id: id, on_failure: onFailure, call, undo, spread, calls }: ShownStep): Line[] {
  const { tool } = call;
  const numbers = callNumbers(calls);
  return [
    bullet(
      ...toolSpans(call),
      span(`: ${toolRiskInWords(tool.risk)}, `),
      span(tool.effect, tool.effect === 'destructive' ? { bold: true } : undefined),
      span(tool.idempotent ? '' : ', not repeatable'),
      span(`. Step `),
      shown(id),
      span(`: ${counted(calls.length, 'call')}, ${SPREAD_IN_WORDS[spread]} (${numbers})`),
    ),
    ...lineLines(call.shell),
    ...pathLines(call.paths),
    ...argumentLines(call.arguments, call.targets_as),
    ...calls
      .filter((each) => spread === 'listed' || each.arguments.length > 0 || each.undo_arguments.length > 0)
      .map((each) =>
        point(
          span(`#${String(each.seq)} in batch ${String(each.batch)} on `),
          ...targetSpans(each.targets, 'nothing'),
          ...argumentSpans(': ', each.arguments),
          ...argumentSpans('; undone with ', each.undo_arguments),
        ),
      ),
    point(span(`if it fails: ${ON_FAILURE_IN_WORDS[onFailure]}`)),
    ...(undo === null ? [point(bold('nothing undoes it'))] : undoLines(undo, calls)),
  ];
}

function undoLines(undo: ShownSide, calls: ShownStep['calls']): Line[] {
  return [
    point(
      span('undone by '),
      ...toolSpans(undo),
      span(`: ${toolRiskInWords(undo.tool.risk)}`),
      ...(undo.tool.effect === 'destructive' ? [span(', '), bold('destructive')] : []),
      ...argumentSpans(', with ', undo.arguments),
      span(undo.targets_as.length === 0 ? '' : `, ${undo.targets_as.join(' and ')} = the targets of the call`),
    ),
    ...lineLines(undo.shell),
    ...pathLines(undo.paths),
    ...calls.flatMap(({ seq, undo_targets: targets }) =>
      targets === null ? [] : [point(span(`#${String(seq)} is undone on `), ...targetSpans(targets, 'nothing'))],
    ),
  ];
}

function afterwards({ wait_seconds: wait, health_checks: checks, rollback_if: condition }: ShownPhase): Line[] {
  return [
    bullet(
      span('after each batch: '),
      span(wait === 0 ? 'no wait' : `wait ${secondsInWords(wait)}`, { bold: true }),
      span(checks.length === 0 ? ', no health check' : ''),
    ),
    ...checks.flatMap(({ name, call, checks: made }) => [
      bullet(span('check '), shown(name), span(' with '), ...toolSpans(call)),
      ...lineLines(call.shell),
      ...argumentLines(call.arguments, call.targets_as, 'batch'),
      ...made
        .filter((each) => each.targets.length + each.arguments.length > 0)
        .map(({ batch, targets, arguments: own }) =>
          point(
            span(`after batch ${String(batch)}: `),
            ...targetSpans(targets, 'no target'),
            ...argumentSpans(', with ', own),
          ),
        ),
    ]),
    condition === null ? bullet(span('no condition rolls it back')) : bullet(span('roll back if '), code(condition)),
  ];
}

const toolSpans = ({ tool }: ShownSide): Span[] => [
  code(`${tool.name}@${String(tool.version)}`),
  span(' on executor '),
  shown(tool.executor),
];

/** A command line with its verdict, and each part of it with its reasons. */
const lineLines = (line: ShownLine | null): Line[] =>
  line === null
    ? []
    : [
        point(
          span(`command line ${shellInWords(line.shell)} (`),
          bold(verdictInWords(line)),
          span('): '),
          valueCode(line.command),
        ),
        ...partsInWords(line).map(({ text, verdict, why }) =>
          point(valueCode(text, line.command), span(`: ${verdict}. `), shown(why, 'whole')),
        ),
      ];

/** The verdict on the paths of a call, if they make it graver than its tool. */
const pathLines = (paths: ShownSide['paths']): Line[] =>
  paths === null
    ? []
    : [point(span('paths ('), bold(verdictInWords(paths)), span('): '), shown(reasonsInWords(paths)))];

const argumentLines = (given: readonly ShownArgument[], targetsAs: readonly string[], of = 'call'): Line[] => [
  ...given.map(({ name, value }) => point(shown(name), span(' = '), valueCode(value))),
  ...targetsAs.map((name) => point(shown(name), span(` = the targets of the ${of}`))),
];

const argumentSpans = (lead: string, given: readonly ShownArgument[]): Span[] =>
  given.flatMap(({ name, value }, index) => [
    span(index === 0 ? lead : ', '),
    shown(name),
    span(' = '),
    valueCode(value),
  ]);

const targetSpans = (targets: readonly string[], none: string): Span[] =>
  targets.length === 0
    ? [span(none)]
    : [
        shown(foldTargets(targets).join(', ')),
        // A folded range already says how many names it has.
        span(targets.length > 1 && foldTargets(targets).length > 1 ? ` (${counted(targets.length, 'target')})` : ''),
      ];
