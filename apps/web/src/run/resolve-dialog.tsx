import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import type { Step } from './run-timeline.js';
import { readAgain } from '../api/read-again.js';

const EFFECTS = [
  ['happened', 'It happened', 'The change took effect. The run goes on after it.'],
  ['did_not', 'It did not happen', 'Nothing was changed.'],
  ['retry', 'It did not happen; do it again', 'The step is sent once more when the run is resumed.'],
] as const;

type Effect = (typeof EFFECTS)[number][0];

interface ResolveDialogProps {
  readonly runId: string;
  readonly step: Step;
  readonly onClose: () => void;
}

/** The form for a person's finding about a step with an unknown effect. */
export function ResolveDialog({ runId, step, onClose }: ResolveDialogProps) {
  const queries = useQueryClient();
  // A rollback takes up a failed compensation by itself.
  const effects = EFFECTS.filter(([value]) => value !== 'retry' || step.unknown_of !== 'compensation');
  const [effect, setEffect] = useState<Effect | null>(null);
  const [note, setNote] = useState('');
  const resolving = useMutation({
    meta: { said: 'Your answer is recorded.' },
    mutationFn: async (answer: Effect) => {
      const state = (found: Effect) =>
        api.post('/v1/runs/{id}/steps/{stepId}/resolve', {
          path: { id: runId, stepId: step.id },
          body: { effect: found, note: note.trim() },
        });
      // Sending it again takes the statement that it did not happen, as an entry of its own.
      if (answer === 'retry' && step.state === 'unknown' && !step.idempotent) await state('did_not');
      await state(answer);
    },
    onSettled: () => readAgain(queries, '/v1/runs'),
  });
  return (
    <Dialog
      title="What happened?"
      description={
        <>
          Step #{step.seq} {step.tool} was sent, and no answer that can be trusted came back. Look at{' '}
          {step.attempts.at(-1)?.targets.join(', ') ?? 'its targets'} before you answer.
        </>
      }
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (effect !== null) resolving.mutate(effect, { onSuccess: onClose });
        }}
      >
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm font-medium">What you found</legend>
          {effects.map(([value, name, says]) => (
            <label
              key={value}
              className="flex cursor-pointer gap-3 rounded-lg border border-line-strong p-3 has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="effect"
                required
                value={value}
                checked={effect === value}
                onChange={() => {
                  setEffect(value);
                }}
                className="mt-1"
              />
              <span className="text-sm">
                <span className="font-medium">{name}</span>
                <br />
                <span className="text-muted">{says}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field label="How you know" hint="Stands in the evidence.">
          {(input) => (
            <textarea
              {...input}
              required
              rows={2}
              maxLength={2_000}
              value={note}
              onChange={(event) => {
                setNote(event.target.value);
              }}
            />
          )}
        </Field>
        {resolving.error !== null && <ErrorNote error={resolving.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" look="primary" busy={resolving.isPending}>
            Record it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
