import { useQuery } from '@tanstack/react-query';
import type { SessionView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { JsonValue } from '../components/json-value.js';
import { TimeAgo } from '../components/times.js';
import { useChange } from '../settings/use-change.js';

const TRUSTS = '/v1/sessions/{id}/trusts';

/** Every "always" that is in force, and the way to take it back. */
export function Trusts({ session }: { readonly session: SessionView }) {
  const { nameOf } = useDirectory();
  const trusts = useQuery(queryOf(TRUSTS, { path: { id: session.id }, query: { limit: 200 } }));
  const revoke = useChange(
    (trust: string) => api.delete('/v1/sessions/{id}/trusts/{trust}', { path: { id: session.id, trust } }),
    TRUSTS,
  );
  const inForce = trusts.data?.items.filter(({ revoked_at: revoked }) => revoked === null) ?? [];
  return (
    <Card title="“Always” in this session">
      {trusts.error !== null && <ErrorNote error={trusts.error} retry={() => void trusts.refetch()} />}
      {revoke.error !== null && <ErrorNote error={revoke.error} />}
      {trusts.isSuccess && inForce.length === 0 && (
        <p className="text-sm text-muted">Nobody answered a call with “always”, or it was taken back.</p>
      )}
      {inForce.length > 0 && (
        <ul className="flex flex-col gap-4 text-sm">
          {inForce.map((trust) => (
            <li key={trust.id} className="flex flex-col items-start gap-1.5">
              <span className="font-mono font-medium break-all">
                <InertText text={trust.tool} />
              </span>
              <JsonValue value={trust.shape} />
              <span className="text-muted">
                <InertText text={nameOf({ kind: 'person', id: trust.made_by })} />, <TimeAgo at={trust.made_at} />
              </span>
              {session.state === 'open' && (
                <Button
                  size="sm"
                  aria-label={`Take back “always” for ${trust.tool}`}
                  busy={revoke.isPending && revoke.variables === trust.id}
                  onClick={() => {
                    revoke.mutate(trust.id);
                  }}
                >
                  Take back
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
