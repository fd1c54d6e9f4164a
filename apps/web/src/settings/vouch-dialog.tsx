import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { StepUpForm } from '../step-up/step-up-form.js';
import { useChange } from './use-change.js';

interface VouchDialogProps {
  readonly person: { readonly id: string; readonly display_name: string };
  readonly onClose: () => void;
}

/** An admin says which passkey is the person's own, and vouches for the person with a second factor. */
export function VouchDialog({ person, onClose }: VouchDialogProps) {
  const name = person.display_name;
  const keys = useQuery(queryOf('/v1/approver-keys', { query: { person_id: person.id } }));
  const [fingerprint, setFingerprint] = useState<string>();
  const vouch = useChange(
    (body: { fingerprint: string; step_up_id: string }) =>
      api.post('/v1/people/{id}/vouch', { path: { id: person.id }, body }),
    '/v1/people',
    '/v1/factors',
    '/v1/approver-keys',
    '/v1/invitations',
  );
  return (
    <Dialog
      title={`Vouch for ${name}`}
      description="You say that this is a person of their own, whom you have talked to. From then on they have a vote of their own. The record keeps that you said so."
      onClose={onClose}
    >
      <div className="flex flex-col gap-4 text-sm">
        <p>
          Call <InertText text={name} />. Have them sign in with their passkey, open Settings, Second factors, and read
          the fingerprint to you. The admin who invited them could have registered a passkey, too.
        </p>
        {keys.error !== null && <ErrorNote error={keys.error} retry={() => void keys.refetch()} />}
        {keys.data === undefined && keys.error === null && <SkeletonRows rows={1} />}
        {keys.data?.items.length === 0 && (
          <p role="status">
            <InertText text={name} /> has no passkey yet. Ask them to register one, then vouch for them.
          </p>
        )}
        {keys.data !== undefined && keys.data.items.length > 0 && (
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-1 font-medium">The fingerprint that they read to you</legend>
            {keys.data.items.map((key) => (
              <label
                key={key.factor_id}
                className="flex flex-wrap items-center gap-2 rounded-lg border border-line p-3"
              >
                <input
                  type="radio"
                  name="fingerprint"
                  checked={fingerprint === key.fingerprint}
                  onChange={() => {
                    setFingerprint(key.fingerprint);
                  }}
                />
                <span className="font-mono tabular-nums">{key.fingerprint}</span>
                <span className="text-muted">
                  <InertText text={key.name} />
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <p>
          <InertText text={name} /> is signed out and keeps this passkey alone. Their other second factors, recovery
          codes, tokens, Slack links, open invitations and delegations end. The tokens that were made in their name for
          agents end, too.
        </p>
        {fingerprint !== undefined && (
          <StepUpForm
            key={fingerprint}
            operation={{ kind: 'vouch', person_id: person.id, fingerprint }}
            busy={vouch.isPending}
            onProved={(stepUpId) => {
              vouch.mutate({ fingerprint, step_up_id: stepUpId }, { onSuccess: onClose });
            }}
          />
        )}
        {vouch.error !== null && <ErrorNote error={vouch.error} />}
      </div>
    </Dialog>
  );
}
