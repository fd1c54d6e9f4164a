import pc from 'picocolors';
import type { ImpactReportView } from '#lib/api-schemas';
import { aboutMany, isImpactNotKnown, partOf, thousands } from '#lib/words';
import { counted, moment, oneLine, table, type Cell } from '../output.js';

/** Cells that a terminal shows; the rest is in --json. */
const MAX_ROWS = 40;

/** Names of a line of totals; the rest is in --json. */
const MAX_NAMES = 8;

const GAINS = { looser: 'looser', never_satisfiable: 'never satisfiable', always_allowed: 'always allowed' } as const;

/** The heading of the loosening that no cell shows. */
export const BEYOND = 'Looser beyond the cells';

type Group = ImpactReportView['groups'][number];
type LatticeCell = ImpactReportView['cells'][number];

/** An impact report for a terminal. */
export function impactLines(report: ImpactReportView): string[] {
  return [
    pc.bold(report.summary),
    ...outdatedSentence(report).map((sentence) => pc.yellow(sentence)),
    ...baseSentences(report),
    ...groupLines(report),
    ...totalLines(report),
    ...after('', [
      ...notPutSentences(report, thingOf).map((sentence) => pc.yellow(sentence)),
      ...todaySentence(report),
    ]),
    '',
    ...cellLines(report.cells),
    ...beyondLines(report),
    '',
    verdictColour(report)(verdict(report)),
  ];
}

/** Lines under one more; nothing without lines. */
const after = (line: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [line, ...lines]);

export function verdict(report: ImpactReportView): string {
  if (report.looser) return 'The change lets pass what was held back.';
  return isImpactNotKnown(report)
    ? 'Nothing looser was found. It is not known for decisions that could not be put again or are not in the database.'
    : 'Nothing that was held back would pass.';
}

/** The stretch of the log, and what the counts rest on. */
export function baseSentences({ since, until, sample, progress, decisions }: ImpactReportView): string[] {
  const period = `From ${moment(since)} to ${moment(until)}.`;
  if (sample === null) return [period];
  const strata = sample.map(
    ({ entrypoint, outcome, total, chosen }) => `${entrypoint} ${outcome} ${thousands(chosen)} of ${thousands(total)}`,
  );
  return [
    period,
    `Counts are estimates from a sample of ${thousands(progress.looked)} of ${thousands(decisions.total)} decisions, chosen by id: ${strata.join(', ')}.`,
  ];
}

/** Says that the report may not hold any more. */
export const outdatedSentence = ({ outdated }: ImpactReportView): string[] =>
  outdated ? ['Settings or policies have moved since it was worked out: it is about how they stood then.'] : [];

/** @param exampleOf names a decision of a group; empty if the group has none. */
export const notPutSentences = (
  { not_put: groups }: ImpactReportView,
  exampleOf: (group: ImpactReportView['not_put'][number]) => string,
): string[] =>
  groups.map((group) => {
    const { what, count, estimate } = group;
    const example = exampleOf(group);
    const shown = example === '' ? '' : ` For example: ${example}.`;
    return `${numberOf(count, estimate, 'decision')} could not be put again. ${what}.${shown}`;
  });

export const todaySentence = ({ decisions, estimates }: ImpactReportView): string[] =>
  decisions.otherwise_today === 0
    ? []
    : [
        `${numberOf(decisions.otherwise_today, estimates.otherwise_today, 'decision')} ${estimates.otherwise_today === 1 ? 'comes' : 'come'} out otherwise than recorded already today, without the change.`,
      ];

/** Says which decisions stand in no row, and which of them the totals count. */
export function ungroupedSentences({ group_count: found, groups, decisions, estimates }: ImpactReportView): string[] {
  if (found <= groups.length) return [];
  const { uncounted } = decisions;
  const unlisted = numberOf(decisions.ungrouped - uncounted, estimates.ungrouped - estimates.uncounted, 'decision');
  const looser = partOf(
    decisions.ungrouped_looser - decisions.uncounted_looser,
    estimates.ungrouped_looser - estimates.uncounted_looser,
  );
  const kinds = uncounted === 0 ? `${thousands(found)} kinds of differences` : `the ${thousands(found)} kinds kept`;
  return [
    `The ${thousands(groups.length)} largest of ${kinds} are listed. The others have ${unlisted.toLowerCase()}, ${looser} of them looser; the totals by environment, tool and agent count them, too.`,
    ...(uncounted === 0
      ? []
      : [
          `${numberOf(uncounted, estimates.uncounted, 'decision')} of further kinds, ${partOf(decisions.uncounted_looser, estimates.uncounted_looser)} of them looser, ${estimates.uncounted === 1 ? 'is' : 'are'} in no row and in none of these totals.`,
        ]),
  ];
}

