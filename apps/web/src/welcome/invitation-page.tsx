import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../api/api-error.js';
import { renewBrowserSession, useBrowserSession } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { TextField } from '../components/text-field.js';
import { Timestamp } from '../components/times.js';
import { EntryFrame } from './entry-frame.js';
import { EntryProblem } from './entry-problem.js';
import { acceptInvitation, lookAtInvitation, type InvitationSeen } from './passkey-of-browser.js';
import { RecoveryCodes } from '../components/recovery-codes.js';

/**
 * Takes an invitation. Its secret stands in the address's fragment, which no browser sends. The page sends it after a
 * click, so that a program that opens links uses nothing up.
 */
export function Component() {
  const { hash } = useLocation();
  const secret = hash.slice(1);
  const founding = useSearchParams()[0].get('founding') === '1';
  const look = useMutation({ mutationFn: () => lookAtInvitation(secret) });
  const begin = look.mutate;
  // A founder has clicked a moment ago, on the page before.
  useEffect(() => {
    if (founding) begin();
  }, [founding, begin]);
  if (secret === '') return <NoSecret />;
  if (look.error instanceof ApiError && look.error.problem.code === 'enrolment.refused')
    return <Over founding={founding} />;
  if (look.data !== undefined) return <Accept secret={secret} seen={look.data} founding={founding} />;
  return (
    <EntryFrame
      title={founding ? 'One more step' : 'You are invited to Countersign'}
      {...(founding ? { step: 'Step 2 of 2' } : {})}
      lead={
        founding
          ? undefined
          : 'Agents ask to change things, and people like you decide. This link is yours alone, works once, and is good for a day.'
      }
    >
      <SignedInAsSomebody />
      <EntryProblem error={look.error} />
      <Button
        look="primary"
        busy={look.isPending}
        onClick={() => {
          look.mutate();
        }}
      >
        Open the invitation
      </Button>
    </EntryFrame>
  );
}

/** A notice for a reader with a browser session of another person: taking the invitation replaces it. */
function SignedInAsSomebody() {
  const { data: browserSession } = useBrowserSession();
  if (browserSession === undefined || browserSession === null) return null;
  return (
    <p className="rounded-lg bg-warn-soft p-3 text-sm">
      You are signed in here as {browserSession.person.display_name} of {browserSession.tenant.name}. If you take the
      invitation, this browser is signed in as the invited person instead.
    </p>
  );
}

function Accept({
  secret,
  seen,
  founding,
}: {
  readonly secret: string;
  readonly seen: InvitationSeen;
  readonly founding: boolean;
}) {
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const accept = useMutation({ mutationFn: () => acceptInvitation(secret, code.trim()) });
  const goOn = (): void => {
    void renewBrowserSession().then(() => navigate('/', { replace: true }));
  };
  if (accept.data !== undefined) return <Done codes={accept.data.recovery_codes} account={seen.email} onSaved={goOn} />;
  return (
    <EntryFrame
      title={founding ? `Make your passkey, ${seen.display_name}` : `Welcome, ${seen.display_name}`}
      {...(founding ? { step: 'Step 2 of 2' } : {})}
      lead={
        <>
          <InertText text={seen.organisation} />{' '}
          {founding ? 'is founded, and you are its administrator' : `invites you`}: {seen.email}
          {seen.roles.length > 0 && <>, {seen.roles.join(', ')}</>}.
        </>
      }
    >
      <p className="text-sm">
        A passkey is your way in. Your device asks for your face, finger or PIN. Nothing can be phished or forgotten. It
        is your second factor, too.
      </p>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          accept.mutate();
        }}
      >
        {seen.proof_required && (
          <TextField
            label="Code of your authenticator app, or a recovery code"
            hint="You have a second factor here already. If you lost all of it, an administrator can reset it first."
            required
            autoComplete="one-time-code"
            spellCheck={false}
            value={code}
            onChange={setCode}
          />
        )}
        <EntryProblem error={accept.error} />
        <Button type="submit" look="primary" busy={accept.isPending}>
          <Fingerprint aria-hidden className="size-4" /> Make a passkey
        </Button>
      </form>
      {!founding && (
        <p className="text-xs text-muted">
          The invitation is good until <Timestamp at={seen.expires_at} />.
        </p>
      )}
    </EntryFrame>
  );
}

function Done({
  codes,
  account,
  onSaved,
}: {
  readonly codes: readonly string[] | null;
  readonly account: string;
  readonly onSaved: () => void;
}) {
  useEffect(() => {
    if (codes === null) onSaved();
  }, [codes, onSaved]);
  if (codes === null) return null;
  return (
    <EntryFrame
      title="Save your recovery codes"
      lead="You are signed in. If you ever lose your passkey, each of these codes lets you prove once that it is you. They are not shown again."
    >
      <RecoveryCodes codes={codes} account={account} done="Continue" onSaved={onSaved} />
    </EntryFrame>
  );
}

function NoSecret() {
  return (
    <EntryFrame title="This link is not whole">
      <p className="text-sm text-muted">
        An invitation ends with a long code after a <code className="font-mono text-xs">#</code>. Copy the whole link,
        to its last character, into the address bar.
      </p>
    </EntryFrame>
  );
}

function Over({ founding }: { readonly founding: boolean }) {
  return (
    <EntryFrame title="This invitation opens nothing any more">
      <p className="text-sm text-muted">
        {founding
          ? 'It was used, or is older than a day. If you made your passkey, sign in with it. If you did not, the person who runs Countersign lets you in with: countersign bootstrap --admin'
          : 'It was used or withdrawn, or is older than a day. If you made a passkey with it, sign in. If you did not, ask an administrator for a new invitation. Tell them that somebody else may have used this one.'}
      </p>
      <a className="text-sm text-accent underline" href="/welcome">
        Sign in
      </a>
    </EntryFrame>
  );
}
