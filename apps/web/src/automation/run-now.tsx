import { useState } from 'react';
import type { ReadAutomationView } from '#lib/api-schemas';
import { ownMember } from '#lib/canonical';
import { api } from '../api/client.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { useChange } from '../settings/use-change.js';
import { defaultOf, InputField, valueOf, type Declaration, type InputValue } from './input-field.js';

/** Starts a run of an enabled automation that has an endpoint. */
export function RunNow({ automation }: { readonly automation: ReadAutomationView }) {
  const { state, reading } = automation;
  const [asked, setAsked] = useState(false);
  if (state !== 'enabled' || reading?.triggers.some(({ type }) => type === 'endpoint') !== true) return null;
  return (
    <>
      <Button
        look="primary"
        onClick={() => {
          setAsked(true);
        }}
      >
        Run now
      </Button>
      {asked && (
        <RunDialog
          automation={automation}
          inputs={reading.inputs}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </>
  );
}

interface RunDialogProps {
  readonly automation: ReadAutomationView;
  readonly inputs: Readonly<Record<string, Declaration>>;
  readonly onClose: () => void;
}

function RunDialog({ automation: { id, name, environment }, inputs, onClose }: RunDialogProps) {
  const declared = Object.entries(inputs);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(declared.map(([input, declaration]) => [input, defaultOf(declaration)])),
  );
  const run = useChange(
    () =>
      api.post('/v1/automations/{id}/trigger', {
        path: { id },
        body: {
          inputs: Object.fromEntries(
            declared
              .map(([input, declaration]) => [input, valueOf(declaration, ownMember(typed, input) ?? '')] as const)
              .filter((member): member is [string, InputValue] => member[1] !== undefined),
          ),
        },
      }),
    '/v1/automations/{id}',
  );
  return (
    <Dialog title={`Run ${name} now?`} onClose={onClose}>
      <form
        className="flex flex-col gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <p>
          It carries out its steps in <InertText text={environment.name} />, as far as policies allow each.
        </p>
        {declared.map(([input, declaration]) => (
          <InputField
            key={input}
            name={input}
            declared={declaration}
            typed={ownMember(typed, input) ?? ''}
            onChange={(value) => {
              setTyped({ ...typed, [input]: value });
            }}
          />
        ))}
        {run.error !== null && <ErrorNote error={run.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={run.isPending}>
            Run it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
