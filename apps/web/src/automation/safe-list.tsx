import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { queryOf } from '../api/query.js';
import { useBarredFromAdministering } from '../api/roles.js';
import { InertText } from '../components/agent-text.js';
import { AskFirst } from '../components/ask-first.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { OpenChangeRequests } from '../components/open-change-requests.js';
import { useChange } from '../settings/use-change.js';

/** The tools that were accepted for automations, and those that wait for a second person. */
export function SafeList() {
  const list = useQuery(queryOf('/v1/automation-safe-list'));
  const { people } = useDirectory();
  const barred = useBarredFromAdministering('changes the list');
  const entries = list.data?.items ?? [];
  return (
    <Card title="Tools accepted for automations" flush>
      {list.isPending && <SkeletonRows rows={2} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} />
        </div>
      )}
      {list.data !== undefined && entries.length === 0 && (
        <p className="p-4 text-sm text-muted">
          None yet. Tools that only read need no entry. Put a tool that changes something on this list below, or with{' '}
          <code className="font-mono">npx countersign automation safe-add restart_service@1</code>. A second
          PlatformAdmin confirms it.
        </p>
      )}
      {entries.length > 0 && (
        <DataTable
          label="Tools accepted for automations"
          columns={['Tool', 'Effect', 'Accepted by', ...(barred === null ? [''] : [])]}
          rows={entries.map(({ id, tool, version, effect, counts, added_by: by, added_at: at }) => ({
            key: id,
            cells: [
              <span key="tool">
                <Link to={`/tools/${encodeURIComponent(tool)}`} className="font-mono text-accent underline">
                  <InertText text={tool} />
                </Link>{' '}
                <span className="whitespace-nowrap text-muted">version {version}</span>
                {!counts && (
                  <span className="mt-1 block">
                    <Badge tone="warn">no longer counts: the tool has changed since</Badge>
                  </span>
                )}
              </span>,
              effect,
              <span key="by">
                <InertText text={people.get(by) ?? 'a person'} />
                <span className="block text-xs text-muted">
                  <TimeAgo at={at} />
                </span>
              </span>,
              ...(barred === null ? [<RemoveTool key="remove" tool={tool} />] : []),
            ],
          }))}
        />
      )}
      <OpenChangeRequests kind="automation_safe_tool" className="border-t border-line" />
    </Card>
  );
}

function RemoveTool({ tool }: { readonly tool: string }) {
  const remove = useChange(
    () => api.delete('/v1/automation-safe-list/{name}', { path: { name: tool } }),
    '/v1/automation-safe-list',
    '/v1/automations/safe-tools',
  );
  return (
    <AskFirst
      label="Remove…"
      name={`Remove ${tool}`}
      size="sm"
      title={`Remove ${tool} from the list?`}
      act="Remove it"
      change={remove}
    >
      <p>Steps of automations that call it are blocked. Accepting it again may wait for a second person.</p>
    </AskFirst>
  );
}
