import { useQuery } from '@tanstack/react-query';
import type { WebhookDeliveryView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Skeleton } from '../components/skeleton.js';
import { Timestamp } from '../components/times.js';
import { useChange } from '../settings/use-change.js';

/** One delivery: its attempts, the beginning of each answer, and its body. */
export function Delivery({ webhookId, id }: { readonly webhookId: string; readonly id: string }) {
  const path = { id: webhookId, delivery: id };
  const found = useQuery(queryOf('/v1/webhooks/{id}/deliveries/{delivery}', { path }));
  const resend = useChange(
    () => api.post('/v1/webhooks/{id}/deliveries/{delivery}/resend', { path }),
    '/v1/webhooks/{id}',
  );
  if (found.error !== null)
    return (
      <div className="px-4 pb-3">
        <ErrorNote error={found.error} retry={() => void found.refetch()} />
      </div>
    );
  if (found.data === undefined) return <Skeleton className="mx-4 mb-3 h-24" />;
  const { tries, body, state } = found.data;
  return (
    <div className="flex flex-col gap-3 px-4 pt-2 pb-4 pl-10 text-sm">
      <p className="text-xs text-muted">
        webhook-id <code className="font-mono break-all">{id}</code>
      </p>
      {tries.length > 0 && (
        <ol aria-label="Attempts" className="flex flex-col gap-2">
          {tries.map((attempt) => (
            <Attempt key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      )}
      <figure>
        <figcaption className="mb-1 text-muted">Body, as it is sent</figcaption>
        <pre
          tabIndex={0}
          aria-label="Body"
          className="max-h-96 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs leading-5"
        >
          <InertText text={indented(body)} />
        </pre>
      </figure>
      {resend.error !== null && <ErrorNote error={resend.error} />}
      {(state !== 'pending' || tries.length > 0) && (
        <div>
          <Button
            size="sm"
            busy={resend.isPending}
            onClick={() => {
              resend.mutate(undefined);
            }}
          >
            {state === 'pending' ? 'Try it now' : 'Send it again'}
          </Button>
        </div>
      )}
    </div>
  );
}

function Attempt({
  attempt: { at, status, error, answer },
}: {
  readonly attempt: WebhookDeliveryView['tries'][number];
}) {
  return (
    <li className="flex flex-col gap-1">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Timestamp at={at} />
        <Badge tone={error === null ? 'good' : 'bad'}>
          {status === null ? 'no answer' : `status ${String(status)}`}
        </Badge>
        {error !== null && (
          <span className="min-w-0 break-words text-bad">
            <InertText text={error} />
          </span>
        )}
      </span>
      {answer !== null && answer !== '' && (
        <q className="break-words text-muted">
          <InertText text={answer} />
        </q>
      )}
    </li>
  );
}

/** JSON with a member on each line; the text itself if it is none. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
