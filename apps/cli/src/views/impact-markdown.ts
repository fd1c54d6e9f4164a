import type { ImpactReportView } from '#lib/api-schemas';
import { aboutMany } from '#lib/words';
import { oneLine } from '../output.js';
import {
  baseSentences,
  BEYOND,
  gainWords,
  gateOf,
  howOften,
  linkOf,
  notPutSentences,
  outdatedSentence,
  rulesOf,
  todaySentence,
  ungroupedSentence,
  verdict,
} from './impact-view.js';

/** An impact report as Markdown, for the comment of a pull request. Every list is whole. */
export function impactMarkdown(report: ImpactReportView): string[] {
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
      ['', 'change', 'gate', 'environment', 'tools', 'agent', 'outcome', 'what', 'rules', 'for example'],
      ...groups.map((group) => [
        howOften(group),
        group.change,
        gateOf(group),
        group.environment ?? '',
        group.tools.join(', '),
        group.agent?.name ?? '',
        `${group.from} → ${group.to}`,
        group.what.join('; '),
        rulesOf(group).join(' '),
        linkOf(group),
      ]),
    ]),
    ...ungroupedSentence(report).flatMap((sentence) => ['', sentence]),
    ...(['environment', 'tool', 'agent'] as const).flatMap((part) =>
      section(`By ${part}`, [
        [part, 'otherwise', 'looser'],
        ...by[part].map(({ name, changed, looser, changed_estimate: all, looser_estimate: loose }) => [
          name,
          aboutMany(changed, all),
          aboutMany(looser, loose),
        ]),
      ]),
    ),
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

/** A table under a heading; nothing without rows. */
function section(heading: string, [header = [], ...rows]: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(text).join(' | ')} |`;
  return ['', `### ${heading}`, '', line(header), line(header.map(() => '---')), ...rows.map(line)];
}

/** Text that Markdown cannot take for markup: names of tools and agents are not ours. */
const text = (from: string): string =>
  from === '---' ? from : oneLine(from).replace(/[\\`*_[\]<>|#@!~&]/g, (character) => `\\${character}`);
