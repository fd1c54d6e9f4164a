import type { PathVerdictView } from '#lib/api-schemas';
import { reasonsInWords, verdictInWords } from '#lib/words';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';

/** The verdict on the paths that a call names, and why. */
export function ShownPaths({ paths }: { readonly paths: PathVerdictView }) {
  return (
    <p role="group" aria-label="Paths" className="mt-2 flex min-w-0 flex-wrap items-baseline gap-2 text-sm text-muted">
      Paths <Badge tone={paths.tier === 1 ? 'good' : 'warn'}>{verdictInWords(paths)}</Badge>
      <InertText text={reasonsInWords(paths)} />
    </p>
  );
}
