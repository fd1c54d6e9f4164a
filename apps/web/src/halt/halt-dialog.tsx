import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import type { CreateHaltBody, HaltView } from '#lib/api-schemas';
import { visibleText } from '#lib/words';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { readAgain } from '../api/read-again.js';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { useToolNames } from '../api/tools.js';
import { Button } from '../components/button.js';
import { countOf } from '../components/count-of.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { TextField } from '../components/text-field.js';
import { InFlightTool, inFlightKey } from './in-flight-call.js';

const SCOPES = [
  ['tenant', 'Everything'],
  ['environment', 'An environment'],
  ['agent', 'An agent'],
  ['tool', 'A tool'],
] as const;
type Kind = (typeof SCOPES)[number][0];

interface Chosen {
  readonly kind: Kind;
  readonly what: string;
  readonly reason: string;
}

function bodyOf({ kind, what, reason }: Chosen): CreateHaltBody {
  switch (kind) {
    case 'tenant':
      return { kind, reason };
    case 'environment':
      return { kind, environment: what, reason };
    case 'agent':
      return { kind, agent_id: what, reason };
    case 'tool':
      return { kind, tool: what, reason };
  }
}

/** The values that can be halted of a kind, each with its name. */
function useChoices(kind: Kind): readonly (readonly [string, string])[] {
  const { agents } = useDirectory();
  const environments = useEnvironments();
  const tools = useToolNames();
  switch (kind) {
    case 'tenant':
      return [];
    case 'agent':
      return [...agents];
    case 'environment':
      return [...environments.keys()].map((name) => [name, name]);
    case 'tool':
      return tools.map((name) => [name, name]);
  }
}

const MAX_COUNTED = 100;

/** Says how many runs a halt would pause now. */
function WouldPause({ kind, what }: Pick<Chosen, 'kind' | 'what'>) {
  const of = { tenant: {}, environment: { environment: what }, agent: { agent_id: what }, tool: { tool: what } }[kind];
  const { data } = useQuery({
    ...queryOf('/v1/runs', { query: { ...of, state: 'executing', limit: MAX_COUNTED } }),
    enabled: kind === 'tenant' || what !== '',
  });
  const count = data?.items.length;
  return (
    <p role="status" className="min-h-5 text-sm text-muted">
      {count === 0 && 'Nothing runs now that this would pause.'}
      {count !== undefined &&
        count > 0 &&
        `${count === MAX_COUNTED ? 'At least ' : ''}${countOf(count, 'run')} would pause now.`}
    </p>
  );
}

/** Halts at once: scope, reason, and one click. */
export function HaltDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>('tenant');
  const [what, setWhat] = useState('');
  const [reason, setReason] = useState('');
  const choices = useChoices(kind);
  const halting = useMutation({
    mutationFn: () =>
      api.post('/v1/halts', {
        body: bodyOf({ kind, what, reason: reason.trim() === '' ? 'Halted from the web' : reason.trim() }),
      }),
    onSuccess: () => {
      void readAgain(queries, '/v1/halts', '/v1/runs');
    },
  });
  if (halting.data !== undefined) return <Halted halt={halting.data} onClose={onClose} />;
  return (
    <Dialog
      title="Halt"
      description="Holds at once: grants are revoked, nothing more is dispatched, and runs pause at their next step."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          // Only its button halts: one key too many must halt nothing.
          event.preventDefault();
        }}
      >
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">What</legend>
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
            {SCOPES.map(([value, name]) => (
              <label
                key={value}
                className="flex cursor-pointer items-center justify-center rounded-lg border border-line-strong px-2 py-2 text-center text-sm has-checked:border-danger has-checked:bg-bad-soft has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name="halt-kind"
                  value={value}
                  checked={kind === value}
                  onChange={() => {
                    setKind(value);
                    setWhat('');
                  }}
                  className="sr-only"
                />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        {kind !== 'tenant' && (
          <Field label={`Which ${kind}`}>
            {(control) => (
              <select
                {...control}
                required
                value={what}
                onChange={(event) => {
                  setWhat(event.target.value);
                }}
              >
                <option value="">Choose…</option>
                {choices.map(([value, name]) => (
                  <option key={value} value={value}>
                    {visibleText(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <TextField
          label="Why"
          hint="Written to the audit log. You may leave it out."
          autoFocus
          value={reason}
          maxLength={2_000}
          onChange={setReason}
        />
        <WouldPause kind={kind} what={what} />
        {halting.error !== null && <ErrorNote error={halting.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            busy={halting.isPending}
            disabled={kind !== 'tenant' && what === ''}
            onClick={() => {
              halting.mutate();
            }}
          >
            <OctagonX aria-hidden className="size-4" />
            Halt{' '}
            {kind === 'tenant'
              ? 'everything'
              : visibleText(choices.find(([value]) => value === what)?.[1] ?? `this ${kind}`)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Halted({ halt, onClose }: { readonly halt: HaltView; readonly onClose: () => void }) {
  const { paused_runs: paused, revoked_grants: revoked, in_flight: inFlight } = halt.effect;
  return (
    <Dialog
      title="Halted"
      description={`Nothing more is dispatched. Asked to pause: ${countOf(paused.length, 'run')}. Revoked: ${countOf(revoked, 'unused grant')}.`}
      onClose={onClose}
    >
      {inFlight.length === 0 ? (
        <p className="text-sm text-muted">Nothing had already left.</p>
      ) : (
        <>
          <p className="text-sm font-medium">Already left before the halt:</p>
          <ul className="mt-2 flex flex-col gap-1 text-sm">
            {inFlight.map((call) => (
              <li key={inFlightKey(call)}>
                <InFlightTool call={call} /> on {call.targets.join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-5 flex justify-end">
        <Button look="primary" onClick={onClose} autoFocus>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
