import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExecutorView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TextField } from '../components/text-field.js';
import { keepSecret } from './keep-secret.js';
import { KindSettings } from './kind-settings.js';
import { useChange } from './use-change.js';
import { WaitsNote, type Changed } from './waits-note.js';

/** The executors of an environment's tools; a changed address waits for a second person. */
export function ExecutorsCard({ environment, admin }: { readonly environment: string; readonly admin: boolean }) {
  const [editing, setEditing] = useState<ExecutorView | 'new' | null>(null);
  const [put, setPut] = useState<Changed>();
  const list = useQuery(queryOf('/v1/environments/{environment}/executors', { path: { environment } }));
  return (
    <Card
      title={`Executors of ${environment}`}
      actions={
        admin && (
          <Button size="sm" aria-label={`Add an executor to ${environment}`} onClick={() => setEditing('new')}>
            Add
          </Button>
        )
      }
    >
      {list.isPending && <SkeletonRows rows={1} className="h-10" />}
      {list.error !== null && <ErrorNote error={list.error} retry={() => void list.refetch()} />}
      {list.data?.executors.length === 0 && (
        <p className="text-sm text-muted">None: calls of tools that name an executor are refused here.</p>
      )}
      <ul className="flex flex-col gap-3 text-sm">
        {list.data?.executors.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-3">
            <span className="min-w-0 flex-1 basis-56">
              <span className="font-medium">{each.name}</span>{' '}
              <span className="break-all text-muted">
                <InertText text={each.destination} />
              </span>
            </span>
            {admin && (
              <Button
                size="sm"
                aria-label={`Change ${each.name} of ${environment}`}
                onClick={() => {
                  setPut(undefined);
                  setEditing(each);
                }}
              >
                Change
              </Button>
            )}
          </li>
        ))}
      </ul>
      <WaitsNote answer={put} />
      {editing !== null && (
        <ExecutorForm
          key={editing === 'new' ? 'new' : editing.id}
          environment={environment}
          executor={editing === 'new' ? null : editing}
          onDone={(answer) => {
            setPut(answer);
            setEditing(null);
          }}
        />
      )}
    </Card>
  );
}

const NO_SETTINGS = { properties: {}, required: new Array<string>() };

interface ExecutorFormProps {
  readonly environment: string;
  readonly executor: ExecutorView | null;
  readonly onDone: (answer?: Changed) => void;
}

function ExecutorForm({ environment, executor, onDone }: ExecutorFormProps) {
  const [name, setName] = useState(executor?.name ?? '');
  const [chosen, setChosen] = useState(executor?.kind);
  const [url, setUrl] = useState(executor?.url ?? '');
  const [audience, setAudience] = useState(executor?.audience ?? '');
  const [typed, setTyped] = useState('');
  const [settings, setSettings] = useState(executor?.settings ?? {});
  const kept = executor?.secret ?? null;
  const kinds = useQuery(queryOf('/v1/executor-kinds')).data?.items ?? [];
  const kind = chosen ?? kinds[0]?.kind ?? '';
  const { properties, required } = kinds.find((each) => each.kind === kind)?.settings ?? NO_SETTINGS;
  const has = (setting: string): boolean => Object.hasOwn(properties, setting);
  const put = useChange(
    async () => {
      const token = { purpose: 'executor_token' as const, executors: [`${environment}/${name}`] };
      const secret = has('secret') ? await keepSecret(`executor-${environment}-${name}`, token, typed, kept) : null;
      const named = {
        ...(audience.trim() === '' ? {} : { audience: audience.trim() }),
        ...(executor?.shared_audience === true ? { shared_audience: true } : {}),
      };
      const document = {
        kind,
        ...(has('url') && url.trim() !== '' ? { url: url.trim() } : {}),
        ...(has('secret') ? { secret } : {}),
        ...Object.fromEntries(Object.entries(settings).filter(([setting]) => has(setting))),
        ...named,
      };
      return api.put('/v1/environments/{environment}/executors/{name}', {
        path: { environment, name },
        body: document,
      });
    },
    '/v1/environments',
    '/v1/change-requests',
  );
  return (
    <form
      className="mt-4 grid gap-4 border-t border-line pt-4 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined, { onSuccess: onDone });
      }}
    >
      <TextField
        label="Executor"
        hint="As the tools of the registry name it."
        required
        readOnly={executor !== null}
        pattern="[a-z0-9]([a-z0-9_\-]*[a-z0-9])?"
        value={name}
        onChange={setName}
      />
      <Field label="Kind">
        {(control) => (
          <select {...control} value={kind} onChange={(event) => setChosen(event.target.value)}>
            {kinds.map((each) => (
              <option key={each.kind} value={each.kind}>
                {each.title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {has('url') && (
        <TextField
          label="Address"
          hint="A change of it waits for a second person, and voids what was approved on the old one."
          type="url"
          required={required.includes('url')}
          placeholder="https://fleet.example.com/tools"
          value={url}
          onChange={setUrl}
        />
      )}
      {has('secret') && (
        <TextField
          label="Bearer token"
          hint={
            kept === null
              ? 'If it wants one. Kept encrypted, never shown again, and sent to this executor alone.'
              : `Kept as ${kept}. Left empty, it stays.`
          }
          type="password"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      )}
      <KindSettings properties={properties} required={required} settings={settings} onChange={setSettings} />
      <TextField
        label="Audience of grants"
        hint={`Left empty, ${name === '' ? 'its name' : name}.${environment}. Two environments do not share one.`}
        value={audience}
        onChange={setAudience}
      />
      {put.error !== null && (
        <div className="sm:col-span-2">
          <ErrorNote error={put.error} />
        </div>
      )}
      <div className="flex gap-2 sm:col-span-2">
        <Button type="submit" look="primary" busy={put.isPending}>
          Put in force
        </Button>
        <Button onClick={() => onDone()}>Cancel</Button>
      </div>
    </form>
  );
}
