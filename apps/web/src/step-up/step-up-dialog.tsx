import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { StepUpForm } from './step-up-form.js';
import type { Operation } from './step-up.js';

interface StepUpDialogProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly operation: Operation;
  /** Uses the proof; the dialog closes once it is done. */
  readonly act: UseMutationResult<unknown, Error, string>;
  readonly onClose: () => void;
}

/** Describes the operation, and asks for a second factor for exactly that. */
export function StepUpDialog({ title, description, operation, act, onClose }: StepUpDialogProps) {
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <StepUpForm
        operation={operation}
        busy={act.isPending}
        onProved={(stepUpId) => {
          act.mutate(stepUpId, { onSuccess: onClose });
        }}
      />
      {act.error !== null && <ErrorNote error={act.error} />}
    </Dialog>
  );
}
