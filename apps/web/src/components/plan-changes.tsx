import type { ReactNode } from 'react';
import type { PlanDiffView } from '#lib/contracts';
import { InertText } from './agent-text.js';
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

/** More lines of the document than this are folded, too. */
const FEW_LINES = 8;

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
      <Part title="As it was written" of={written} inWords={kindsOf(written, 'place')} atMost={FEW_LINES}>
        <ChangeLines changes={written} />
      </Part>
      <Part title="As it would be executed" of={calls} inWords={kindsOf(calls, 'call')} atMost={FEW}>
        <Calls calls={calls} />
      </Part>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly of: readonly unknown[];
  readonly inWords: string;
  readonly atMost: number;
  readonly children: ReactNode;
}

/** One side of what differs: shown where it is short, told in one line where it is long. */
function Part({ title, of, inWords, atMost, children }: PartProps) {
  if (of.length === 0) return null;
  if (of.length > atMost)
    return (
      <details>
        <summary className="cursor-pointer font-medium">
          {title}: {inWords}
        </summary>
        {children}
      </details>
    );
  return (
    <div>
      <p className="font-medium">{title}</p>
      {children}
    </div>
  );
}

type CallChange = NonNullable<Changes['calls']>[number];

/** `2 calls changed, 1 call added`. */
const kindsOf = (changes: readonly Pick<Change, 'kind'>[], what: string): string =>
  (['changed', 'added', 'removed'] as const)
    .map((kind) => [kind, changes.filter((change) => change.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${countOf(count, what)} ${kind}`)
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

/** A value of more parts than this is told by its name, with all of it on asking. */
const MOST_PARTS = 4;

/** One side of a change; a whole phase or step is folded under its name. */
function Side({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <WrittenValue value={value} />;
  const parts = Object.entries(value);
  if (parts.length <= MOST_PARTS) return <WrittenValue value={value} />;
  const named = parts.find(([name, each]) => (name === 'name' || name === 'id') && typeof each === 'string');
  return (
    <details className="inline-block max-w-full align-top">
      <summary className="cursor-pointer">
        {named === undefined ? 'all of it' : <InertText text={String(named[1])} />}{' '}
        <span className="text-muted">({countOf(parts.length, 'part')})</span>
      </summary>
      <WrittenValue value={value} />
    </details>
  );
}

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
                <Side value={change.before} />
              </div>
            )}
            {change.kind !== 'removed' && (
              <div className="bg-good-soft px-1.5">
                <span className="sr-only">after: </span>
                <span aria-hidden>+ </span>
                <Side value={change.after} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
