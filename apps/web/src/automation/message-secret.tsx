import { useState } from 'react';
import type { ReadAutomationView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { useBarredFromAdministering } from '../api/roles.js';
import { useSignedIn } from '../api/browser-session.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Timestamp } from '../components/times.js';
import { ShownOnce } from '../settings/shown-once.js';
import { useChange } from '../settings/use-change.js';

/** The address for signed messages of another system, and the secret that signs them; nothing without such a trigger. */
export function MessageSecret({ automation: { id, reading } }: { readonly automation: ReadAutomationView }) {
  const { tenant } = useSignedIn();
  const barred = useBarredFromAdministering('makes its secret');
  const [revoke, setRevoke] = useState(false);
  const renew = useChange((refuse: boolean) =>
    api.post('/v1/automations/{id}/secret', { path: { id }, body: { revoke_earlier: refuse } }),
  );
  if (reading?.triggers.some(({ type }) => type === 'webhook') !== true) return null;
  return (
    <Card title="Signed messages">
      <div className="flex flex-col gap-3 text-sm">
        <p>Another system posts to this address, signed as Standard Webhooks describes it:</p>
        <code className="rounded-lg bg-sunken px-3 py-2 font-mono text-xs break-all">
          {`${location.origin}/hooks/${tenant.slug}/automations/${id}`}
        </code>
        {renew.data !== undefined && (
          <>
            <ShownOnce label="The secret that signs messages." secret={renew.data.secret} />
            <p className="text-muted">
              {renew.variables ? (
                'Earlier secrets are refused.'
              ) : (
                <>
                  Earlier secrets are good until <Timestamp at={renew.data.earlier_until} />.
                </>
              )}
            </p>
          </>
        )}
        {renew.error !== null && <ErrorNote error={renew.error} />}
        {barred === null && (
          <label className="flex items-baseline gap-2">
            <input
              type="checkbox"
              checked={revoke}
              onChange={(event) => {
                setRevoke(event.target.checked);
              }}
            />
            Refuse earlier secrets at once
          </label>
        )}
        <div>
          <Button
            size="sm"
            barred={barred}
            busy={renew.isPending}
            onClick={() => {
              renew.mutate(revoke);
            }}
          >
            Make a secret
          </Button>
        </div>
      </div>
    </Card>
  );
}
