import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { WaitingChanges } from '../components/waiting-changes.js';
import { EmbedderForm } from '../embedder/embedder-form.js';
import { EmbedderState } from '../embedder/embedder-state.js';
import { BearerToken } from './bearer-token.js';

/** Vectors are made, and failures end, without this page. */
const LOOKS_MS = 5_000;

/** The server that gives texts vectors of their meaning. */
export default function EmbedderSection() {
  const found = useQuery({
    ...queryOf('/v1/embedder'),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.waiting > 0 || data.error !== null) ? LOOKS_MS : false,
  });
  const none = found.error instanceof ApiError && found.error.problem.code === 'resource.not_found';
  return (
    <>
      <p className="text-sm text-muted">
        An embedder gives a text a vector of its meaning. With one, precedents are found by meaning, too: “swap the TLS
        certificate” finds “renew the cert”. It gets the words of requests and of questions, with secrets masked.
      </p>
      <Card title="Embedder">
        <div className="flex flex-col gap-4 text-sm">
          {found.isPending && <SkeletonRows rows={2} />}
          {found.error !== null && !none && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
          {none && <p className="text-muted">None yet: precedents are found by words and structure.</p>}
          {!none && found.data !== undefined && <EmbedderState embedder={found.data} />}
          <WaitingChanges kind="embedder" className="rounded-lg" />
        </div>
      </Card>
      {(none || found.data !== undefined) && (
        <Card title={none ? 'Name an embedder' : 'Change the embedder'}>
          <EmbedderForm key={found.data?.url ?? ''} embedder={none ? null : (found.data ?? null)} />
        </Card>
      )}
      {!none && found.data !== undefined && (
        <BearerToken
          hasToken={found.data.has_token}
          put={(token) => api.put('/v1/embedder/token', { body: { token } })}
          of="/v1/embedder"
        />
      )}
    </>
  );
}
