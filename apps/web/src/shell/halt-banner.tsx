import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import type { HaltView } from '#lib/contracts';
import { api } from '../api/client.js';
import { useBarredFromLifting } from '../api/roles.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { TimeAgo } from '../components/times.js';

const scopeOf = ({ kind, environment, tool }: HaltView): string => {
  if (kind === 'tenant') return 'Everything';
  if (kind === 'environment') return `Environment ${environment?.name ?? ''}`;
  return kind === 'tool' ? `Tool ${tool ?? ''}` : 'An agent';
};

/** Says on every page what is halted, by whom and why. */
export function HaltBanner() {
  const [lifting, setLifting] = useState<HaltView | null>(null);
  const barred = useBarredFromLifting();
  const { data } = useQuery({
    queryKey: ['halts', 'active'],
    queryFn: () => api.get<{ items: HaltView[] }>('/v1/halts', { active: true }),
  });
  return (
    <>
      {data?.items.map((halt) => (
        <div
          key={halt.id}
          role="status"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-danger px-4 py-2 text-sm text-danger-ink md:px-8"
        >
          <OctagonX aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 flex-1">
            <strong>{scopeOf(halt)} is halted</strong> by <InertText text={halt.created_by.display_name} />,{' '}
            <TimeAgo at={halt.created_at} />: <InertText text={halt.reason} />
          </span>
          <button
            type="button"
            className="rounded-md border border-current px-2 py-0.5 font-medium disabled:cursor-not-allowed disabled:opacity-60 focus-visible:outline-current"
            disabled={barred !== null}
            aria-describedby={barred === null ? undefined : `barred-${halt.id}`}
            onClick={() => {
              setLifting(halt);
            }}
          >
            Lift…
          </button>
          {barred !== null && (
            <span id={`barred-${halt.id}`} className="text-xs">
              {barred}
            </span>
          )}
        </div>
      ))}
      {lifting !== null && (
        <LiftDialog
          halt={lifting}
          onClose={() => {
            setLifting(null);
          }}
        />
      )}
    </>
  );
}

function LiftDialog({ halt, onClose }: { readonly halt: HaltView; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const lift = useMutation({
    mutationFn: () => api.post(`/v1/halts/${halt.id}/lift`, { note: note.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['halts'] });
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
        <Field label="Why it is safe to go on">
          {(control) => (
            <input
              {...control}
              required
              autoFocus
              value={note}
              onChange={(event) => {
                setNote(event.target.value);
              }}
            />
          )}
        </Field>
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
