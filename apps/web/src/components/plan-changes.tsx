import type { PlanDiffView } from '#lib/contracts';
import { Badge } from './badge.js';
import { countOf } from './count-of.js';
import { Targets } from './targets.js';
import { WrittenValue } from './written-value.js';

type Changes = Pick<PlanDiffView, 'document' | 'calls' | 'targets'>;
type Change = PlanDiffView['document'][number];

const TONE = { added: 'good', removed: 'bad', changed: 'warn' } as const;

const isNothing = ({ document, calls, targets }: Changes): boolean =>
  document.length === 0 && (calls ?? []).length === 0 && targets.added.length === 0 && targets.removed.length === 0;

/** More calls than this are told in one line, with each of them on asking. */
const FEW = 4;

const inTargets = /\/targets\/\d+$/;

/** What differs between two revisions: targets, calls as they would be executed, and the document as it was written. */
export function PlanChanges({ changes }: { readonly changes: Changes }) {
  if (isNothing(changes)) return <p className="text-sm text-muted">Nothing differs.</p>;
  const { targets, document } = changes;
  const calls = changes.calls ?? [];
  // Which targets differ is said above; where in the document each stands says no more.
  const written = document.filter(({ pointer }) => !inTargets.test(pointer));
  return (
    <div className="flex flex-col gap-4 text-sm">
      {targets.added.length > 0 && (
        <div className="flex flex-wrap items-baseline gap-2">
          <Badge tone="good">{countOf(targets.added.length, 'target')} added</Badge> <Targets names={targets.added} />
        </div>
      )}
      {targets.removed.length > 0 && (
        <div className="flex flex-wrap items-baseline gap-2">
          <Badge tone="bad">{countOf(targets.removed.length, 'target')} removed</Badge>{' '}
          <Targets names={targets.removed} />
        </div>
      )}
      {targets.added.length + targets.removed.length === 0 && <p className="text-muted">The same targets.</p>}
      {written.length > 0 && (
        <div>
          <p className="font-medium">As it was written</p>
          <ChangeLines changes={written} />
        </div>
      )}
      {calls.length > FEW ? (
        <details>
          <summary className="cursor-pointer font-medium">As it would be executed: {callsInWords(calls)}</summary>
          <Calls calls={calls} />
        </details>
      ) : (
        calls.length > 0 && (
          <div>
            <p className="font-medium">As it would be executed</p>
            <Calls calls={calls} />
          </div>
        )
      )}
    </div>
  );
}

type CallChange = NonNullable<Changes['calls']>[number];

const callsInWords = (calls: readonly CallChange[]): string =>
  (['changed', 'added', 'removed'] as const)
    .map((kind) => [kind, calls.filter((call) => call.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${countOf(count, 'call')} ${kind}`)
    .join(', ');

const Calls = ({ calls }: { readonly calls: readonly CallChange[] }) => (
  <ul className="mt-2 flex flex-col gap-2">
    {calls.map((call) => (
      <li
        key={`${call.kind} ${call.step_id} ${String(call.seq_before)} ${String(call.seq_after)}`}
        className="rounded-lg border border-line px-3 py-2"
      >
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={TONE[call.kind]}>{call.kind}</Badge>
          <span className="font-medium">
            {call.phase} · {call.step_id}
          </span>
          <Targets names={call.targets} />
        </div>
        {call.changes.length > 0 && <ChangeLines changes={call.changes} />}
      </li>
    ))}
  </ul>
);

function ChangeLines({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul className="mt-2 flex flex-col gap-1.5">
      {changes.map((change) => (
        <li key={change.pointer + change.kind} className="grid gap-x-3 md:grid-cols-[minmax(8rem,14rem)_1fr]">
          <code className="font-mono text-xs leading-5 break-all text-muted">{change.pointer}</code>
          <div className="flex min-w-0 flex-col">
            {change.kind !== 'added' && (
              <div className="bg-bad-soft px-1.5">
                <span className="sr-only">before: </span>
                <span aria-hidden>− </span>
                <WrittenValue value={change.before} />
              </div>
            )}
            {change.kind !== 'removed' && (
              <div className="bg-good-soft px-1.5">
                <span className="sr-only">after: </span>
                <span aria-hidden>+ </span>
                <WrittenValue value={change.after} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
