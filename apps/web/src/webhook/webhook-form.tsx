import { useState } from 'react';
import type { WebhookSettingsBody, WebhookView } from '#lib/api-schemas';
import type { MayWait } from '#lib/client';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { AuthorityField } from './authority-field.js';
import { EVENTS } from './webhook-events.js';

interface WebhookFormProps {
  /** The settings to begin with. */
  readonly settings: WebhookSettingsBody;
  readonly label: string;
  readonly put: (settings: WebhookSettingsBody) => Promise<MayWait<WebhookView>>;
  /** Called once the settings are in force. */
  readonly onDone?: (webhook: MayWait<WebhookView>) => void;
}

/** The settings of a webhook: its address, its events, and the authority that vouches for its receiver. */
export function WebhookForm({ settings, label, put, onDone }: WebhookFormProps) {
  const [url, setUrl] = useState(settings.url);
  const [description, setDescription] = useState(settings.description);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set(settings.events));
  const [ca, setCa] = useState(settings.ca);
  const events = EVENTS.map(([name]) => name).filter((name) => wanted.has(name));
  const change = useChange(
    () => put({ ...settings, url: url.trim(), description: description.trim(), events, ca }),
    '/v1/webhooks',
    '/v1/change-requests',
  );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(undefined, { onSuccess: (answer) => onDone?.(answer) });
      }}
    >
      <TextField
        label="Address"
        hint="It begins with https, and holds no credentials, query or fragment."
        type="url"
        required
        maxLength={2_000}
        placeholder="https://hooks.example.com/countersign"
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="Purpose"
        hint="For people; optional."
        maxLength={500}
        value={description}
        onChange={setDescription}
      />
      <fieldset>
        <legend className="mb-2 text-sm font-medium">Events that are sent</legend>
        <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {EVENTS.map(([name, meaning]) => (
            <label key={name} className="flex items-baseline gap-2 text-sm">
              <input
                type="checkbox"
                checked={wanted.has(name)}
                onChange={(event) => {
                  const next = new Set(wanted);
                  if (event.target.checked) next.add(name);
                  else next.delete(name);
                  setWanted(next);
                }}
              />
              <span>
                <code className="font-mono text-[0.8125rem]">{name}</code>{' '}
                <span className="block text-muted">{meaning}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <AuthorityField value={ca} onChange={setCa} />
      {change.error !== null && <ErrorNote error={change.error} />}
      <WaitsNote answer={change.data} />
      <div>
        <Button type="submit" look="primary" busy={change.isPending} disabled={events.length === 0}>
          {label}
        </Button>
      </div>
    </form>
  );
}
