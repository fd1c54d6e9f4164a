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
export default function BrowserSessionsSection() {
  const browserSessions = useQuery(queryOf('/v1/browser-sessions'));
  const end = useChange(
    (id: string) => api.delete('/v1/browser-sessions/{id}', { path: { id } }),
    '/v1/browser-sessions',
    '/v1/browser-sessions/current',
  );
  return (
    <Card title="Where you are signed in" flush>
      {browserSessions.isPending && <SkeletonRows rows={2} />}
      {browserSessions.error !== null && (
        <div className="p-4">
          <ErrorNote error={browserSessions.error} retry={() => void browserSessions.refetch()} />
        </div>
      )}
      {end.error !== null && (
        <div className="p-4">
          <ErrorNote error={end.error} />
        </div>
      )}
      {browserSessions.data?.items.length === 0 && (
        <p className="p-4 text-sm text-muted">No browser session; you are here by other means.</p>
      )}
      <ul>
        {browserSessions.data?.items.map((browserSession) => (
          <li
            key={browserSession.id}
            className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-0"
          >
            <span className="min-w-0 flex-1 basis-60">
              <span className="block truncate font-medium" title={browserSession.user_agent}>
                <InertText text={browserOf(browserSession.user_agent)} />
              </span>
              <span className="text-muted">
                {browserSession.issuer === null ? 'with the passkey ' : 'through '}
                <InertText text={browserSession.issuer ?? browserSession.passkey ?? ''} />, signed in{' '}
                <TimeAgo at={browserSession.created_at} />
                {' from '}
                <span className="font-mono text-xs">{browserSession.address}</span>
                {browserSession.last_used_at !== null && (
                  <>
                    , last used <TimeAgo at={browserSession.last_used_at} />
                  </>
                )}
              </span>
            </span>
            {browserSession.current && <Badge tone="good">this one</Badge>}
            <Button
              size="sm"
              look="danger-outline"
              aria-label={`End the browser session in ${browserOf(browserSession.user_agent)} from ${browserSession.address}${browserSession.current ? ', this one' : ''}`}
              busy={end.isPending && end.variables === browserSession.id}
              onClick={() => {
                end.mutate(browserSession.id);
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
