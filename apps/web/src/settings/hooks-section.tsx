import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryOf } from '../api/query.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { ExecutionList } from '../hook/execution-list.js';
import { HookEditor } from '../hook/hook-editor.js';
import { HookRow } from '../hook/hook-row.js';

/** The lifecycle hooks: a list, their YAML, and their last results. */
export default function HooksSection() {
  const hooks = useQuery(queryOf('/v1/lifecycle-hooks'));
  return (
    <>
      <p className="text-sm text-muted">
        At an event, a hook writes an entry of the log. Or it executes a program that the operator of a runner lists. No
        agent waits for one.
      </p>
      <Card title="Lifecycle hooks" flush>
        {hooks.isPending && <SkeletonRows rows={2} />}
        {hooks.error !== null && (
          <div className="p-4">
            <ErrorNote error={hooks.error} retry={() => void hooks.refetch()} />
          </div>
        )}
        {hooks.data?.items.length === 0 && <p className="p-4 text-sm text-muted">None yet. Write one below.</p>}
        {hooks.data !== undefined && hooks.data.items.length > 0 && (
          <ul aria-label="Lifecycle hooks">
            {hooks.data.items.map((hook) => (
              <HookRow key={hook.name} hook={hook} />
            ))}
          </ul>
        )}
        <OpenRequests />
      </Card>
      {hooks.data !== undefined && <HookEditor hooks={hooks.data} />}
      <ExecutionList />
    </>
  );
}

/** The open change requests about hooks. */
function OpenRequests() {
  const open = useQuery(queryOf('/v1/change-requests', { query: { state: 'open', kind: 'lifecycle_hook' } }));
  const changes = open.data?.items ?? [];
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Change requests" className="border-t border-line bg-warn-soft">
      {changes.map(({ id }) => (
        <li key={id} className="px-4 py-2.5 text-sm">
          A change of the hooks waits for a second person.{' '}
          <Link to={`/changes/${id}`} className="text-accent underline">
            See the change
          </Link>
        </li>
      ))}
    </ul>
  );
}
