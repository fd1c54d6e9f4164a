import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ownMember } from '#lib/canonical';
import { isWaiting } from '#lib/client';
import type { SlackSettingsView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { useSignedIn } from '../api/browser-session.js';
import { useBegun } from '../api/use-begun.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { TextField } from '../components/text-field.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { slackProblemInWords } from './slack-problem.js';
import { RemoveWorkspace } from './remove-workspace.js';
import { SlackManifest } from './slack-manifest.js';
import { SlackTest } from './slack-test.js';
import { useChange } from './use-change.js';
import { WaitsNote } from './waits-note.js';

/** Slack: the app, the channels of the environments, and one's own account. */
export default function SlackSection() {
  const admin = useSignedIn().person.roles.includes('PlatformAdmin');
  return (
    <>
      <OwnAccount />
      {admin && <Workspace />}
    </>
  );
}

function OwnAccount() {
  const [search, setSearch] = useSearchParams();
  const code = search.get('link');
  const links = useQuery(queryOf('/v1/slack/links'));
  const end = useChange((id: string) => api.delete('/v1/tokens/{id}', { path: { id } }), '/v1/slack', '/v1/tokens');
  return (
    <Card title="Your Slack account">
      {code !== null && (
        <LinkOffer
          code={code}
          onDone={() => {
            setSearch({});
          }}
        />
      )}
      {links.error !== null && <ErrorNote error={links.error} retry={() => void links.refetch()} />}
      {end.error !== null && <ErrorNote error={end.error} />}
      {links.isPending && <Skeleton className="h-10" />}
      {links.data?.items.length === 0 && code === null && (
        <p className="text-sm text-muted">
          Not linked. Type <code className="font-mono">/countersign link</code> in Slack and open the address that it
          shows you.
        </p>
      )}
      {links.data !== undefined && links.data.items.length > 0 && (
        <ul className="flex flex-col gap-2 text-sm">
          {links.data.items.map((each) => (
            <li key={each.id} className="flex flex-wrap items-center gap-3">
              <Badge tone="good">linked</Badge>
              <code className="font-mono text-xs">
                {each.team_id} · {each.user_id}
              </code>
              <span className="text-muted">
                <TimeAgo at={each.linked_at} />
              </span>
              <Button
                size="sm"
                look="danger-outline"
                busy={end.isPending}
                onClick={() => {
                  end.mutate(each.credential_id);
                }}
              >
                End
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface LinkOfferProps {
  /** From the address that Slack showed. */
  readonly code: string;
  readonly onDone: () => void;
}

/** The Slack account that the code names, and the question whether it is the reader's. */
function LinkOffer({ code, onDone }: LinkOfferProps) {
  const user = useBegun(code, () => api.post('/v1/slack/link/preview', { body: { code } }));
  const link = useChange(() => api.post('/v1/slack/link', { body: { code } }), '/v1/slack');
  return (
    <div className="mb-4 flex flex-col gap-3 rounded-lg bg-sunken p-3 text-sm">
      {user.error !== null && <ErrorNote error={user.error} />}
      {user.data !== undefined && (
        <>
          <p>
            Should{' '}
            <strong>
              <InertText text={user.data.name} />
            </strong>{' '}
            of{' '}
            <strong>
              <InertText text={user.data.team_name} />
            </strong>{' '}
            (<code className="font-mono text-xs">{user.data.user_id}</code>) act as you? Say yes only if that is your
            own account.
          </p>
          <div className="flex gap-2">
            <Button
              look="primary"
              busy={link.isPending}
              onClick={() => {
                link.mutate(undefined, { onSuccess: onDone });
              }}
            >
              Yes, it is mine
            </Button>
            <Button onClick={onDone}>No</Button>
          </div>
        </>
      )}
      {link.error !== null && <ErrorNote error={link.error} />}
    </div>
  );
}

function Workspace() {
  const [search] = useSearchParams();
  const problem = search.get('problem');
  const settings = useQuery(queryOf('/v1/slack'));
  const install = useChange(async () => {
    const { redirect_to: next } = await api.get('/v1/slack/install');
    location.assign(next);
  });
  if (settings.isLoadingError) return <ErrorNote error={settings.error} retry={() => void settings.refetch()} />;
  if (settings.data === undefined) return <Skeleton className="h-64" />;
  const { app, installation } = settings.data;
  return (
    <>
      <Card title="1. The app">
        <AppForm clientId={app?.client_id ?? ''} installed={installation !== null} />
      </Card>
      <Card title="2. The workspace">
        {problem !== null && (
          <p role="alert" className="mb-3 rounded-lg bg-warn-soft p-3 text-sm">
            {slackProblemInWords(problem)}
          </p>
        )}
        {installation === null ? (
          <p className="mb-3 text-sm text-muted">
            Not installed. Slack asks for: {settings.data.bot_scopes.join(', ')}.
          </p>
        ) : (
          <p className="mb-3 text-sm">
            In{' '}
            <strong>
              <InertText text={installation.team_name} />
            </strong>
            , since <TimeAgo at={installation.installed_at} />.
          </p>
        )}
        <div className="flex gap-2">
          <Button
            look="primary"
            disabled={app === null}
            busy={install.isPending}
            onClick={() => {
              install.mutate(undefined);
            }}
          >
            {installation === null ? 'Install in Slack' : 'Install again'}
          </Button>
          {installation !== null && <RemoveWorkspace teamName={installation.team_name} settings={settings.data} />}
        </div>
        {installation !== null && <SlackTest />}
        {install.error !== null && <ErrorNote error={install.error} />}
      </Card>
      <Card title="3. Routing">
        <RoutesForm key={JSON.stringify([settings.data.channels, settings.data.on_duty])} settings={settings.data} />
      </Card>
    </>
  );
}

interface AppFormProps {
  /** Of the app that is entered now; empty: none is. */
  readonly clientId: string;
  readonly installed: boolean;
}

function AppForm({ clientId, installed }: AppFormProps) {
  const [id, setId] = useState(clientId);
  const [secret, setSecret] = useState('');
  const [signing, setSigning] = useState('');
  const put = useChange(
    () =>
      api.put('/v1/slack/app', {
        body: {
          client_id: id.trim(),
          client_secret: secret.trim(),
          signing_secret: signing.trim(),
        },
      }),
    '/v1/slack',
    '/v1/change-requests',
  );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined, {
          onSuccess: () => {
            setSecret('');
            setSigning('');
          },
        });
      }}
    >
      <SlackManifest />
      <TextField
        label="Client id"
        {...(installed && {
          hint: 'If you enter another app, commands and buttons in Slack stop until you install it.',
        })}
        required
        value={id}
        onChange={setId}
      />
      <TextField
        label="Client secret"
        hint="Kept encrypted, never shown again."
        type="password"
        autoComplete="off"
        required
        value={secret}
        onChange={setSecret}
      />
      <TextField
        label="Signing secret"
        hint="If you change this, everybody has to link Slack again."
        type="password"
        autoComplete="off"
        required
        value={signing}
        onChange={setSigning}
      />
      {put.error !== null && <ErrorNote error={put.error} />}
      <WaitsNote answer={put.data} />
      <div>
        <Button type="submit" look="primary" busy={put.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

function RoutesForm({ settings }: { readonly settings: SlackSettingsView }) {
  const environments = [...useEnvironments().keys()];
  const [channels, setChannels] = useState<Readonly<Record<string, string>>>(settings.channels);
  const [onDuty, setOnDuty] = useState<readonly string[]>(settings.on_duty);
  const { people } = useDirectory();
  const put = useChange(
    () =>
      api.put('/v1/slack/routes', {
        body: {
          channels: Object.fromEntries(Object.entries(channels).filter(([, channel]) => channel !== '')),
          on_duty: onDuty,
        },
      }),
    '/v1/slack',
  );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined);
      }}
    >
      {['', ...environments].map((environment) => (
        <Field key={environment} label={environment === '' ? 'Default channel' : `Channel of ${environment}`}>
          {(control) => (
            <input
              {...control}
              placeholder="C0123456789"
              pattern="[CG][A-Z0-9]{1,31}"
              value={ownMember(channels, environment) ?? ''}
              onChange={(event) => {
                setChannels({ ...channels, [environment]: event.target.value });
              }}
            />
          )}
        </Field>
      ))}
      <fieldset>
        <legend className="text-sm font-medium">On duty</legend>
        <p className="mb-2 text-sm text-muted">
          They are told directly instead of the channel, if they have linked their Slack account.
        </p>
        <div className="flex max-h-60 flex-wrap gap-x-6 gap-y-2 overflow-y-auto">
          {[...people].map(([id, name]) => (
            <label key={id} className="inline-flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={onDuty.includes(id)}
                onChange={(event) => {
                  setOnDuty(event.target.checked ? [...onDuty, id] : onDuty.filter((each) => each !== id));
                }}
              />
              <InertText text={name} />
            </label>
          ))}
        </div>
      </fieldset>
      {put.error !== null && <ErrorNote error={put.error} />}
      {put.isSuccess && !isWaiting(put.data) && (
        <p role="status" className="text-sm text-good">
          Saved.
        </p>
      )}
      <WaitsNote answer={put.data} />
      <div>
        <Button type="submit" look="primary" busy={put.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
