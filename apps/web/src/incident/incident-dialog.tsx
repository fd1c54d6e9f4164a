import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { readAgain } from '../api/read-again.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';

export type IncidentStep = 'acknowledge' | 'notes' | 'resolve' | 'review';

/** The text of each step. */
const ASKS = {
  acknowledge: {
    title: 'Acknowledge',
    label: 'Note',
    hint: 'Optional: who looks after it.',
    said: 'You acknowledged the incident.',
  },
  notes: {
    title: 'Add a note',
    label: 'Note',
    hint: 'Stands in the timeline for good.',
    said: 'The note stands in the timeline.',
  },
  resolve: {
    title: 'Resolve',
    label: 'Post-mortem',
    hint: 'What happened, what it did, and what follows. Somebody else reviews it.',
    said: 'You resolved the incident.',
  },
  review: {
    title: 'Review',
    label: 'What you found',
    hint: 'Closes the incident.',
    said: 'You reviewed the incident.',
  },
} as const;

const SEND: Readonly<Record<IncidentStep, (id: string, text: string) => Promise<unknown>>> = {
  acknowledge: (id, note) =>
    api.post('/v1/incidents/{id}/acknowledge', { path: { id }, body: note === '' ? {} : { note } }),
  notes: (id, text) => api.post('/v1/incidents/{id}/notes', { path: { id }, body: { text } }),
  resolve: (id, postMortem) =>
    api.post('/v1/incidents/{id}/resolve', { path: { id }, body: { post_mortem: postMortem } }),
  review: (id, comment) => api.post('/v1/incidents/{id}/review', { path: { id }, body: { comment } }),
};

interface IncidentDialogProps {
  readonly id: string;
  readonly step: IncidentStep;
  readonly onClose: () => void;
}

export function IncidentDialog({ id, step, onClose }: IncidentDialogProps) {
  const { title, label, hint, said } = ASKS[step];
  const [text, setText] = useState('');
  const queries = useQueryClient();
  const submit = useMutation({
    meta: { said },
    mutationFn: () => SEND[step](id, text.trim()),
    onSuccess: async () => {
      await readAgain(queries, '/v1/incidents');
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
