import { valueLines } from '#lib/words';
import { MarkedPieces } from './marked-pieces.js';
import { useFold } from '../what-is-done/folds.js';

/** A longer text is folded; an approver opens it first. */
const MAX_LINES = 12;
const MAX_CHARACTERS = 1_200;

/**
 * A value of an argument, as JSON. A text is in quotation marks, its line ends and blanks are visible, and a secret stands by its
 * name.
 */
export function JsonValue({ value }: { readonly value: unknown }) {
  const lines = valueLines(value);
  const within = linesWithin(lines);
  const { open, unfold } = useFold(within < lines.length);
  if (value === undefined) return <span className="text-muted">nothing</span>;
  const rest = lines.length - within;
  return (
    <code className="font-mono text-[0.8125rem] wrap-anywhere whitespace-pre-wrap">
      {lines.slice(0, open ? lines.length : within).map((line, index) => (
        <span key={index} className="block">
          <MarkedPieces pieces={line} />
        </span>
      ))}
      {!open && (
        <button type="button" className="font-sans text-sm font-medium text-accent underline" onClick={unfold}>
          {rest} more {rest === 1 ? 'line' : 'lines'}
        </button>
      )}
    </code>
  );
}

/** How many lines are shown folded; a sole long line is never cut within. */
function linesWithin(lines: ReturnType<typeof valueLines>): number {
  let characters = 0;
  for (const [index, line] of lines.entries()) {
    characters += line.reduce((sum, { text }) => sum + text.length, 0);
    if (index >= MAX_LINES || (index > 0 && characters > MAX_CHARACTERS)) return index;
  }
  return lines.length;
}
