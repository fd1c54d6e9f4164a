import { useQuery, type UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isWaiting, type AnswerTo } from '#lib/client';
import { minutesInWords } from '#lib/words';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TextField } from '../components/text-field.js';
import { draftOf, IssuerFields, issuerOf, type Issuer, type IssuerDraft } from './issuer-fields.js';
import { IssuerStandings } from './issuer-standings.js';
import { keepSecret } from './keep-secret.js';
import { useChange } from './use-change.js';
import { WaitsNote } from './waits-note.js';

type SignInSettings = AnswerTo<'get', '/v1/issuers'>;
type Put = AnswerTo<'put', '/v1/issuers'>;

interface Wanted {
  readonly minutes: number;
  readonly browserSession: number;
  readonly idle: number;
  readonly required: boolean;
  readonly dormant: number;
  readonly issuers: readonly IssuerDraft[];
  readonly revision: number;
  /** Called with the reference of each secret, once it is kept. */
  readonly onKept: (key: string, reference: string | null) => void;
}

/** Keeps the secrets that were typed, then puts the settings, from the revision that they were made from. */
async function putSettings({
  minutes,
  browserSession,
  idle,
  required,
  dormant,
  issuers,
  revision,
  onKept,
}: Wanted): Promise<Put> {
  const described: Issuer[] = [];
  for (const draft of issuers) {
    const secret = await keepSecret(
      `issuer-${draft.name}`,
      { purpose: 'sign_in' },
      draft.typed_secret,
      draft.client_secret,
    );
    onKept(draft.key, secret);
    described.push(issuerOf(draft, secret));
  }
  return api.put('/v1/issuers', {
    ...(revision === 0 ? {} : { ifMatch: `"${String(revision)}"` }),
    body: {
      reauthenticate_after_minutes: minutes,
      browser_session_minutes: browserSession,
      browser_session_idle_minutes: idle,
      sign_in_required: required,
      dormant_after_days: dormant,
      issuers: described,
    },
  });
}

/** The issuers at which people sign in, and the greatest age of a sign-in. */
export default function SignInSection() {
  const settings = useQuery(queryOf('/v1/issuers'));
  const put = useChange(putSettings, '/v1/issuers', '/v1/change-requests');
  if (settings.isLoadingError) return <ErrorNote error={settings.error} retry={() => void settings.refetch()} />;
  if (settings.data === undefined) return <SkeletonRows rows={3} />;
  return (
    <>
      <Registered settings={settings.data} />
      <IssuerStandings issuers={settings.data.issuers} revision={settings.data.revision} />
      <Settings key={settings.data.revision} settings={settings.data} put={put} />
    </>
  );
}

/** Each issuer has a redirect address of its own. */
const redirectsOf = ({ issuers, redirect_uri: address }: SignInSettings): readonly (readonly [string, string])[] => [
  ...issuers.map(({ name }) => [`Redirect address of ${name}`, address.replace('{name}', name)] as const),
  ['… of a new issuer, {name} being its short name', address],
];

function Registered({ settings }: { readonly settings: SignInSettings }) {
  return (
    <Card title="To be registered at the issuer">
      <Facts
        facts={[
          ...redirectsOf(settings).map(([label, address]): [string, ReactNode] => [
            label,
            <code key={address} className="font-mono text-xs break-all">
              {address}
            </code>,
          ]),
          [
            'After signing out',
            <code key="out" className="font-mono text-xs break-all">
              {settings.post_logout_redirect_uri}
            </code>,
          ],
          [
            'Audience of access tokens',
            <code key="audience" className="font-mono text-xs break-all">
              {settings.api_audience}
            </code>,
          ],
        ]}
      />
    </Card>
  );
}

interface SettingsProps {
  readonly settings: SignInSettings;
  readonly put: UseMutationResult<Put, Error, Wanted>;
}

function Settings({ settings, put }: SettingsProps) {
  const [minutes, setMinutes] = useState(String(settings.reauthenticate_after_minutes));
  const [browserSession, setBrowserSession] = useState(String(settings.browser_session_minutes));
  const [idle, setIdle] = useState(String(settings.browser_session_idle_minutes));
  const [dormant, setDormant] = useState(String(settings.dormant_after_days));
  const [required, setRequired] = useState(settings.sign_in_required);
  const [issuers, setIssuers] = useState<readonly IssuerDraft[]>(() =>
    settings.issuers.map((issuer) => draftOf(issuer)),
  );
  // Gone from the page once it is kept, whether the change that names it waits or is refused.
  const onKept = (key: string, reference: string | null): void => {
    setIssuers((all) =>
      all.map((each) => (each.key === key ? { ...each, client_secret: reference, typed_secret: '' } : each)),
    );
  };
  const waits = put.data !== undefined && isWaiting(put.data);
  return (
    <Card title="Issuers">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          put.mutate({
            minutes: Number(minutes),
            browserSession: Number(browserSession),
            idle: Number(idle),
            required,
            dormant: Number(dormant),
            issuers,
            revision: settings.revision,
            onKept,
          });
        }}
      >
        {issuers.length === 0 && (
          <p className="text-sm text-muted">None yet: people come in by invitation, with a passkey.</p>
        )}
        {issuers.map((draft) => (
          <IssuerFields
            key={draft.key}
            draft={draft}
            onChange={(changed) =>
              setIssuers((all) => all.map((each) => (each.key === draft.key ? { ...each, ...changed } : each)))
            }
            onRemove={() => setIssuers((all) => all.filter(({ key }) => key !== draft.key))}
          />
        ))}
        <div>
          <Button onClick={() => setIssuers((all) => [...all, draftOf()])}>Add an issuer</Button>
        </div>
        <TextField
          label="Sign in again after (minutes)"
          hint={`${minutesInWords(Number(minutes))}. After this long, a review or an administrative action asks for a fresh sign-in. People who left are locked out by then.`}
          type="number"
          min={5}
          max={43_200}
          required
          value={minutes}
          onChange={setMinutes}
        />
        <TextField
          label="A browser session ends after (minutes)"
          hint={`${minutesInWords(Number(browserSession))}, even if it is in use. Applies to new browser sessions only.`}
          type="number"
          min={15}
          max={720}
          required
          value={browserSession}
          onChange={setBrowserSession}
        />
        <TextField
          label="Sign out after being idle for (minutes)"
          hint={`${minutesInWords(Number(idle))}. In force at once, for open browser sessions too.`}
          type="number"
          min={5}
          max={60}
          required
          value={idle}
          onChange={setIdle}
        />
        <TextField
          label="Accounts without an identity provider stop reviewing after (days)"
          hint="If their person did not come in for so long. An administrator invites them again."
          type="number"
          min={7}
          max={365}
          required
          value={dormant}
          onChange={setDormant}
        />
        <label className="inline-flex items-center gap-2 text-sm">
          <input type="checkbox" checked={required} onChange={(event) => setRequired(event.target.checked)} />
          The identity provider is the only way in: passkeys and invitations open nothing
        </label>
        {required && !settings.sign_in_required && (
          <p className="text-sm text-muted">
            Browser sessions that the identity provider did not open end at once. Tokens of people whom it does not know
            stop working. Agents’ tokens stay. You must have just signed in at the identity provider yourself.
          </p>
        )}
        {put.error !== null && <ErrorNote error={put.error} />}
        <WaitsNote answer={put.data} />
        {put.isSuccess && !waits && (
          <p role="status" className="text-sm text-good">
            In force.
          </p>
        )}
        <div>
          <Button type="submit" look="primary" busy={put.isPending}>
            Put in force
          </Button>
        </div>
      </form>
    </Card>
  );
}
