import { useState } from 'react';
import type { FactorEnrolledView, TotpOfferView } from '#lib/contracts';
import { api } from '../api/client.js';
import { useBegun } from '../api/use-begun.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { Skeleton } from '../components/skeleton.js';
import { ShownOnce } from './shown-once.js';
import { useChange } from './use-change.js';

interface TotpDialogProps {
  /** The proof of a factor that one has; null for the first. */
  readonly stepUpId: string | null;
  readonly onClose: () => void;
}

/** Enrols an authenticator app: scan, type the code once, keep the recovery codes. */
export function TotpDialog({ stepUpId, onClose }: TotpDialogProps) {
  const [code, setCode] = useState('');
  const offer = useBegun(stepUpId ?? '', () =>
    api.post<TotpOfferView>('/v1/factors/totp', stepUpId === null ? {} : { step_up_id: stepUpId }),
  );
  const confirm = useChange(
    (id: string) =>
      api.post<FactorEnrolledView>(`/v1/factors/totp/${id}/confirm`, { code: code.replaceAll(/\s/g, '') }),
    'factors',
    'session',
  );
  return (
    <Dialog title="Add an authenticator app" onClose={onClose}>
      {offer.error !== null && <ErrorNote error={offer.error} />}
      {offer.data === undefined && offer.error === null && <Skeleton className="h-72" />}
      {confirm.data !== undefined && (
        <div className="flex flex-col gap-4">
          <p className="text-sm">Done. Your app counts from now on.</p>
          {confirm.data.recovery_codes !== null && (
            <ShownOnce
              label="Your recovery codes: each stands in for a factor once."
              secret={confirm.data.recovery_codes.join('\n')}
            />
          )}
          <div>
            <Button look="primary" onClick={onClose}>
              I have kept them
            </Button>
          </div>
        </div>
      )}
      {confirm.data === undefined && offer.data !== undefined && (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            confirm.mutate(offer.data.id);
          }}
        >
          <p className="text-sm">Scan this with your app, or type the key into it.</p>
          <img
            alt="QR code for an authenticator app; the key below says the same"
            width={220}
            height={220}
            className="self-center rounded-lg bg-white p-2"
            src={`data:image/svg+xml;utf8,${encodeURIComponent(offer.data.qr_svg)}`}
          />
          <code className="text-center font-mono text-sm break-all">{offer.data.secret}</code>
          <Field label="The code that it shows now">
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
