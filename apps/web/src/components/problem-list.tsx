import { suggestionInWords } from '#lib/words';
import type { ApiError } from '../api/api-error.js';
import { InertText } from './agent-text.js';
import { Badge } from './badge.js';

/** A mistake at one place of a text, as the API says it. */
export type Problem = NonNullable<ApiError['problem']['errors']>[number];

/** A remark about a text that is valid: a warning, unless it says that a step would be blocked. */
export interface Remark extends Problem {
  readonly severity?: 'blocked';
}

/** A problem with the text of an editor. */
export interface FoundProblem extends Problem {
  readonly severity: 'error' | 'warning' | 'blocked';
}

/** As many as are read at once; the others show once these are corrected. */
const SHOWN = 20;

interface ProblemListProps {
  readonly problems: readonly FoundProblem[];
  readonly goTo: (line: number) => void;
}

/** The mistakes of a text in words, each with a way to its line. */
export function ProblemList({ problems, goTo }: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <ul
      aria-label="Errors and warnings"
      className="flex flex-col gap-1 border-t border-line px-4 py-2 text-sm wrap-anywhere"
    >
      {problems.slice(0, SHOWN).map(({ severity, line, pointer, message, suggestion }, index) => (
        <li key={`${pointer} ${message} ${String(index)}`} className="flex flex-wrap items-baseline gap-x-2">
          <Badge tone={severity === 'warning' ? 'warn' : 'bad'}>{severity}</Badge>
          {line !== undefined && (
            <button
              type="button"
              className="text-accent underline"
              onClick={() => {
                goTo(line);
              }}
            >
              Line {line}
            </button>
          )}
          <span className="min-w-0">
            <InertText text={suggestion === undefined ? message : `${message} ${suggestionInWords(suggestion)}`} />
          </span>
        </li>
      ))}
      {problems.length > SHOWN && <li className="text-muted">and {problems.length - SHOWN} more</li>}
    </ul>
  );
}
