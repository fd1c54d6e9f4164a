import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { Field } from '../components/field.js';
import { SkeletonRows } from '../components/skeleton.js';
import { useChange } from './use-change.js';

interface SignInSettings {
  readonly revision: number;
  readonly reauthenticate_after_minutes: number;
  readonly sign_in_required: boolean;
  readonly issuers: readonly (Readonly<Record<string, unknown>> & {
    readonly id: string;
    readonly display_name: string;
    readonly issuer_url: string;
  })[];
  readonly redirect_uri: string;
  readonly post_logout_redirect_uri: string;
  readonly api_audience: string;
}

/** What of the settings is put; the rest is told. */
const wantedOf = ({
  reauthenticate_after_minutes: minutes,
  sign_in_required: required,
  issuers,
}: SignInSettings): string =>
  JSON.stringify(
    {
      reauthenticate_after_minutes: minutes,
      sign_in_required: required,
      issuers: issuers.map(({ id: _id, ...issuer }) => issuer),
    },
    null,
    2,
  );

/** Where people sign in, and how old a sign-in may be. */
export default function SignInSection() {
  const settings = useQuery({ queryKey: ['issuers'], queryFn: () => api.get<SignInSettings>('/v1/issuers') });
  if (settings.error !== null) return <ErrorNote error={settings.error} retry={() => void settings.refetch()} />;
  if (settings.data === undefined) return <SkeletonRows rows={3} />;
  return <Settings key={settings.data.revision} settings={settings.data} />;
}

function Settings({ settings }: { readonly settings: SignInSettings }) {
  const [text, setText] = useState(() => wantedOf(settings));
  const put = useChange(
    () => api.put('/v1/issuers', JSON.parse(text) as unknown, { 'if-match': `"${String(settings.revision)}"` }),
    'issuers',
  );
  return (
    <>
      <Card title="To be registered at the issuer">
        <Facts
          facts={[
            [
              'Redirect address',
              <code key="redirect" className="font-mono text-xs break-all">
                {settings.redirect_uri}
              </code>,
            ],
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
      <Card title="Issuers">
        {settings.issuers.length === 0 ? (
          <p className="mb-4 text-sm text-muted">None yet: people come by enrolment and tokens alone.</p>
        ) : (
          <ul className="mb-4 flex flex-col gap-1 text-sm">
            {settings.issuers.map((issuer) => (
              <li key={issuer.id}>
                <span className="font-medium">{issuer.display_name}</span>{' '}
                <span className="text-muted">{issuer.issuer_url}</span>
              </li>
            ))}
          </ul>
        )}
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            put.mutate(undefined);
          }}
        >
          <Field label="Settings" hint="As JSON; PUT /v1/issuers in the API's description says what each member means.">
            {(control) => (
              <textarea
                {...control}
                rows={18}
                spellCheck={false}
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                }}
                className={`${control.className} font-mono text-xs`}
              />
            )}
          </Field>
          {put.error !== null && <ErrorNote error={put.error} />}
          {put.isSuccess && (
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
    </>
  );
}
