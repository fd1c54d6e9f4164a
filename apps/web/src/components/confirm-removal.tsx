import type { ReactNode } from 'react';
import { Button } from './button.js';
import { ErrorNote } from './error-note.js';

interface ConfirmRemovalProps {
  /** The consequences. */
  readonly children: ReactNode;
  /** Of the last try; null before the first. */
  readonly error: Error | null;
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** The body of a dialog that removes a thing. */
export function ConfirmRemoval({ children, error, busy, onCancel, onConfirm }: ConfirmRemovalProps) {
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p>{children}</p>
      {error !== null && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          Remove it
        </Button>
      </div>
    </div>
  );
}
