import type { PlanDiffView } from '#lib/api-schemas';
import { InertText } from './agent-text.js';
import { countOf } from './count-of.js';

type Changes = Pick<PlanDiffView, 'in_words' | 'targets'>;
type Change = Changes['in_words'][number];

/** More than these are told by their number, with each of them on asking. */
const FEW = 12;

/** The differences between two revisions, each once, phase by phase. */
export function PlanChanges({ changes }: { readonly changes: Changes }) {
  const { in_words: inWords, targets } = changes;
  const same = targets.added.length + targets.removed.length === 0;
  if (inWords.length === 0 && same) return <p className="text-sm text-muted">Nothing differs.</p>;
  const lists = (
    <ul className="flex flex-col gap-3">
      {byPhase(inWords).map(([where, own]) => (
        <li key={where} className="grid gap-x-4 gap-y-1 md:grid-cols-[8rem_minmax(0,1fr)]">
          <span className="font-medium">{where === '' ? 'The plan' : <InertText text={where} />}</span>
          <ul className="flex flex-col gap-1">
            {own.map((change, index) => (
              <li key={index}>
                <ChangeLine change={change} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
  return (
    <div className="flex flex-col gap-3 text-sm">
      {same && <p className="text-muted">The same targets.</p>}
      {inWords.length > FEW ? (
        <details>
          <summary className="cursor-pointer font-medium">
            {countOf(inWords.length, 'difference')}
            {same
              ? ''
              : `; ${countOf(targets.added.length, 'target')} added, ${countOf(targets.removed.length, 'target')} removed`}
          </summary>
          <div className="mt-3">{lists}</div>
        </details>
      ) : (
        lists
      )}
    </div>
  );
}

function byPhase(changes: readonly Change[]): (readonly [string, readonly Change[]])[] {
  const phases = new Map<string, Change[]>();
  for (const change of changes) phases.set(change.where, [...(phases.get(change.where) ?? []), change]);
  return [...phases];
}

/** `image "web-2026.08" → "web-2026.11"`. */
function ChangeLine({ change: { what, before, after } }: { readonly change: Change }) {
  return (
    <>
      <span className="text-muted">
        <InertText text={what} />
      </span>{' '}
      {before !== null && (
        <del className="bg-bad-soft px-1 font-mono text-[0.8125rem] break-all no-underline">
          <span className="sr-only">before: </span>
          <span aria-hidden>− </span>
          <InertText text={before} />
        </del>
      )}
      {before !== null && after !== null && <span aria-hidden> → </span>}
      {after !== null && (
        <ins className="bg-good-soft px-1 font-mono text-[0.8125rem] break-all no-underline">
          <span className="sr-only">after: </span>
          <span aria-hidden>+ </span>
          <InertText text={after} />
        </ins>
      )}
    </>
  );
}
