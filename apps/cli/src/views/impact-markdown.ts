import type { ImpactReportView } from '#lib/api-schemas';
import { aboutMany } from '#lib/words';
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
  RULE_SIGNS,
  rulesOf,
  todaySentence,
  ungroupedSentences,
  verdict,
} from './impact-view.js';
import { markdownCell, markdownOf, markdownText, type Link } from './markdown-parts.js';

type Group = ImpactReportView['groups'][number];

const GROUP_COLUMNS = 'how many,change,gate,environment,tools,agent,outcome,also,rules,for example'.split(',');

/**
 * An impact report as Markdown, for the comment of a pull request. It has the rows of the report, as many as a comment takes.
 *
 * @param publicUrl the address of Countersign in a browser.
 */
export function impactMarkdown(report: ImpactReportView, publicUrl: string): string[] {
  const { groups, cells, by, beyond_cells: beyond } = report;
  return markdownOf([
    ['## Impact of this change', '', `**${verdict(report)}** ${markdownText(report.summary)}`],
    [
      ...[...outdatedSentence(report), ...baseSentences(report)].map(markdownText),
      ...notPutSentences(report, (group) => markdownCell(pageOf(group, publicUrl))),
      ...todaySentence(report).map(markdownText),
    ].flatMap((sentence) => ['', sentence]),
    {
      heading: 'Decisions that would have come out otherwise',
      columns: GROUP_COLUMNS,
      rows: groups.map((group) => [
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
      below: [markdownText(RULE_SIGNS), ...ungroupedSentences(report)],
    },
    ...(['environment', 'tool', 'agent'] as const).map((part) => ({
      heading: `By ${part}`,
      columns: [part, 'otherwise', 'looser'],
      rows: by[part].map(({ name, changed, looser, changed_estimate: all, looser_estimate: loose }) => [
        name,
        aboutMany(changed, all),
        aboutMany(looser, loose),
      ]),
      below: leftOutSentence(report, part),
    })),
    {
      heading: 'Cells that become looser, never satisfiable or always allowed',
      columns: ['environment', 'tool', 'mode', 'in force', 'becomes', 'what'],
      rows: cells
        .toSorted((a, b) => Number(b.in_force) - Number(a.in_force))
        .map((cell) => [
          cell.environment,
          cell.tool,
          cell.mode,
          cell.in_force ? 'yes' : '',
          gainWords(cell.gains),
          cell.what.join('; '),
        ]),
    },
    { heading: BEYOND, columns: ['what'], rows: beyond.map((line) => [line]) },
  ]);
}

/** The page of a decision that can be looked at. */
function pageOf({ examples: [first] }: Pick<Group, 'examples'>, publicUrl: string): Link | string {
  return first === undefined ? '' : { name: first.page.name, url: new URL(first.page.path, publicUrl).toString() };
}
