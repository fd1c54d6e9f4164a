import { useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { api, pathWith } from '../api/client.js';
import { useSession } from '../api/session.js';
import { Button, buttonClass } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { problemInWords } from './problem-words.js';
import { safeReturnPath } from './safe-return-path.js';

interface Options {
  readonly issuers: readonly { readonly name: string; readonly display_name: string }[];
}

const KEY = 'countersign.tenant';

/** Where somebody who is not signed in chooses at which issuer they sign in, and of which organisation where there are several. */
export function Component() {
  const [search] = useSearchParams();
  const returnTo = safeReturnPath(search.get('return_to'));
  const problem = search.get('problem');
  const session = useSession();
  const [text, setText] = useState(search.get('tenant') ?? localStorage.getItem(KEY) ?? '');
  /** Empty asks for those of the only tenant there is. */
  const [tenant, setTenant] = useState(text);
  const options = useQuery({
    queryKey: ['sign-in-options', tenant],
    queryFn: () => api.get<Options>('/v1/sign-in/options', { tenant }),
    retry: false,
  });
  useEffect(() => {
    document.title = 'Sign in · Countersign';
  }, []);
  if (session.data != null) return <Navigate to={returnTo} replace />;
  const issuers = options.data?.issuers ?? [];
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm rounded-2xl border border-line bg-surface p-6 shadow-sm">
        <img src="/favicon.svg" alt="" width={40} height={40} />
        <h1 className="mt-4 text-xl font-semibold tracking-tight">Sign in to Countersign</h1>
        <p className="mt-1 mb-6 text-sm text-muted">
          Agents ask, people decide. Sign in as yourself at your organisation.
        </p>
        {problem !== null && (
          <p role="alert" className="mb-4 rounded-lg bg-warn-soft p-3 text-sm">
            {problemInWords(problem)}
          </p>
        )}
        {options.error !== null && <ErrorNote error={options.error} />}
        <div className="flex min-h-10 flex-col gap-2">
          {issuers.map(({ name, display_name: shown }) => (
            <a
              key={name}
              className={buttonClass('primary')}
              href={pathWith('/sign-in', { tenant, issuer: name, return_to: returnTo })}
            >
              <LogIn aria-hidden className="size-4" /> Sign in with {shown}
            </a>
          ))}
          {options.data !== undefined && issuers.length === 0 && tenant !== '' && (
            <p className="text-sm text-muted">No organisation of that name lets people sign in here.</p>
          )}
        </div>
        <form
          className="mt-5 flex items-end gap-2 border-t border-line pt-5"
          onSubmit={(event) => {
            event.preventDefault();
            localStorage.setItem(KEY, text.trim());
            setTenant(text.trim());
          }}
        >
          <div className="flex-1">
            <Field label={issuers.length === 0 ? 'Organisation' : 'Another organisation'}>
              {(input) => (
                <input
                  {...input}
                  autoCapitalize="none"
                  autoComplete="organization"
                  spellCheck={false}
                  placeholder="its short name"
                  value={text}
                  onChange={(event) => {
                    setText(event.target.value);
                  }}
                />
              )}
            </Field>
          </div>
          <Button type="submit" busy={options.isFetching} className="h-10.5">
            Go on
          </Button>
        </form>
      </div>
    </main>
  );
}
