import { useState } from 'react';
import { api } from '../api/client.js';
import { useBegun } from '../api/use-begun.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { Skeleton } from '../components/skeleton.js';
import { FactorEnrolled } from './factor-enrolled.js';
import { useChange } from './use-change.js';

interface TotpDialogProps {
  /** The proof of a factor that one has; null for the first. */
  readonly stepUpId: string | null;
  /** Whether one has an app already, which the new one takes the place of. */
  readonly replaces: boolean;
  readonly onClose: () => void;
}

/** Enrols an authenticator app: scan, type the code once, keep the recovery codes. */
export function TotpDialog({ stepUpId, replaces, onClose }: TotpDialogProps) {
  const [code, setCode] = useState('');
  const offer = useBegun(stepUpId ?? '', () =>
    api.post('/v1/factors/totp', { body: stepUpId === null ? {} : { step_up_id: stepUpId } }),
  );
  const confirm = useChange(
    (id: string) =>
      api.post('/v1/factors/totp/{id}/confirm', { path: { id }, body: { code: code.replaceAll(/\s/g, '') } }),
    '/v1/factors',
    '/v1/approver-keys',
    '/v1/browser-sessions/current',
  );
  const title = replaces ? 'Replace your authenticator app' : 'Add an authenticator app';
  if (confirm.data !== undefined) return <FactorEnrolled title={title} enrolled={confirm.data} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      {offer.error !== null && <ErrorNote error={offer.error} />}
      {offer.data === undefined && offer.error === null && <Skeleton className="h-72" />}
      {offer.data !== undefined && (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            confirm.mutate(offer.data.id);
          }}
        >
          <p className="text-sm">
            Scan this with your app, or type the key into it.
            {replaces && ' The app that you have now stops working once you confirm.'}
          </p>
          <img
            alt="QR code for an authenticator app; the key below says the same"
            width={220}
            height={220}
            className="self-center rounded-lg bg-white p-2"
            src={`data:image/svg+xml;utf8,${encodeURIComponent(offer.data.qr_svg)}`}
          />
          <code className="text-center font-mono text-sm break-all">{offer.data.secret}</code>
          <Field label="The code that the app shows now">
            {(control) => (
              <input
                {...control}
                autoFocus
                required
                inputMode="numeric"
                autoComplete="one-time-code"
                value={code}
                onChange={(event) => {
                  setCode(event.target.value);
                }}
                className={`${control.className} max-w-40 font-mono tracking-widest`}
              />
            )}
          </Field>
          {confirm.error !== null && <ErrorNote error={confirm.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" busy={confirm.isPending}>
              Confirm
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
