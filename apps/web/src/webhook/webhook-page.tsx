import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { WebhookDetailView } from '#lib/api-schemas';
import { isWaiting } from '#lib/client';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { AskFirst } from '../components/ask-first.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { DeliveryLog } from './delivery-log.js';
import { SecretCard } from './secret-card.js';
import { WebhookForm } from './webhook-form.js';
import { WebhookState } from './webhook-state.js';

/** One webhook: its secret, its settings, and the log of its deliveries. */
export function Component() {
  const { id = '' } = useParams();
  const found = useQuery(queryOf('/v1/webhooks/{id}', { path: { id } }));
  if (found.data !== undefined) return <Shown key={id} webhook={found.data} />;
  if (found.error !== null)
    return (
      <PageError
        title="Webhook"
        error={found.error}
        retry={() => void found.refetch()}
        list={{ path: '/settings/webhooks', name: 'Webhooks' }}
      />
    );
  return (
    <Page title="Webhook">
      <SkeletonRows />
    </Page>
  );
}

const settingsOf = ({ url, description, events, ca, enabled }: WebhookDetailView) => ({
  ...{ url, description, events, ca, enabled },
});

function Shown({ webhook }: { readonly webhook: WebhookDetailView }) {
  const { people } = useDirectory();
  const { id, url, enabled, secrets } = webhook;
  const path = { id };
  const [editing, setEditing] = useState(false);
  const test = useChange(() => api.post('/v1/webhooks/{id}/test', { path }), '/v1/webhooks/{id}');
  const turn = useChange(
    () =>
      api.put('/v1/webhooks/{id}', {
        path,
        body: { ...settingsOf(webhook), enabled: !enabled },
        ifMatch: webhook.etag,
      }),
    '/v1/webhooks',
    '/v1/change-requests',
  );
  return (
    <Page
      eyebrow={<Link to="/settings/webhooks">Webhooks</Link>}
      title={url}
      meta={
        <>
          <WebhookState webhook={webhook} />
          <span>
            added by <InertText text={people.get(webhook.created_by) ?? 'a person'} />,{' '}
            <TimeAgo at={webhook.created_at} />
          </span>
        </>
      }
      actions={
        <>
          {enabled && secrets.length > 0 && (
            <Button
              look="primary"
              busy={test.isPending}
              onClick={() => {
                test.mutate(undefined);
              }}
            >
              Send a test
            </Button>
          )}
          <Button
            look={enabled ? 'danger-outline' : 'secondary'}
            busy={turn.isPending}
            onClick={() => {
              turn.mutate(undefined);
            }}
          >
            {enabled ? 'Switch off' : 'Switch on'}
          </Button>
          <RemoveWebhook webhook={webhook} />
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {(test.error ?? turn.error) !== null && <ErrorNote error={test.error ?? turn.error} />}
        <WaitsNote answer={turn.data} />
        <SecretCard webhook={webhook} />
        <DeliveryLog id={id} />
        <Card
          title="Settings"
          actions={
            <Button
              size="sm"
              aria-expanded={editing}
              onClick={() => {
                setEditing(!editing);
              }}
            >
              {editing ? 'Cancel' : 'Change'}
            </Button>
          }
        >
          {editing ? (
            <ChangeForm
              webhook={webhook}
              onDone={() => {
                setEditing(false);
              }}
            />
          ) : (
            <Settings webhook={webhook} />
          )}
        </Card>
      </div>
    </Page>
  );
}

/** The settings as they were when the form was opened: a change made meanwhile is never replaced. */
function ChangeForm({ webhook, onDone }: { readonly webhook: WebhookDetailView; readonly onDone: () => void }) {
  const [base] = useState(webhook);
  const path = { id: base.id };
  return (
    <>
      {webhook.etag !== base.etag && (
        <p role="alert" className="mb-4 rounded-lg bg-warn-soft p-3 text-sm">
          Somebody changed this webhook after you opened the form. Cancel, and change it anew.
        </p>
      )}
      <WebhookForm
        settings={settingsOf(base)}
        label="Put in force"
        put={(body) => api.put('/v1/webhooks/{id}', { path, body, ifMatch: base.etag })}
        onDone={(answer) => {
          if (!isWaiting(answer) && answer.guardrail_warning === undefined) onDone();
        }}
      />
    </>
  );
}

const Settings = ({ webhook: { description, events, ca } }: { readonly webhook: WebhookDetailView }) => (
  <div className="flex flex-col gap-1 text-sm">
    {description !== '' && (
      <p className="break-words">
        <InertText text={description} />
      </p>
    )}
    <p>
      Gets <code className="font-mono text-xs">{events.join(', ')}</code>
    </p>
    <p className="text-muted">
      {ca === null
        ? 'Its certificate is checked against the public authorities.'
        : 'Its certificate is checked against an authority of your own only.'}
    </p>
  </div>
);

function RemoveWebhook({ webhook: { id, url } }: { readonly webhook: WebhookDetailView }) {
  const navigate = useNavigate();
  const remove = useChange(async () => {
    await api.delete('/v1/webhooks/{id}', { path: { id } });
    // The page is left first: its webhook is gone.
    await navigate('/settings/webhooks', { replace: true });
  }, '/v1/webhooks');
  return (
    <AskFirst label="Remove…" title="Remove this webhook?" description={url} act="Remove it" change={remove}>
      <p>Nothing more is sent to it. Its secrets and its delivery log are removed, too.</p>
    </AskFirst>
  );
}