const PLURALS = { environment: 'environments', tool: 'tools', agent: 'agents' } as const;

/** Says how many names a list of totals leaves out. */
export const leftOutSentence = ({ left_out: leftOut }: ImpactReportView, part: keyof typeof PLURALS): string[] =>
  leftOut[part] === 0
    ? []
    : [`${thousands(leftOut[part])} smaller ${leftOut[part] === 1 ? part : PLURALS[part]} left out.`];

/** `1 decision`, `About 1,200 decisions`. */
function numberOf(count: number, estimate: number, noun: string): string {
  const text = aboutMany(count, estimate);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${noun}${Math.max(count, estimate) === 1 ? '' : 's'}`;
}

/** The gate of a group of decisions, in one line. */
export const gateOf = ({ entrypoint, stage }: Group): string =>
  stage === null ? entrypoint : `${entrypoint} ${stage}`;

/** The rules that make the difference. Some speak only with the change, some only without it, and some ask for more or less. */
export const rulesOf = ({ rules_come: come, rules_go: go, rules_otherwise: otherwise }: Group): string[] => [
  ...come.map(({ rule, code }) => `+${rule} (${code})`),
  ...go.map(({ rule, code }) => `-${rule} (${code})`),
  ...otherwise.map(({ rule, asks }) => `~${rule} (${asks})`),
];

/** The signs of {@link rulesOf}. */
export const RULE_SIGNS =
  'Rules: + gives its reason only with the change, - only without it; ~ speaks on both sides and asks for something else.';

/** `deny → allow`, or the one outcome if both are equal. */
export const outcomesOf = ({ from, to }: Group): string => (from === to ? from : `${from} → ${to}`);

/** The parts that differ beside the outcome. */
export const alsoOf = ({ what }: Group): string => what.filter((line) => !line.startsWith('outcome:')).join('; ');

/** A decision that can be looked up. */
function thingOf({ examples: [first] }: Pick<Group, 'examples'>): string {
  if (first === undefined) return '';
  const thing = first.within.at(-1) ?? first.subject;
  return `${thing.type} ${thing.id}`;
}

/** How many of the period. */
export const howOften = ({ count, estimate }: Group): string => aboutMany(count, estimate);

function groupLines(report: ImpactReportView): string[] {
  const { groups } = report;
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
      outcomesOf(group),
      alsoOf(group),
      rulesOf(group).join(' '),
      thingOf(group),
    ]);
  return [
    '',
    ...table(
      ['how many', 'change', 'gate', 'environment', 'tools', 'agent', 'outcome', 'also', 'rules', 'for example'],
      rows,
    ),
    ...moreOf(groups.length - rows.length, 'kind of difference', 'kinds of differences'),
    pc.dim(RULE_SIGNS),
    ...ungroupedSentences(report),
  ];
}

function totalLines({ by, left_out: leftOut }: ImpactReportView): string[] {
  const lines = (['environment', 'tool', 'agent'] as const).flatMap((part) => {
    const names = by[part].slice(0, MAX_NAMES).map(({ name, changed, looser, ...estimates }) => {
      const loose = looser === 0 ? '' : `, ${aboutMany(looser, estimates.looser_estimate)} looser`;
      return `${oneLine(name)} ${aboutMany(changed, estimates.changed_estimate)}${loose}`;
    });
    const rest = by[part].length + leftOut[part] - names.length;
    return names.length === 0
      ? []
      : [`By ${part}: ${[...names, ...(rest > 0 ? [`${thousands(rest)} more`] : [])].join('; ')}.`];
  });
  return after('', lines);
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
  report.looser ? pc.red : isImpactNotKnown(report) ? pc.yellow : pc.green;

const beyondLines = ({ beyond_cells: beyond }: ImpactReportView): string[] =>
  beyond.length === 0 ? [] : ['', pc.bold(BEYOND), ...beyond.map((line) => `- ${oneLine(line)}`)];

const moreOf = (count: number, noun: string, plural?: string): string[] =>
  count === 0 ? [] : [pc.dim(`and ${counted(count, noun, plural)} more: --json lists all`)];

const changeCell = (change: Group['change']): Cell => ({
  text: change,
  colour: change === 'tightens' ? pc.green : pc.red,
});

export const gainWords = (gains: LatticeCell['gains']): string => gains.map((gain) => GAINS[gain]).join(', ');
