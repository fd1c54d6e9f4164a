import type { LifecycleHookView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { ExecutionState } from './execution-list.js';

/** One hook, with a switch and its last result. */
export function HookRow({ hook }: { readonly hook: LifecycleHookView }) {
  const { name, event, matcher, action, enabled, latest } = hook;
  const turn = useChange(
    () => api.put('/v1/lifecycle-hooks/{name}/enabled', { path: { name }, body: { enabled: !enabled } }),
    '/v1/lifecycle-hooks',
    '/v1/change-requests',
  );
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 text-sm last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono font-medium">{name}</span>
        <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'on' : 'off'}</Badge>
        {latest !== null && (
          <>
            <span className="text-muted">last:</span>
            <ExecutionState state={latest.state} />
          </>
        )}
        <span className="ml-auto">
          <Button
            size="sm"
            busy={turn.isPending}
            aria-label={`Switch ${enabled ? 'off' : 'on'} ${name}`}
            onClick={() => {
              turn.mutate(undefined);
            }}
          >
            {enabled ? 'Switch off' : 'Switch on'}
          </Button>
        </span>
      </div>
      <p className="text-muted">
        <code className="font-mono text-xs">{event}</code> of <code className="font-mono text-xs">{matcher}</code>
      </p>
      <p className="font-mono text-xs break-words">
        <InertText text={action.type === 'log' ? `log: ${action.message}` : action.command.join(' ')} />
      </p>
      {turn.error !== null && <ErrorNote error={turn.error} />}
      <WaitsNote answer={turn.data} />
    </li>
  );
}
