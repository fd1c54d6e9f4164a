import type { ImpactReportView } from '#lib/api-schemas';
import { aboutMany } from '#lib/words';
import { oneLine } from '../output.js';
import {
  alsoOf,
  baseSentences,
  BEYOND,
  gainWords,
  gateOf,
  howOften,
  leftOutSentence,
  notPutSentences,
  outcomesOf,
  outdatedSentence,
  rulesOf,
  todaySentence,
  ungroupedSentences,
  verdict,
} from './impact-view.js';

type Group = ImpactReportView['groups'][number];

/**
 * An impact report as Markdown, for the comment of a pull request. It has every row of the report.
 *
 * @param publicUrl the address of Countersign in a browser.
 */
export function impactMarkdown(report: ImpactReportView, publicUrl: string): string[] {
  const { groups, cells, by, beyond_cells: beyond } = report;
  return [
    '## Impact of this change',
    '',
    `**${verdict(report)}** ${text(report.summary)}`,
    ...[
      ...outdatedSentence(report),
      ...baseSentences(report),
      ...notPutSentences(report),
      ...todaySentence(report),
    ].flatMap((sentence) => ['', text(sentence)]),
    ...section('Decisions that would have come out otherwise', [
      ['how many', 'change', 'gate', 'environment', 'tools', 'agent', 'outcome', 'also', 'rules', 'for example'],
      ...groups.map((group) => [
        howOften(group),
        group.change,
        gateOf(group),
        group.environment ?? '',
        group.tools.join(', '),
        group.agent?.name ?? '',
        outcomesOf(group),
        alsoOf(group),
        rulesOf(group).join(' '),
        pageOf(group, publicUrl),
      ]),
    ]),
    ...ungroupedSentences(report).flatMap((sentence) => ['', sentence]),
    ...(['environment', 'tool', 'agent'] as const).flatMap((part) => [
      ...section(`By ${part}`, [
        [part, 'otherwise', 'looser'],
        ...by[part].map(({ name, changed, looser, changed_estimate: all, looser_estimate: loose }) => [
          name,
          aboutMany(changed, all),
          aboutMany(looser, loose),
        ]),
      ]),
      ...leftOutSentence(report, part).flatMap((sentence) => ['', sentence]),
    ]),
    ...section('Cells that become looser, never satisfiable or always allowed', [
      ['environment', 'tool', 'mode', 'in force', 'becomes', 'what'],
      ...cells.map((cell) => [
        cell.environment,
        cell.tool,
        cell.mode,
        cell.in_force ? 'yes' : '',
        gainWords(cell.gains),
        cell.what.join('; '),
      ]),
    ]),
    ...(beyond.length === 0 ? [] : ['', `### ${BEYOND}`, '', ...beyond.map((line) => `- ${text(line)}`)]),
  ];
}

interface Link {
  readonly name: string;
  readonly url: string;
}

/** The page of a decision that can be looked at. */
function pageOf({ examples: [first] }: Group, publicUrl: string): Link | string {
  return first === undefined ? '' : { name: first.page.name, url: new URL(first.page.path, publicUrl).toString() };
}

/** A table under a heading; nothing without rows. */
function section(heading: string, [header = [], ...rows]: readonly (readonly (string | Link)[])[]): string[] {
  if (rows.length === 0) return [];
  const cell = (of: string | Link): string => (typeof of === 'string' ? text(of) : `[${text(of.name)}](${of.url})`);
  const line = (cells: readonly (string | Link)[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return ['', `### ${heading}`, '', line(header), line(header.map(() => '---')), ...rows.map(line)];
}

/** Text that Markdown cannot take for markup: names of tools and agents are not ours. */
const text = (from: string): string =>
  from === '---' ? from : oneLine(from).replace(/[\\`*_[\]<>|#@!~&]/g, (character) => `\\${character}`);
