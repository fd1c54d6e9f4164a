import { useState } from 'react';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { useChange } from '../settings/use-change.js';
import type { ConnectionPath } from './connection-path.js';

interface BearerTokenProps {
  readonly hasToken: boolean;
  readonly path: ConnectionPath;
}

/** The bearer token that a connection is shown. It is written, and never read. */
export function BearerToken({ hasToken, path }: BearerTokenProps) {
  const [token, setToken] = useState('');
  const set = useChange((value: string | null) => api.put(`${path}/token`, { body: { token: value } }), path);
  return (
    <Card title="Token">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate(token.trim(), {
            onSuccess: () => {
              setToken('');
            },
          });
        }}
      >
        <TextField
          label="Bearer token"
          hint="It is kept encrypted, and never shown."
          type="password"
          autoComplete="off"
          required
          maxLength={4_096}
          value={token}
          onChange={setToken}
        />
        {set.error !== null && <ErrorNote error={set.error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={set.isPending}>
            {hasToken ? 'Replace the token' : 'Set the token'}
          </Button>
          {hasToken && (
            <Button
              look="danger-outline"
              busy={set.isPending}
              onClick={() => {
                set.mutate(null);
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
