import { useState } from 'react';
import type { components } from '#lib/client';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { AskFirst } from '../components/ask-first.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { PagedList } from '../components/paged-list.js';
import { TimeAgo, Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { NewTokenForm } from './new-token-form.js';
import { useChange } from './use-change.js';

type Token = components['schemas']['Token'];

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
      <PagedList
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
        {(token) => <TokenRow key={token.id} token={token} />}
      </PagedList>
    </>
  );
}

function TokenRow({ token }: { readonly token: Token }) {
  const { nameOf } = useDirectory();
  const { agent_id: agent, person_id: person, last_used_at: used } = token;
  const whose = nameOf(agent === null ? { kind: 'person', id: person ?? '' } : { kind: 'agent', id: agent });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 text-sm last:border-0">
      <div className="min-w-0 flex-1 basis-72">
        <p>
          <span className="font-medium">
            <InertText text={token.name} />
          </span>
          , of <InertText text={whose} />
        </p>
        <p className="text-muted">
          {inWords(token.kind)} <code className="font-mono text-xs">{token.prefix}…</code>, for{' '}
          {token.scopes.join(', ')}
        </p>
        <p className="text-muted">
          ends <Timestamp at={token.expires_at} />,{' '}
          {used === null ? (
            'never used'
          ) : (
            <>
              last used <TimeAgo at={used} />
            </>
          )}
        </p>
      </div>
      {token.revoked_at === null ? <RevokeToken token={token} whose={whose} /> : <Badge>revoked</Badge>}
    </li>
  );
}

interface RevokeTokenProps {
  readonly token: Token;
  /** The name of its owner: tokens of several may be called alike. */
  readonly whose: string;
}

function RevokeToken({ token: { id, name }, whose }: RevokeTokenProps) {
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
      <p>
        It is a token of <InertText text={whose} />.
      </p>
      <p>Programs that use this token are refused at once. Nothing brings it back.</p>
    </AskFirst>
  );
}
