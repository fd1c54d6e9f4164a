import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { OpenApprovalRequestBody } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { readAgain } from '../api/read-again.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { TextField } from '../components/text-field.js';

const STARTS = {
  on_approval: 'once it is approved',
  manual: 'by hand, after the approval',
  at: 'at a time',
} as const;

type Start = keyof typeof STARTS;

/** Has people asked to approve a plan, and says when it is to start then. */
export function AskApproval({ planId }: { readonly planId: string }) {
  const navigate = useNavigate();
  const [start, setStart] = useState<Start>('on_approval');
  const [at, setAt] = useState('');
  const queries = useQueryClient();
  const ask = useMutation({
    mutationFn: (body: OpenApprovalRequestBody) =>
      api.post('/v1/plans/{id}/approval-requests', { path: { id: planId }, body }),
    // This stands here, not beside `mutate`: the page learns of the request at once and takes the form away.
    onSuccess: ({ id }) => {
      void readAgain(queries, '/v1/approval-requests');
      void navigate(`/requests/${id}`);
    },
  });
  return (
    <Card title="Ask for approval">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate(start === 'at' ? { start, start_at: new Date(at).toISOString() } : { start });
        }}
      >
        <p className="text-sm text-muted">You cannot review your own request.</p>
        <Field label="It starts">
          {(control) => (
            <select
              {...control}
              value={start}
              onChange={(event) => {
                // The options of the field are the values of `Start`.
                setStart(event.target.value as Start);
              }}
            >
              {Object.entries(STARTS).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {start === 'at' && (
          <TextField
            label="Time"
            hint="In your own time zone. Nobody starts it before."
            type="datetime-local"
            required
            value={at}
            onChange={setAt}
          />
        )}
        {ask.error !== null && <ErrorNote error={ask.error} />}
        <div>
          <Button type="submit" look="primary" busy={ask.isPending}>
            Ask for approval
          </Button>
        </div>
      </form>
    </Card>
  );
}
