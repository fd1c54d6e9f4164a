import { thousands } from '#lib/words';
import { oneLine } from '../output.js';

/** A page of Countersign. */
export interface Link {
  readonly name: string;
  readonly url: string;
}

/** A table under a heading. */
export interface MarkdownTable {
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | Link)[])[];
  /** Sentences below it, as Markdown. */
  readonly below?: readonly string[];
}

/** Lines as they stand, or a table that may be shortened. */
export type MarkdownPart = readonly string[] | MarkdownTable;

/** The comment of a pull request takes 65,536 characters at GitHub; a pipeline may add some. */
const MAX_CHARACTERS = 60_000;

const isTable = (part: MarkdownPart): part is MarkdownTable => 'rows' in part;

/** Parts as the lines of one comment. If it would be too long, the longest tables lose their last rows, and say how many. */
export function markdownOf(parts: readonly MarkdownPart[]): string[] {
  let rendered = parts.map((part) => {
    const rows = isTable(part) ? part.rows.map(rowOf) : [];
    return { part, rows, most: rows.length, lines: linesOf(part, rows, rows.length) };
  });
  const length = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
  while (rendered.reduce((sum, { lines }) => sum + length(lines), 0) > MAX_CHARACTERS) {
    const [longest] = rendered
      .filter(({ most }) => most > 0)
      .toSorted((one, other) => length(other.lines) - length(one.lines));
    if (longest === undefined) break;
    const most = Math.floor(longest.most * 0.9);
    const shorter = { ...longest, most, lines: linesOf(longest.part, longest.rows, most) };
    rendered = rendered.map((one) => (one === longest ? shorter : one));
  }
  return rendered.flatMap(({ lines }) => lines);
}

const rowOf = (cells: readonly (string | Link)[]): string => `| ${cells.map(markdownCell).join(' | ')} |`;

/** @param rows those of the table as lines, of which `most` are shown. */
function linesOf(part: MarkdownPart, rows: readonly string[], most: number): readonly string[] {
  if (!isTable(part)) return part;
  const { heading, columns, below = [] } = part;
  if (rows.length === 0) return [];
  const missing = rows.length - most;
  return [
    ...['', `### ${heading}`, '', rowOf(columns), `| ${columns.map(() => '---').join(' | ')} |`],
    ...rows.slice(0, most),
    ...(missing === 0
      ? []
      : [
          '',
          `${thousands(missing)} more ${missing === 1 ? 'row is' : 'rows are'} left out: a comment has a bound. \`--json\` lists all.`,
        ]),
    ...below.flatMap((sentence) => ['', sentence]),
  ];
}

/** A text or a link, as Markdown. */
export const markdownCell = (of: string | Link): string =>
  typeof of === 'string' ? markdownText(of) : `[${markdownText(of.name)}](${of.url})`;

/** Text that Markdown cannot take for markup: names of tools and agents are not ours. */
export const markdownText = (from: string): string =>
  oneLine(from).replace(/[\\`*_[\]<>|#@!~&]/g, (character) => `\\${character}`);
