import { useState } from 'react';
import type { WebhookDetailView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Timestamp } from '../components/times.js';
import { ShownOnce } from '../settings/shown-once.js';
import { useChange } from '../settings/use-change.js';

/** The secrets that sign now, and a new one, which is shown once. */
export function SecretCard({ webhook: { id, secrets } }: { readonly webhook: WebhookDetailView }) {
  const [leaked, setLeaked] = useState(false);
  const rotate = useChange(
    () => api.post('/v1/webhooks/{id}/secret', { path: { id }, query: { end_earlier: leaked ? 'true' : 'false' } }),
    '/v1/webhooks',
  );
  const first = secrets.length === 0;
  return (
    <Card
      title="Secret"
      actions={
        <Button
          size="sm"
          look={first ? 'primary' : 'secondary'}
          busy={rotate.isPending}
          onClick={() => {
            rotate.mutate(undefined);
          }}
        >
          {first ? 'Make its secret' : 'Rotate'}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {first && (
          <p>Nothing is sent yet. Make its secret and give it to the receiver, which verifies each event with it.</p>
        )}
        {!first && (
          <label className="flex items-baseline gap-2">
            <input
              type="checkbox"
              checked={leaked}
              onChange={(event) => {
                setLeaked(event.target.checked);
              }}
            />
            The secret leaked: with a new one, earlier secrets sign no more.
          </label>
        )}
        {rotate.data !== undefined && <ShownOnce label="The secret of this webhook." secret={rotate.data.secret} />}
        {rotate.error !== null && <ErrorNote error={rotate.error} />}
        <ul className="flex flex-col gap-1">
          {secrets.map(({ made_at: made, until }) => (
            <li key={made}>
              made <Timestamp at={made} />
              {until !== null && (
                <span className="text-muted">
                  , signs beside the newer one until <Timestamp at={until} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
