import { foldTargets } from '#lib/words';
import { useFold } from '../what-is-done/folds.js';
import { InertText } from './agent-text.js';

const SHOWN = 12;

/** Names of targets, those that count up drawn together: a dozen, and the rest on asking. */
export function Targets({ names }: { readonly names: readonly string[] }) {
  const folded = foldTargets(names);
  const { open, unfold } = useFold(folded.length > SHOWN);
  const shown = open ? folded : folded.slice(0, SHOWN);
  const rest = folded.length - shown.length;
  return (
    <span className="inline-flex flex-wrap items-center gap-1 align-bottom">
      {shown.map((name, index) => (
        <span key={index} className="rounded bg-sunken px-1.5 font-mono text-xs leading-5">
          <InertText text={name} />
        </span>
      ))}
      {rest > 0 && (
        <button
          type="button"
          className="rounded px-1.5 text-xs leading-5 font-medium text-accent underline"
          onClick={unfold}
        >
          and {rest} more
        </button>
      )}
    </span>
  );
}
