import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { browserOf } from './browser-of.js';
import { useChange } from './use-change.js';

/** The reader's sign-ins, each with a way to end it. */
export default function SessionsSection() {
  const sessions = useQuery(queryOf('/v1/browser-sessions'));
  const end = useChange(
    (id: string) => api.delete('/v1/browser-sessions/{id}', { path: { id } }),
    '/v1/browser-sessions',
    '/v1/browser-sessions/current',
  );
  return (
    <Card title="Where you are signed in" flush>
      {sessions.isPending && <SkeletonRows rows={2} />}
      {sessions.error !== null && (
        <div className="p-4">
          <ErrorNote error={sessions.error} retry={() => void sessions.refetch()} />
        </div>
      )}
      {end.error !== null && (
        <div className="p-4">
          <ErrorNote error={end.error} />
        </div>
      )}
      {sessions.data?.items.length === 0 && (
        <p className="p-4 text-sm text-muted">No browser session; you are here by other means.</p>
      )}
      <ul>
        {sessions.data?.items.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-0"
          >
            <span className="min-w-0 flex-1 basis-60">
              <span className="block truncate font-medium" title={session.user_agent}>
                <InertText text={browserOf(session.user_agent)} />
              </span>
              <span className="text-muted">
                {session.issuer === null ? 'with the passkey ' : 'through '}
                <InertText text={session.issuer ?? session.passkey ?? ''} />, signed in{' '}
                <TimeAgo at={session.created_at} />
                {' from '}
                <span className="font-mono text-xs">{session.address}</span>
                {session.last_used_at !== null && (
                  <>
                    , last used <TimeAgo at={session.last_used_at} />
                  </>
                )}
              </span>
            </span>
            {session.current && <Badge tone="good">this one</Badge>}
            <Button
              size="sm"
              look="danger-outline"
              aria-label={`End the session in ${browserOf(session.user_agent)} from ${session.address}${session.current ? ', this one' : ''}`}
              busy={end.isPending && end.variables === session.id}
              onClick={() => {
                end.mutate(session.id);
              }}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
