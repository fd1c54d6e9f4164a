import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '../api/query.js';
import { ErrorNote } from '../components/error-note.js';
import { JsonValue } from '../components/json-value.js';
import { Skeleton } from '../components/skeleton.js';
import { CallOutput } from '../session/call-output.js';

/** The answer of the tool that a step called; read once somebody asks for it. */
export function StepCall({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <button
        type="button"
        aria-expanded={open}
        className="font-medium text-accent underline"
        onClick={() => {
          setOpen(!open);
        }}
      >
        {open ? 'Hide the answer' : 'Answer of the tool'}
      </button>
      {open && <Answer id={id} />}
    </div>
  );
}

function Answer({ id }: { readonly id: string }) {
  const call = useQuery(queryOf('/v1/tool-calls/{id}', { path: { id } }));
  if (call.error !== null) return <ErrorNote error={call.error} retry={() => void call.refetch()} />;
  if (call.data === undefined) return <Skeleton className="h-12 w-full" />;
  const { execution } = call.data;
  if (execution === null) return <p className="text-muted">The call has not left.</p>;
  return (
    <div className="flex w-full flex-col gap-2">
      <CallOutput id={id} near />
      {execution.finished_at === null ? (
        <p className="text-muted">No answer yet.</p>
      ) : (
        <JsonValue value={execution.result} />
      )}
    </div>
  );
}
