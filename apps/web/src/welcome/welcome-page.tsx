import { useMutation, useQuery } from '@tanstack/react-query';
import { Fingerprint, LogIn } from 'lucide-react';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { hrefOf } from '../api/query.js';
import { lastTenant, renewBrowserSession, useBrowserSession } from '../api/browser-session.js';
import { Button, buttonClass } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { EntryFrame } from './entry-frame.js';
import { EntryProblem } from './entry-problem.js';
import { signInByPasskey } from './passkey-of-browser.js';
import { problemInWords } from './problem-words.js';
import { safeReturnPath } from './safe-return-path.js';
import { signInOptions } from './sign-in-options.js';

const KEY = 'countersign.tenant';

/** The page on which a person signs in: with a passkey of ours, or at an issuer of their organisation. */
export function Component() {
  const [search] = useSearchParams();
  const returnTo = safeReturnPath(search.get('return_to'));
  const problem = search.get('problem');
  /** The sign-in is too old for the next operation. */
  const again = search.get('again') === '1';
  /** The issuer knows somebody, and that person has no place here. It asks anew, or nobody else could ever sign in. */
  const anew = again || problem === 'sign_in.not_provisioned' || problem === 'sign_in.person_disabled';
  const browserSession = useBrowserSession();
  /** Empty asks for those of the only tenant there is. */
  const [tenant, setTenant] = useState(search.get('tenant') ?? localStorage.getItem(KEY) ?? '');
  const options = useQuery(signInOptions(tenant));
  const byPasskey = useMutation({
    mutationFn: () => signInByPasskey(tenant === '' ? lastTenant() : tenant),
    onSuccess: () => renewBrowserSession(),
  });
  if (browserSession.data != null && (!again || byPasskey.isSuccess)) return <Navigate to={returnTo} replace />;
  if (options.data?.founded === false) return <Navigate to="/found" replace />;
  const { issuers = [], passkeys = false } = options.data ?? {};
  return (
    <EntryFrame
      title={again ? 'Show that it is still you' : 'Sign in to Countersign'}
      lead={
        again
          ? 'Your organisation asks for a fresh sign-in before you decide. Then you come back to where you were.'
          : 'Agents ask, people decide.'
      }
    >
      {problem !== null && (
        <p role="alert" className="rounded-lg bg-warn-soft p-3 text-sm">
          {problemInWords(problem)}
        </p>
      )}
      {options.error !== null && <ErrorNote error={options.error} />}
      <EntryProblem error={byPasskey.error} />
      <div className="flex min-h-10 flex-col gap-2.5">
        {issuers.map(({ name, display_name: shown }) => (
          <a
            key={name}
            className={buttonClass('primary')}
            // For browsers that send no Sec-Fetch-Site: without either, a sign-in is not begun.
            referrerPolicy="same-origin"
            href={hrefOf('/sign-in', { tenant, issuer: name, return_to: returnTo, prompt: anew ? 'login' : null })}
          >
            <LogIn aria-hidden className="size-4" /> Sign in with {shown}
          </a>
        ))}
        {passkeys && (
          <Button
            look={issuers.length === 0 ? 'primary' : 'secondary'}
            busy={byPasskey.isPending}
            onClick={() => {
              byPasskey.mutate();
            }}
          >
            <Fingerprint aria-hidden className="size-4" /> Sign in with a passkey
          </Button>
        )}
      </div>
      {!again && (
        <OtherOrganisation tenant={tenant} busy={options.isFetching} none={issuers.length === 0} onChoose={setTenant} />
      )}
      <p className="text-sm text-muted">
        New here? Open the link of your invitation. An administrator of your organisation sends you one.
      </p>
    </EntryFrame>
  );
}

/** For those who sign in at an identity provider: each organisation has its own. */
function OtherOrganisation({
  tenant,
  busy,
  none,
  onChoose,
}: {
  readonly tenant: string;
  readonly busy: boolean;
  /** Whether the chosen one has no identity provider. */
  readonly none: boolean;
  readonly onChoose: (tenant: string) => void;
}) {
  const [text, setText] = useState(tenant);
  return (
    <form
      className="flex flex-col gap-2 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        localStorage.setItem(KEY, text.trim());
        onChoose(text.trim());
      }}
    >
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={none ? 'Or sign in at your organisation' : 'Another organisation'}
            autoCapitalize="none"
            autoComplete="organization"
            spellCheck={false}
            placeholder="its short name"
            value={text}
            onChange={setText}
          />
        </div>
        <Button type="submit" busy={busy}>
          Continue
        </Button>
      </div>
      {none && tenant !== '' && !busy && (
        <p role="status" className="text-sm text-muted">
          No organisation called {tenant} has an identity provider here. Sign in with a passkey, or check the name.
        </p>
      )}
    </form>
  );
}
