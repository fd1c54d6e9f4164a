import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Pause, Play, Undo2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView, RunView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { readAgain } from '../api/read-again.js';
import { Button, type ButtonLook } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';

interface Control {
  readonly path: 'pause' | 'resume' | 'roll-back' | 'cancel';
  readonly name: string;
  readonly icon: LucideIcon;
  readonly look: ButtonLook;
  readonly says: string;
  /** Read aloud once it was asked for. */
  readonly said: string;
  /** The label of the dialog's button, and the label of the other one. */
  readonly act: string;
  readonly dismiss: string;
  readonly states: readonly RunView['state'][];
}

const CONTROLS: readonly Control[] = [
  {
    path: 'pause',
    name: 'Pause',
    icon: Pause,
    look: 'secondary',
    says: 'The run stops before its next step. A step that was sent already ends first.',
    said: 'The run pauses before its next step.',
    act: 'Pause the run',
    dismiss: 'Keep running',
    states: ['queued', 'executing'],
  },
  {
    path: 'resume',
    name: 'Resume',
    icon: Play,
    look: 'primary',
    says: 'Policy is asked again before the next step.',
    said: 'The run resumes.',
    act: 'Resume the run',
    dismiss: 'Keep it paused',
    states: ['paused'],
  },
  {
    path: 'roll-back',
    name: 'Roll back',
    icon: Undo2,
    look: 'secondary',
    says: 'Undoes the steps taken, the last one first.',
    said: 'The run rolls back.',
    act: 'Roll back the run',
    dismiss: 'Don’t roll back',
    states: ['executing', 'paused'],
  },
  {
    path: 'cancel',
    name: 'Cancel',
    icon: Ban,
    look: 'danger-outline',
    says: 'Ends the run at once, perhaps half done. Nothing is undone; to undo it, roll back instead.',
    said: 'The run is cancelled.',
    act: 'Cancel the run',
    dismiss: 'Don’t cancel',
    states: ['queued', 'executing', 'paused'],
  },
];

/** The reason why a control cannot be used now; null if it can. */
const barredFrom = ({ path }: Control, { resume_refused: refused }: RunDetailView): string | null =>
  path !== 'resume' || refused === null ? null : [refused.message, refused.action ?? ''].join(' ').trim();

/** The controls of a run in its present state. */
export function RunControls({ run }: { readonly run: RunDetailView }) {
  const [open, setOpen] = useState<Control | null>(null);
  return (
    <>
      {CONTROLS.filter(({ states }) => states.includes(run.state)).map((control) => (
        <Button
          key={control.path}
          look={control.look}
          barred={barredFrom(control, run)}
          onClick={() => {
            setOpen(control);
          }}
        >
          <control.icon aria-hidden className="size-4" /> {control.name}…
        </Button>
      ))}
      {open !== null && (
        <ControlDialog
          runId={run.id}
          control={open}
          onClose={() => {
            setOpen(null);
          }}
        />
      )}
    </>
  );
}

interface ControlDialogProps {
  readonly runId: string;
  readonly control: Control;
  readonly onClose: () => void;
}

function ControlDialog({ runId, control, onClose }: ControlDialogProps) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const asking = useMutation({
    meta: { said: control.said },
    mutationFn: () =>
      api.post(`/v1/runs/{id}/${control.path}`, {
        path: { id: runId },
        body: note.trim() === '' ? {} : { note: note.trim() },
      }),
    onSuccess: async () => {
      await readAgain(queries, '/v1/runs');
      onClose();
    },
  });
  return (
    <Dialog title={`${control.act}?`} description={control.says} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          asking.mutate();
        }}
      >
        <TextField
          label="Why"
          hint="Optional. The run and the audit log keep it."
          autoFocus
          maxLength={2_000}
          value={note}
          onChange={setNote}
        />
        {asking.error !== null && <ErrorNote error={asking.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{control.dismiss}</Button>
          <Button type="submit" look={control.path === 'resume' ? 'primary' : 'danger'} busy={asking.isPending}>
            {control.act}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
