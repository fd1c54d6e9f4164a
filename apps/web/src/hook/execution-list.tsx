import type { HookExecutionView } from '#lib/api-schemas';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
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
    <Card title="Results" flush>
      {list.isPending && <SkeletonRows rows={3} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {!list.isPending && list.error === null && list.items.length === 0 && (
        <p className="p-4 text-sm text-muted">Nothing was executed yet.</p>
      )}
      {list.items.length > 0 && (
        <ul aria-label="Results">
          {list.items.map(({ id, hook, event, state, created_at: at, fault, output }) => (
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
          ))}
        </ul>
      )}
      {list.hasMore && (
        <div className="p-3">
          <Button size="sm" onClick={list.more}>
            Earlier ones
          </Button>
        </div>
      )}
    </Card>
  );
}
