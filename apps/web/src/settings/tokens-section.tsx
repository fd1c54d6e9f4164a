import { useState } from 'react';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/session.js';
import { InertText } from '../components/agent-text.js';
import { AskFirst } from '../components/ask-first.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { PagedCard } from '../components/paged-list.js';
import { TimeAgo, Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { NewTokenForm } from './new-token-form.js';
import { useChange } from './use-change.js';

/** The role that a scope takes and the reader lacks, as `(takes …)`; null if none is lacking. */
function neededFor(scope: string, roles: readonly string[]): string | null {
  if (scope === 'review') return roles.length > 0 ? null : '(takes a role)';
  const opening = { audit: ['PlatformAdmin', 'SecurityReviewer'], admin: ['PlatformAdmin'] }[scope];
  if (opening === undefined || opening.some((role) => roles.includes(role))) return null;
  return `(takes the role ${opening.join(' or ')})`;
}

/** One's own tokens, for admins everybody's: made, shown once, and revoked. */
export default function TokensSection() {
  const list = usePaged('/v1/tokens');
  const { nameOf } = useDirectory();
  const { person } = useSignedIn();
  const [past, setPast] = useState(false);
  const shown = list.items.filter((token) => past || token.revoked_at === null);
  return (
    <>
      <Card title="A new token of yours">
        <NewTokenForm
          make={(body) => api.post('/v1/tokens', { body })}
          scopes={['read', 'submit', 'run', 'review', 'halt', 'audit', 'admin']}
          usual={['read']}
          barred={(scope) => neededFor(scope, person.roles)}
        />
      </Card>
      <PagedCard
        title="Tokens"
        actions={
          <label className="inline-flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={past}
              onChange={(event) => {
                setPast(event.target.checked);
              }}
            />
            Show revoked tokens
          </label>
        }
        list={{ ...list, items: shown }}
        empty="None. Make one above for a script or the command line."
      >
        {(tokens) => (
          <DataTable
            label="Tokens"
            columns={['Name', 'Whose', 'Scopes', 'Ends', '']}
            rows={tokens.map((token) => ({
              key: token.id,
              cells: [
                <span key="name">
                  <InertText text={token.name} />
                  <span className="block text-xs font-normal text-muted">
                    {inWords(token.kind)}, <code className="font-mono">{token.prefix}…</code>
                  </span>
                </span>,
                <InertText
                  key="whose"
                  text={nameOf(
                    token.agent_id === null
                      ? { kind: 'person', id: token.person_id ?? '' }
                      : { kind: 'agent', id: token.agent_id },
                  )}
                />,
                <span key="scopes" className="block min-w-20">
                  {token.scopes.join(' ')}
                </span>,
                <span key="ends">
                  <Timestamp at={token.expires_at} />
                  <span className="block text-xs text-muted">
                    {token.last_used_at === null ? (
                      'never used'
                    ) : (
                      <>
                        last used <TimeAgo at={token.last_used_at} />
                      </>
                    )}
                  </span>
                </span>,
                token.revoked_at === null ? (
                  <RevokeToken key="revoke" id={token.id} name={token.name} />
                ) : (
                  <Badge key="revoked">revoked</Badge>
                ),
              ],
            }))}
          />
        )}
      </PagedCard>
    </>
  );
}

function RevokeToken({ id, name }: { readonly id: string; readonly name: string }) {
  const revoke = useChange(() => api.delete('/v1/tokens/{id}', { path: { id } }), '/v1/tokens');
  return (
    <AskFirst
      label="Revoke…"
      name={`Revoke ${name}`}
      size="sm"
      title={`Revoke ${name}?`}
      act="Revoke it"
      change={revoke}
    >
      <p>Programs that use this token are refused at once. Nothing brings it back.</p>
    </AskFirst>
  );
}
