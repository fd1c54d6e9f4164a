import { useQuery } from '@tanstack/react-query';
import { Fingerprint, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { FactorView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { RecoveryCodes } from '../components/recovery-codes.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { safeReturnPath } from '../welcome/safe-return-path.js';
import { StepUpForm } from '../step-up/step-up-form.js';
import type { Operation } from '../step-up/step-up.js';
import { ApproverKeys } from './approver-keys.js';
import { PasskeyDialog } from './passkey-dialog.js';
import { TotpDialog } from './totp-dialog.js';
import { useChange } from './use-change.js';

/** The actions that a proof of an enrolled factor opens. */
type Wanted =
  | { readonly kind: 'totp'; readonly replaces: boolean }
  | { readonly kind: 'passkey' | 'recovery_codes' }
  | { readonly kind: 'remove'; readonly factor: FactorView };

const OPERATIONS = { totp: 'add_totp', passkey: 'add_passkey', recovery_codes: 'renew_recovery_codes' } as const;

const operationOf = (wanted: Wanted): Operation =>
  wanted.kind === 'remove'
    ? { kind: 'factor_removal', factor_id: wanted.factor.id }
    : { kind: 'factor_change', change: OPERATIONS[wanted.kind] };

const titleOf = (wanted: Wanted): string => {
  switch (wanted.kind) {
    case 'remove':
      return `Remove ${wanted.factor.name}`;
    case 'recovery_codes':
      return 'New recovery codes';
    case 'passkey':
      return 'Add a passkey';
    case 'totp':
      return wanted.replaces ? 'Replace your authenticator app' : 'Add an authenticator app';
  }
};

/** One's second factors: an authenticator app, passkeys, recovery codes. */
export default function FactorsSection() {
  const { person } = useSignedIn();
  const factors = useQuery(queryOf('/v1/factors'));
  const [search] = useSearchParams();
  const asked = search.get('return_to');
  const returnTo = asked === null ? null : safeReturnPath(asked);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [proof, setProof] = useState<string | null>(null);
  // Decided when it begins: the factor that is being added is itself one that one has, in the end.
  const [asksForProof, setAsksForProof] = useState(false);
  const close = (): void => {
    setWanted(null);
    setProof(null);
  };
  const renew = useChange(
    (stepUpId: string) => api.post('/v1/factors/recovery-codes', { body: { step_up_id: stepUpId } }),
    '/v1/factors',
    '/v1/approver-keys',
  );
  const remove = useChange(
    ({ id, stepUpId }: { id: string; stepUpId: string }) =>
      api.delete('/v1/factors/{id}', { path: { id }, query: { step_up_id: stepUpId } }),
    '/v1/factors',
    '/v1/approver-keys',
    '/v1/browser-sessions/current',
  );
  if (factors.isLoadingError) return <ErrorNote error={factors.error} retry={() => void factors.refetch()} />;
  if (factors.data === undefined) return <SkeletonRows rows={3} />;
  const { items, recovery_codes_left: left } = factors.data;
  const active = items.filter(({ state }) => state === 'active');
  const hasApp = active.some(({ kind }) => kind === 'totp');
  const proved = (stepUpId: string): void => {
    if (wanted?.kind === 'remove') remove.mutate({ id: wanted.factor.id, stepUpId }, { onSettled: close });
    else if (wanted?.kind === 'recovery_codes') renew.mutate(stepUpId, { onSettled: close });
    else {
      setProof(stepUpId);
      setAsksForProof(false);
    }
  };
  const begin = (next: Wanted): void => {
    // The first factor needs a sign-in of just now; each one after it, a proof of one that is there.
    setAsksForProof(active.length > 0);
    setWanted(next);
  };
  return (
    <>
      {returnTo !== null && (
        <p className="rounded-lg bg-sunken p-3 text-sm">
          {active.length === 0 ? 'Set up a second factor here, then ' : 'You have a second factor now: '}
          <Link to={returnTo} className="text-accent underline">
            go back to what you were doing
          </Link>
          .
        </p>
      )}
      <Card
        title="Second factors"
        flush
        actions={
          <span className="flex flex-wrap gap-2">
            <Button
              size="sm"
              look="primary"
              onClick={() => {
                begin({ kind: 'passkey' });
              }}
            >
              <Fingerprint aria-hidden className="size-4" /> Add a passkey
            </Button>
            <Button
              size="sm"
              onClick={() => {
                begin({ kind: 'totp', replaces: hasApp });
              }}
            >
              <Smartphone aria-hidden className="size-4" />{' '}
              {hasApp ? 'Replace your authenticator app' : 'Add an authenticator app'}
            </Button>
          </span>
        }
      >
        {active.length === 0 && (
          <p className="p-4 text-sm">
            You have none yet. Some approvals ask for one, and so does every change that loosens the gate. A passkey is
            the quickest.
          </p>
        )}
        {active.length > 0 && (
          <ul>
            {active.map((factor) => (
              <li
                key={factor.id}
                className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-0"
              >
                {factor.kind === 'passkey' ? (
                  <Fingerprint aria-hidden className="size-5 text-muted" />
                ) : (
                  <Smartphone aria-hidden className="size-5 text-muted" />
                )}
                <span className="min-w-0 flex-1">
                  <span className="font-medium">
                    <InertText text={factor.name} />
                  </span>{' '}
                  {factor.synchronised && <Badge>synchronised</Badge>}
                  <span className="block text-muted">
                    {factor.last_used_at === null ? (
                      'never used'
                    ) : (
                      <>
                        last used <TimeAgo at={factor.last_used_at} />
                      </>
                    )}
                  </span>
                </span>
                <Button
                  size="sm"
                  look="danger-outline"
                  aria-label={`Remove ${factor.name}`}
                  onClick={() => {
                    begin({ kind: 'remove', factor });
                  }}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Your approver keys">
        <ApproverKeys personId={person.id} own />
      </Card>
      {active.length > 0 && (
        <Card
          title="Recovery codes"
          actions={
            <Button
              size="sm"
              onClick={() => {
                begin({ kind: 'recovery_codes' });
              }}
            >
              New ones
            </Button>
          }
        >
          <p className="mb-3 text-sm last:mb-0">
            {left} left. Each stands in for a lost factor once. New ones replace them all.
          </p>
        </Card>
      )}
      {(remove.error ?? renew.error) !== null && <ErrorNote error={remove.error ?? renew.error} />}
      {asksForProof && wanted !== null && (
        <Dialog title={titleOf(wanted)} description="Confirm with a factor that you already have." onClose={close}>
          <StepUpForm operation={operationOf(wanted)} onProved={proved} />
        </Dialog>
      )}
      {renew.data !== undefined && (
        <Dialog
          title="Save your recovery codes"
          description="Each stands in for a lost factor once. They are not shown again; the former ones no longer work."
        >
          <div className="flex flex-col items-start gap-4">
            <RecoveryCodes
              codes={renew.data.recovery_codes}
              account={person.display_name}
              done="Continue"
              onSaved={() => {
                renew.reset();
              }}
            />
          </div>
        </Dialog>
      )}
      {!asksForProof && wanted?.kind === 'totp' && (
        <TotpDialog stepUpId={proof} replaces={wanted.replaces} onClose={close} />
      )}
      {!asksForProof && wanted?.kind === 'passkey' && <PasskeyDialog stepUpId={proof} onClose={close} />}
    </>
  );
}
