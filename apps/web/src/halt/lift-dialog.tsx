import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HaltView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { readAgain } from '../api/read-again.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';

export function LiftDialog({ halt, onClose }: { readonly halt: HaltView; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const lift = useMutation({
    meta: { said: 'The halt is lifted.' },
    mutationFn: () => api.post('/v1/halts/{id}/lift', { path: { id: halt.id }, body: { note: note.trim() } }),
    onSuccess: async () => {
      await readAgain(queries, '/v1/halts');
      onClose();
    },
  });
  return (
    <Dialog
      title="Lift the halt"
      description="Runs that it paused stay paused until somebody resumes them."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          lift.mutate();
        }}
      >
        <TextField label="Why it is safe to go on" required autoFocus value={note} onChange={setNote} />
        {lift.error !== null && <ErrorNote error={lift.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={lift.isPending}>
            Lift
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
