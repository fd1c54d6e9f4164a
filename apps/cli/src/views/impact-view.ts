import pc from 'picocolors';
import type { ImpactReportView } from '#lib/api-schemas';
import { counted, moment, oneLine, table, type Cell } from '../output.js';

/** Cells that a terminal shows; the rest is in --json and --markdown. */
const MAX_ROWS = 40;

const GAINS = { looser: 'looser', never_satisfiable: 'never satisfiable', always_allowed: 'always allowed' } as const;

/** The heading of the loosening that no cell shows. */
export const BEYOND = 'Looser beyond the cells';

type Group = ImpactReportView['groups'][number];
type LatticeCell = ImpactReportView['cells'][number];

/** An impact report for a terminal. */
export function impactLines(report: ImpactReportView): string[] {
  return [
    pc.bold(headline(report)),
    ...sampleSentence(report),
    '',
    ...groupLines(report),
    ...notPutSentences(report).map((sentence) => pc.yellow(sentence)),
    ...todaySentence(report),
    '',
    ...cellLines(report.cells),
    ...beyondLines(report),
    '',
    verdictColour(report)(verdict(report)),
  ];
}

/** The report in one sentence. */
export function headline({ decisions, since, until, sample, progress }: ImpactReportView): string {
  const period = `${base({ decisions, sample, progress })} from ${moment(since)} to ${moment(until)}`;
  if (decisions.changed === 0) return `None ${period} would have come out otherwise.`;
  return `${String(decisions.changed)} ${period} would have come out otherwise, ${String(decisions.looser)} of them looser.`;
}

/** The decisions that the counts are about: only those that were looked at and could be put again. */
function base({ decisions, sample, progress }: Pick<ImpactReportView, 'decisions' | 'sample' | 'progress'>): string {
  const { total, not_put: notPut } = decisions;
  const limits = [
    ...(notPut === 0 ? [] : [`${String(notPut)} could not be`]),
    ...(sample === null ? [] : [`a sample of ${String(total)}`]),
  ];
  if (limits.length === 0) return `of ${counted(total, 'decision')}`;
  const looked = counted(progress.looked - notPut, 'decision');
  return `of the ${looked} ${notPut === 0 ? 'looked at' : 'put again'} (${limits.join('; ')})`;
}

/** True if nothing looser was found, and not every decision could be put again. */
export const isNotKnown = ({ looser, decisions }: Pick<ImpactReportView, 'looser' | 'decisions'>): boolean =>
  !looser && decisions.not_put > 0;

export function verdict(report: Pick<ImpactReportView, 'looser' | 'decisions'>): string {
  if (report.looser) return 'The change lets pass what was held back.';
  return isNotKnown(report)
    ? 'Nothing looser was found. It is not known for the decisions that could not be put again.'
    : 'Nothing that was held back would pass.';
}

export function sampleSentence({ sample, progress }: ImpactReportView): string[] {
  if (sample === null) return [];
  const strata = sample.map(
    ({ entrypoint, outcome, total, chosen }) => `${entrypoint} ${outcome} ${String(chosen)} of ${String(total)}`,
  );
  return [
    `This is a sample of ${counted(progress.to_look_at, 'decision')}, chosen by id, in strata: ${strata.join(', ')}.`,
  ];
}

export const notPutSentences = ({ not_put: groups }: ImpactReportView): string[] =>
  groups.map(({ what, count }) => `${counted(count, 'decision')} could not be put again. ${what}.`);

export const todaySentence = ({ decisions: { otherwise_today: today } }: ImpactReportView): string[] =>
  today === 0
    ? []
    : [`${counted(today, 'decision')} come out otherwise than recorded already today, without the change.`];

/** The gate of a group of decisions, in one line. */
export const gateOf = ({ entrypoint, stage }: Group): string =>
  stage === null ? entrypoint : `${entrypoint} ${stage}`;

/** The rules that make the difference: those that speak with the change, and those that then are silent. */
export const rulesOf = ({ rules_come: come, rules_go: go }: Group): string[] => [
  ...come.map((rule) => `+${rule}`),
  ...go.map((rule) => `-${rule}`),
];

/** A decision that can be looked up. */
export function linkOf({ examples: [first] }: Group): string {
  if (first === undefined) return '';
  const thing = first.within.at(-1) ?? first.subject;
  return `${thing.type} ${thing.id}`;
}

export const howOften = ({ count, estimate }: Group): string =>
  estimate === count ? String(count) : `${String(count)} (about ${String(estimate)})`;

function groupLines({ groups, ungrouped }: ImpactReportView): string[] {
  if (groups.length === 0) return [];
  const rows = groups
    .slice(0, MAX_ROWS)
    .map((group): Cell[] => [
      howOften(group),
      changeCell(group.change),
      gateOf(group),
      group.environment ?? '',
      group.tools.join(', '),
      group.agent?.name ?? '',
      `${group.from} → ${group.to}`,
      group.what.filter((what) => !what.startsWith('outcome:')).join('; '),
      rulesOf(group).join(' '),
      linkOf(group),
    ]);
  return [
    ...table(['', '', 'gate', 'environment', 'tools', 'agent', 'outcome', 'also', 'rules', 'for example'], rows),
    ...moreOf(groups.length + ungrouped - rows.length, 'kind of difference', 'kinds of differences'),
    '',
  ];
}

function cellLines(cells: readonly LatticeCell[]): string[] {
  if (cells.length === 0) return ['No cell of the matrix becomes looser, never satisfiable or always allowed.'];
  const rows = cells
    .toSorted((a, b) => Number(b.in_force) - Number(a.in_force))
    .slice(0, MAX_ROWS)
    .map((cell): Cell[] => [
      cell.environment,
      cell.tool,
      cell.in_force ? `${cell.mode} (in force)` : cell.mode,
      gainWords(cell.gains),
      cell.what.join('; '),
    ]);
  return [
    pc.bold(
      `${counted(cells.length, 'cell')} of the matrix ${cells.length === 1 ? 'becomes' : 'become'} looser, never satisfiable or always allowed`,
    ),
    ...table(['environment', 'tool', 'mode', 'becomes', 'what'], rows),
    ...moreOf(cells.length - rows.length, 'cell'),
  ];
}

const verdictColour = (report: ImpactReportView) =>
  report.looser ? pc.red : isNotKnown(report) ? pc.yellow : pc.green;

const beyondLines = ({ beyond_cells: beyond }: ImpactReportView): string[] =>
  beyond.length === 0 ? [] : ['', pc.bold(BEYOND), ...beyond.map((line) => `- ${oneLine(line)}`)];

const moreOf = (count: number, noun: string, plural?: string): string[] =>
  count === 0 ? [] : [pc.dim(`and ${counted(count, noun, plural)} more: --json and --markdown list all`)];

const changeCell = (change: Group['change']): Cell => ({
  text: change,
  colour: change === 'tightens' ? pc.green : pc.red,
});

export const gainWords = (gains: LatticeCell['gains']): string => gains.map((gain) => GAINS[gain]).join(', ');
