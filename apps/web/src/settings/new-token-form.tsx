import { useState } from 'react';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { ShownOnce } from './shown-once.js';
import { useChange } from './use-change.js';

interface NewTokenFormProps<Scope extends string> {
  /** Makes it: one's own, an agent's, or a delegation. */
  readonly make: (body: { readonly name: string; readonly scopes: readonly Scope[] }) => Promise<{ token: string }>;
  readonly scopes: readonly Scope[];
  /** Those of them that it has unless somebody changes them. */
  readonly usual: readonly Scope[];
  /** The reason why the reader's roles close a scope to them; null if they do not. */
  readonly barred?: (scope: Scope) => string | null;
}

const open = (): null => null;

/** Makes a token with the scopes that somebody ticks, and shows it once. */
export function NewTokenForm<Scope extends string>(props: NewTokenFormProps<Scope>) {
  const { make: send, scopes, usual, barred = open } = props;
  const [name, setName] = useState('');
  const [wanted, setWanted] = useState<ReadonlySet<Scope>>(new Set(usual));
  const make = useChange(
    () => send({ name: name.trim(), scopes: scopes.filter((scope) => wanted.has(scope)) }),
    '/v1/tokens',
  );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(undefined, {
          // A second click makes no second token.
          onSuccess: () => {
            setName('');
            setWanted(new Set(usual));
          },
        });
      }}
    >
      <TextField label="Name" hint="Where it is used." required maxLength={200} value={name} onChange={setName} />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">What it may do</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {scopes.map((scope) => (
            <label key={scope} className="inline-flex items-center gap-1.5 text-sm">
              <input
                type="checkbox"
                checked={wanted.has(scope)}
                disabled={barred(scope) !== null}
                onChange={(event) => {
                  const next = new Set(wanted);
                  if (event.target.checked) next.add(scope);
                  else next.delete(scope);
                  setWanted(next);
                }}
              />
              {scope}
              {barred(scope) !== null && <span className="text-xs text-muted">{barred(scope)}</span>}
            </label>
          ))}
        </div>
      </fieldset>
      {make.error !== null && <ErrorNote error={make.error} />}
      {make.data !== undefined && <ShownOnce label="Your new token." secret={make.data.token} />}
      <div>
        <Button type="submit" look="primary" busy={make.isPending} disabled={wanted.size === 0}>
          Make a token
        </Button>
      </div>
    </form>
  );
}
