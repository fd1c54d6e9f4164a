import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';

export type IncidentStep = 'acknowledge' | 'notes' | 'resolve' | 'review';

/** What each step asks for: the member of the body, and what is said. */
const ASKS = {
  acknowledge: { title: 'Acknowledge', member: 'note', label: 'Note', hint: 'Optional: who looks after it.' },
  notes: { title: 'Add a note', member: 'text', label: 'Note', hint: 'Stands in the timeline for good.' },
  resolve: {
    title: 'Resolve',
    member: 'post_mortem',
    label: 'Post-mortem',
    hint: 'What happened, what it did, and what follows. Somebody else reviews it.',
  },
  review: { title: 'Review', member: 'comment', label: 'What you found', hint: 'Closes the incident.' },
} as const;

interface IncidentDialogProps {
  readonly id: string;
  readonly step: IncidentStep;
  readonly onClose: () => void;
}

export function IncidentDialog({ id, step, onClose }: IncidentDialogProps) {
  const { title, member, label, hint } = ASKS[step];
  const [text, setText] = useState('');
  const queries = useQueryClient();
  const submit = useMutation({
    mutationFn: () => api.post(`/v1/incidents/${id}/${step}`, text.trim() === '' ? {} : { [member]: text.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['incidents'] });
      onClose();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate();
        }}
      >
        <Field label={label} hint={hint}>
          {(control) => (
            <textarea
              {...control}
              autoFocus
              rows={step === 'resolve' ? 8 : 4}
              required={step !== 'acknowledge'}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
              }}
            />
          )}
        </Field>
        {submit.error !== null && <ErrorNote error={submit.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={submit.isPending}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
