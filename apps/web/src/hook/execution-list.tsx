import type { HookExecutionView } from '#lib/api-schemas';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { PagedList } from '../components/paged-list.js';
import { TimeAgo } from '../components/times.js';

const TONES = {
  pending: 'warn',
  sent: 'warn',
  succeeded: 'good',
  failed: 'bad',
  refused: 'bad',
  expired: 'bad',
} as const;

export const ExecutionState = ({ state }: Pick<HookExecutionView, 'state'>) => (
  <Badge tone={TONES[state]}>{state}</Badge>
);

/** The executions of thirty days, newest first. */
export function ExecutionList() {
  const list = usePaged('/v1/lifecycle-hooks/executions');
  return (
    <PagedList title="Results" list={list} empty="Nothing was executed yet." more="Earlier ones">
      {({ id, hook, event, state, created_at: at, fault, output }) => (
        <li key={id} className="flex flex-col gap-1 border-b border-line px-4 py-3 text-sm last:border-0">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-mono font-medium">{hook}</span>
            <span className="font-mono text-xs">{event}</span>
            <ExecutionState state={state} />
            <span className="ml-auto text-muted">
              <TimeAgo at={at} />
            </span>
          </span>
          {fault !== null && (
            <span className="break-words text-bad">
              <InertText text={fault.message} />
            </span>
          )}
          {output !== null && output !== '' && (
            <pre
              className="max-h-40 overflow-auto rounded-lg bg-sunken px-3 py-2 font-mono text-xs whitespace-pre-wrap break-words"
              tabIndex={0}
            >
              <InertText text={output} />
            </pre>
          )}
        </li>
      )}
    </PagedList>
  );
}
