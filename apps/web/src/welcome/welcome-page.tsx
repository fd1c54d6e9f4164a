import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { api, pathWith } from '../api/client.js';
import { useSession } from '../api/session.js';
import { Button, buttonClass } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { safeReturnPath } from './safe-return-path.js';

interface Options {
  readonly issuers: readonly { readonly id: string; readonly name: string }[];
}

const KEY = 'countersign.tenant';

/** Where somebody who is not signed in chooses their organisation, and at which issuer they sign in. */
export function Component() {
  const [search] = useSearchParams();
  const returnTo = safeReturnPath(search.get('return_to'));
  const session = useSession();
  const [tenant, setTenant] = useState(search.get('tenant') ?? localStorage.getItem(KEY) ?? '');
  const [named] = useState(tenant);
  const asking = useMutation({
    mutationFn: (slug: string) => api.get<Options>('/v1/sign-in/options', { tenant: slug }),
    onSuccess: (_options, slug) => {
      localStorage.setItem(KEY, slug);
    },
  });
  const { mutate: ask } = asking;
  useEffect(() => {
    document.title = 'Sign in · Countersign';
    if (named !== '') ask(named);
  }, [named, ask]);
  if (session.data != null) return <Navigate to={returnTo} replace />;
  const issuers = asking.data?.issuers;
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm rounded-2xl border border-line bg-surface p-6 shadow-sm">
        <img src="/favicon.svg" alt="" width={40} height={40} />
        <h1 className="mt-4 text-xl font-semibold tracking-tight">Sign in to Countersign</h1>
        <p className="mt-1 mb-6 text-sm text-muted">
          Agents ask, people decide. Sign in as yourself at your organisation.
        </p>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            ask(tenant.trim());
          }}
        >
          <Field label="Organisation" hint="Its short name, as your invitation says.">
            {(control) => (
              <input
                {...control}
                required
                autoCapitalize="none"
                autoComplete="organization"
                spellCheck={false}
                value={tenant}
                onChange={(event) => {
                  setTenant(event.target.value);
                  asking.reset();
                }}
              />
            )}
          </Field>
          {asking.error !== null && <ErrorNote error={asking.error} />}
          {issuers === undefined && (
            <Button type="submit" look="primary" busy={asking.isPending}>
              Go on
            </Button>
          )}
        </form>
        {issuers !== undefined && (
          <div className="mt-4 flex flex-col gap-2">
            {issuers.map(({ id, name }) => (
              <a
                key={id}
                className={buttonClass('primary')}
                href={pathWith('/sign-in', { tenant: tenant.trim(), issuer: id, return_to: returnTo })}
              >
                Sign in with {name}
              </a>
            ))}
            {issuers.length === 0 && (
              <p className="text-sm text-muted">
                Nobody can sign in with a browser here yet: an administrator adds an issuer with{' '}
                <code>PUT /v1/issuers</code>.
              </p>
            )}
          </div>
        )}
      </div>
    </main>
  );
}
