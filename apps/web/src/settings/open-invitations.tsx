import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { openInvitationsSchema } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { TimeLeft } from '../components/times.js';
import { useChange } from './use-change.js';

type Invitation = z.infer<typeof openInvitationsSchema>['items'][number];

const CHANNELS: Readonly<Record<Invitation['channel'], string>> = {
  shown: 'link shown to',
  mailed: 'mailed for',
  operator: 'let in by the operator',
  bootstrap: 'founder',
};

/** The open invitations as an admin may read them, and whether this installation mails invitations. */
export const useOpenInvitations = (enabled = true) => useQuery({ ...queryOf('/v1/invitations'), enabled });

/** Invitations that are not yet used. */
export function OpenInvitations() {
  const open = useOpenInvitations();
  const withdraw = useChange(
    (id: string) => api.delete('/v1/people/{id}/enrolment', { path: { id } }),
    '/v1/invitations',
  );
  if (open.data === undefined || open.data.items.length === 0) return null;
  return (
    <Card title="Open invitations" flush>
      <ul>
        {open.data.items.map(({ person, channel, invited_by: by, expires_at: expiresAt }) => (
          <li
            key={person.id}
            className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-0"
          >
            <span className="min-w-0 flex-1 basis-56">
              <span className="font-medium">
                <InertText text={person.display_name} />
              </span>
              <span className="block truncate text-muted">
                {person.email}, {CHANNELS[channel]} <InertText text={by?.display_name ?? ''} />
              </span>
            </span>
            <TimeLeft until={expiresAt} over="over" />
            <Button
              size="sm"
              look="danger-outline"
              busy={withdraw.isPending}
              aria-label={`Withdraw the invitation of ${person.display_name}`}
              onClick={() => {
                withdraw.mutate(person.id);
              }}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
      {withdraw.error !== null && <ErrorNote error={withdraw.error} />}
    </Card>
  );
}
