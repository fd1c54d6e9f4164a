import type { PlanDiffView } from '#lib/contracts';
import { Badge } from './badge.js';
import { JsonValue } from './json-value.js';
import { Targets } from './targets.js';

type Changes = Pick<PlanDiffView, 'document' | 'calls' | 'targets'>;
type Change = PlanDiffView['document'][number];

const TONE = { added: 'good', removed: 'bad', changed: 'warn' } as const;

const isNothing = ({ document, calls, targets }: Changes): boolean =>
  document.length === 0 && (calls ?? []).length === 0 && targets.added.length === 0 && targets.removed.length === 0;

/** What differs between two revisions: targets, calls as they would be executed, and the document as it was written. */
export function PlanChanges({ changes }: { readonly changes: Changes }) {
  if (isNothing(changes)) return <p className="text-sm text-muted">Nothing differs.</p>;
  const { targets, calls, document } = changes;
  return (
    <div className="flex flex-col gap-4 text-sm">
      {targets.added.length > 0 && (
        <div className="flex flex-wrap items-baseline gap-2">
          <Badge tone="good">targets added</Badge> <Targets names={targets.added} />
        </div>
      )}
      {targets.removed.length > 0 && (
        <div className="flex flex-wrap items-baseline gap-2">
          <Badge tone="bad">targets removed</Badge> <Targets names={targets.removed} />
        </div>
      )}
      {calls !== null && calls.length > 0 && (
        <ul className="flex flex-col gap-3">
          {calls.map((call) => (
            <li
              key={`${call.kind} ${call.step_id} ${String(call.seq_before)} ${String(call.seq_after)}`}
              className="rounded-lg border border-line p-3"
            >
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={TONE[call.kind]}>{call.kind}</Badge>
                <span className="font-medium">
                  {call.phase} · {call.step_id}
                </span>
                <Targets names={call.targets} />
              </p>
              <ChangeLines changes={call.changes} />
            </li>
          ))}
        </ul>
      )}
      {document.length > 0 && (
        <details>
          <summary className="cursor-pointer font-medium">As it was written ({document.length})</summary>
          <ChangeLines changes={document} />
        </details>
      )}
    </div>
  );
}

function ChangeLines({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul className="mt-2 flex flex-col gap-1.5">
      {changes.map((change) => (
        <li key={change.pointer + change.kind} className="grid gap-x-3 md:grid-cols-[minmax(8rem,14rem)_1fr]">
          <code className="font-mono text-xs leading-5 break-all text-muted">{change.pointer}</code>
          <span className="flex flex-col">
            {change.kind !== 'added' && (
              <span className="bg-bad-soft px-1.5">
                <span className="sr-only">before: </span>
                <span aria-hidden>− </span>
                <JsonValue value={change.before} />
              </span>
            )}
            {change.kind !== 'removed' && (
              <span className="bg-good-soft px-1.5">
                <span className="sr-only">after: </span>
                <span aria-hidden>+ </span>
                <JsonValue value={change.after} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
