import { Ban, SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import type { SessionView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { TextField } from '../components/text-field.js';
import { useChange } from '../settings/use-change.js';
import { LEVELS, MODES, PRESETS } from './settings-words.js';

interface ControlProps {
  readonly session: SessionView;
}

interface DialogProps extends ControlProps {
  readonly onClose: () => void;
}

/** The controls of an open session. */
export function SessionControls({ session }: ControlProps) {
  const [open, setOpen] = useState<'settings' | 'end' | null>(null);
  const close = (): void => {
    setOpen(null);
  };
  return (
    <>
      <Button
        onClick={() => {
          setOpen('settings');
        }}
      >
        <SlidersHorizontal aria-hidden className="size-4" /> Which calls ask…
      </Button>
      <Button
        look="danger-outline"
        onClick={() => {
          setOpen('end');
        }}
      >
        <Ban aria-hidden className="size-4" /> End…
      </Button>
      {open === 'settings' && <SettingsDialog session={session} onClose={close} />}
      {open === 'end' && <EndDialog session={session} onClose={close} />}
    </>
  );
}

function SettingsDialog({ session, onClose }: DialogProps) {
  const [preset, setPreset] = useState<string>(session.preset ?? '');
  const [level, setLevel] = useState<string>(session.level);
  const [mode, setMode] = useState<string>(session.mode);
  const [budget, setBudget] = useState(String(session.call_budget));
  const change = useChange(
    () =>
      api.patch('/v1/sessions/{id}', {
        path: { id: session.id },
        body: {
          preset: PRESETS.flatMap(([name]) => (name === preset && name !== '' ? [name] : []))[0] ?? null,
          level: LEVELS.find(([name]) => name === level)?.[0],
          mode: MODES.find(([name]) => name === mode)?.[0],
          call_budget: Number(budget),
        },
      }),
    '/v1/sessions',
  );
  return (
    <Dialog
      title="Which calls ask a person?"
      description="Holds from the next call on. What policy denies stays denied."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <Choice label="Rules" value={preset} values={PRESETS} onChange={setPreset} />
        {(preset === '' || preset === 'levels') && (
          <Choice label="Level" value={level} values={LEVELS} onChange={setLevel} />
        )}
        {preset === 'modes' && <Choice label="Mode" value={mode} values={MODES} onChange={setMode} />}
        <TextField
          label="Most calls of the session"
          hint={`It has made ${String(session.calls_made)}. Further calls are refused beyond it.`}
          type="number"
          min={1}
          max={10_000}
          required
          value={budget}
          onChange={setBudget}
        />
        {change.error !== null && <ErrorNote error={change.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            Change
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly values: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

const Choice = ({ label, value, values, onChange }: ChoiceProps) => (
  <Field label={label}>
    {(control) => (
      <select
        {...control}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {values.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
);

function EndDialog({ session, onClose }: DialogProps) {
  const why = useId();
  const [reason, setReason] = useState<'closed' | 'cancelled'>('closed');
  const end = useChange(
    () => api.post('/v1/sessions/{id}/end', { path: { id: session.id }, body: { reason } }),
    '/v1/sessions',
  );
  return (
    <Dialog
      title="End the session?"
      description="Its agents call no further tool in it. Calls that wait are denied."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          end.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <fieldset className="flex flex-col gap-2 text-sm">
          <legend className="mb-1 font-medium">Why</legend>
          {(
            [
              ['closed', 'The work is done'],
              ['cancelled', 'Something is wrong'],
            ] as const
          ).map(([value, words]) => (
            <label key={value} className="flex items-center gap-2">
              <input
                type="radio"
                name={why}
                checked={reason === value}
                onChange={() => {
                  setReason(value);
                }}
              />
              {words}
            </label>
          ))}
        </fieldset>
        {end.error !== null && <ErrorNote error={end.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep it open</Button>
          <Button type="submit" look="danger" busy={end.isPending}>
            End the session
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
