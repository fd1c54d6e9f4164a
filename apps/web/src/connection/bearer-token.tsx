import { useState } from 'react';
import type { ConnectionView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { useChange } from '../settings/use-change.js';
import type { ConnectionPath } from './connection-path.js';
import { isReplaced, ReplacedNote } from './replaced-note.js';

interface BearerTokenProps {
  readonly connection: ConnectionView;
  readonly path: ConnectionPath;
  readonly again: () => void;
}

/**
 * The bearer token that a connection is shown. It is written, and never read. It is for the server that the page showed when the
 * person began to type: no other one gets it.
 */
export function BearerToken({ connection: { etag, has_token: hasToken }, path, again }: BearerTokenProps) {
  const [{ token, base }, setTyped] = useState({ token: '', base: etag });
  const set = useChange(
    (value: { readonly token: string | null; readonly ifMatch: string }) =>
      api.put(`${path}/token`, { body: { token: value.token }, ifMatch: value.ifMatch }),
    path,
  );
  const replaced = isReplaced(set.error);
  return (
    <Card title="Token">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate(
            { token: token.trim(), ifMatch: base },
            {
              onSuccess: () => {
                setTyped({ token: '', base: etag });
              },
            },
          );
        }}
      >
        {(replaced || (token !== '' && etag !== base)) && !set.isPending && (
          <ReplacedNote again={again}>
            Somebody changed the settings of this server meanwhile, so its token was not changed. See its address, then
            try again.
          </ReplacedNote>
        )}
        <TextField
          label="Bearer token"
          hint="It is kept encrypted, and never shown."
          type="password"
          autoComplete="off"
          required
          maxLength={4_096}
          value={token}
          onChange={(value) => {
            setTyped({ token: value, base: token === '' ? etag : base });
          }}
        />
        {set.error !== null && !replaced && <ErrorNote error={set.error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={set.isPending}>
            {hasToken ? 'Replace the token' : 'Set the token'}
          </Button>
          {hasToken && (
            <Button
              look="danger-outline"
              busy={set.isPending}
              onClick={() => {
                set.mutate({ token: null, ifMatch: etag });
              }}
            >
              Remove the token
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
