import { useMutation } from '@tanstack/react-query';
import { Fingerprint, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { Skeleton } from '../components/skeleton.js';
import type { StepUpView } from '#lib/api-schemas';
import { renewBrowserSession } from '../api/browser-session.js';
import { useBegun } from '../api/use-begun.js';
import { signedByPasskey } from '../api/webauthn.js';
import type { Method, Operation } from './step-up.js';

interface StepUpFormProps {
  readonly operation: Operation;
  /** With the id that the operation itself then carries as `step_up_id`. */
  readonly onProved: (stepUpId: string) => void;
  /** While the operation itself is under way: the same proof is not given twice. */
  readonly busy?: boolean;
}

async function prove(stepUp: StepUpView, method: Method, code: string): Promise<string> {
  const { id } = stepUp;
  const body =
    method === 'passkey'
      ? { method, assertion: await signedByPasskey(stepUp.passkey_options ?? {}) }
      : { method, code: code.replaceAll(/\s/g, '') };
  await api.post('/v1/step-ups/{id}/proof', { path: { id }, body });
  await renewBrowserSession();
  return id;
}

/** Asks for a second factor for one operation: a passkey if there is one, else a code. */
export function StepUpForm({ operation, onProved, busy = false }: StepUpFormProps) {
  const stepUp = useBegun(JSON.stringify(operation), () => api.post('/v1/step-ups', { body: { operation } }));
  const [wanted, setWanted] = useState<Method | null>(null);
  const [code, setCode] = useState('');
  const proving = useMutation({
    mutationFn: ({ asked, method }: { asked: StepUpView; method: Method }) => prove(asked, method, code),
    onSuccess: onProved,
  });
  if (stepUp.error !== null) return <Refused error={stepUp.error} />;
  if (stepUp.data === undefined) return <Skeleton className="h-32" />;
  const asked = stepUp.data;
  const method = wanted ?? asked.methods[0] ?? 'totp';
  const others = asked.methods.filter((each) => each !== method);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        proving.mutate({ asked, method });
      }}
    >
      {method === 'passkey' ? (
        <p className="text-sm text-muted">Your device asks for your passkey. It confirms this one decision.</p>
      ) : (
        <Field
          label={method === 'totp' ? 'Code from your authenticator app' : 'Recovery code'}
          hint="It confirms this one decision, within five minutes."
        >
          {(control) => (
            <input
              {...control}
              autoFocus
              required
              inputMode={method === 'totp' ? 'numeric' : 'text'}
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => {
                setCode(event.target.value);
              }}
              className={`${control.className} font-mono ${method === 'totp' ? 'max-w-60 tracking-widest' : 'max-w-80'}`}
            />
          )}
        </Field>
      )}
      {proving.error !== null &&
        (proving.error instanceof ApiError ? <ErrorNote error={proving.error} /> : <NotGiven />)}
      <div className="flex flex-wrap items-center gap-2">
        {/* A code has the focus in its field. Each method has a button of its own, which takes the focus as it comes. */}
        <Button
          key={method}
          type="submit"
          look="primary"
          autoFocus={method === 'passkey'}
          busy={proving.isPending || busy}
        >
          {method === 'passkey' ? (
            <Fingerprint aria-hidden className="size-4" />
          ) : (
            <KeyRound aria-hidden className="size-4" />
          )}
          {method === 'passkey' ? 'Use my passkey' : 'Confirm'}
        </Button>
        {others.map((other) => (
          <Button
            key={other}
            look="quiet"
            onClick={() => {
              setWanted(other);
              setCode('');
              proving.reset();
            }}
          >
            {NAMES[other]} instead
          </Button>
        ))}
      </div>
    </form>
  );
}

const NAMES = { passkey: 'A passkey', totp: 'An app code', recovery_code: 'A recovery code' } as const;

const NotGiven = () => (
  <p role="alert" className="text-sm text-bad">
    The passkey was not given. Try again, or use another way.
  </p>
);

function Refused({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiError) || error.code !== 'mfa.not_enrolled') return <ErrorNote error={error} />;
  return (
    <div role="alert" className="rounded-lg bg-warn-soft p-3 text-sm">
      <p className="font-medium">This asks for a second factor, and you have none yet.</p>
      <p>
        <Link
          to={`/settings/factors?return_to=${encodeURIComponent(location.pathname + location.search)}`}
          className="text-accent underline"
        >
          Set one up
        </Link>{' '}
        in a minute. That page leads back here.
      </p>
    </div>
  );
}
