import { useState } from 'react';
import type { FactorEnrolledView } from '#lib/api-schemas';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { madePasskey } from '../api/webauthn.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { FactorEnrolled } from './factor-enrolled.js';
import { useChange } from './use-change.js';

interface PasskeyDialogProps {
  /** The proof of a factor that one has; null for the first. */
  readonly stepUpId: string | null;
  readonly onClose: () => void;
}

async function register(name: string, stepUpId: string | null): Promise<FactorEnrolledView> {
  const { options } = await api.post('/v1/factors/passkeys/options', {
    body: stepUpId === null ? {} : { step_up_id: stepUpId },
  });
  return api.post('/v1/factors/passkeys', { body: { name, registration: await madePasskey(options) } });
}

/** Enrols a passkey of this device or of one beside it. */
export function PasskeyDialog({ stepUpId, onClose }: PasskeyDialogProps) {
  const [name, setName] = useState('Passkey');
  const add = useChange(
    () => register(name.trim(), stepUpId),
    '/v1/factors',
    '/v1/approver-keys',
    '/v1/browser-sessions/current',
  );
  if (add.data !== undefined) return <FactorEnrolled title="Add a passkey" enrolled={add.data} onClose={onClose} />;
  return (
    <Dialog title="Add a passkey" description="Your device asks for your face, finger or PIN." onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(undefined);
        }}
      >
        <TextField
          label="Name"
          hint="Which device it is on."
          required
          maxLength={100}
          value={name}
          onChange={setName}
        />
        {add.error !== null &&
          (add.error instanceof ApiError ? (
            <ErrorNote error={add.error} />
          ) : (
            <p role="alert" className="text-sm text-bad">
              The passkey was not made. Try again, or use an authenticator app.
            </p>
          ))}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            Make a passkey
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
