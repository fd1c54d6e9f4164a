import type { OutlineNode } from './piece.js';

const HEADING = /^(#{1,6}) +(.+?) *#*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly name: string;
}

/** The outline of a Markdown file: its sections, by their headings. */
export function headingsOf(lines: readonly string[]): OutlineNode[] {
  const headings: Heading[] = [];
  let fenced = false;
  for (const [line, text] of lines.entries()) {
    if (FENCE.test(text)) fenced = !fenced;
    const [, marks, name] = (fenced ? null : HEADING.exec(text)) ?? [];
    if (marks !== undefined && name !== undefined) headings.push({ line, level: marks.length, name });
  }
  return sectionsOf(headings, lines.length - 1);
}

function sectionsOf(headings: readonly Heading[], last: number): OutlineNode[] {
  const sections: OutlineNode[] = [];
  for (let at = 0; at < headings.length;) {
    const heading = headings[at];
    if (heading === undefined) break;
    let next = at + 1;
    while (next < headings.length && (headings[next]?.level ?? 0) > heading.level) next += 1;
    const end = next < headings.length ? (headings[next]?.line ?? last + 1) - 1 : last;
    const inner = headings.slice(at + 1, next);
    sections.push({
      ...{ first: heading.line, last: end, name: heading.name, kind: 'section', imports: false },
      members: inner.map(({ name }) => name),
      children: sectionsOf(inner, end),
    });
    at = next;
  }
  return sections;
}
