import { textPieces, type TextPiece } from './visible-text.js';

/**
 * A value as people who decide read it (T60). It is JSON, so a text stands in quotation marks and `"5"` is not `5`.
 * Every line end of a text is written out, and begins a new line here; runs of blanks are counted, and each invisible
 * character is named. Equal arguments give equal lines, and different ones never do.
 *
 * @param whole the text that the value is a part of: letters from right to left are named as there.
 */
export function valueLines(value: unknown, whole?: string): TextPiece[][] {
  return written(value)
    .split(LINE)
    .map((line) =>
      textPieces(line, 'whole', whole).flatMap((piece) => (piece.hidden ? [piece] : blanksOf(piece.text))),
    );
}

/** The same on one line, for places that show plain text only. */
export const visibleValue = (value: unknown, whole?: string): string =>
  valueLines(value, whole)
    .flat()
    .map((piece) => (piece.hidden ? `⟦${piece.text}⟧` : piece.text))
    .join('');

/** Stands behind a line end that is written out. JSON escapes it inside of texts, so that nothing else is it. */
const LINE = '\n';

function written(value: unknown): string {
  if (typeof value === 'string') return `"${value.split('\n').map(inside).join(`\\n${LINE}`)}"`;
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${written(member)}`)
      .join(', ')}}`;
  }
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

const inside = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Counts the blanks of a row: browsers draw them together, and they push the text after them out of sight. */
function blanksOf(text: string): TextPiece[] {
  return text
    .split(/( {2,})/)
    .filter((part) => part !== '')
    .map((part) =>
      /^ {2,}$/.test(part) ? { text: `${String(part.length)} blanks`, hidden: true } : { text: part, hidden: false },
    );
}
