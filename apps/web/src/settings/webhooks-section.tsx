import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { WebhookDetailView, WebhookSettingsBody, WebhookView } from '#lib/api-schemas';
import { isWaiting, type MayWait } from '#lib/client';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { WebhookForm } from '../webhook/webhook-form.js';
import { WebhookState } from '../webhook/webhook-state.js';
import { OpenChangeRequests } from '../components/open-change-requests.js';
import { WaitsNote } from './waits-note.js';

const NEW: WebhookSettingsBody = {
  url: '',
  description: '',
  events: ['tool.started', 'tool.completed', 'tool.failed'],
  ca: null,
  enabled: true,
};

/** The addresses of other systems that events are sent to. */
export default function WebhooksSection() {
  const list = useQuery(queryOf('/v1/webhooks'));
  // An empty form after each webhook that was asked for.
  const [asked, setAsked] = useState<readonly MayWait<WebhookView>[]>([]);
  return (
    <>
      <p className="text-sm text-muted">
        Countersign sends events to addresses of yours, signed as{' '}
        <a className="text-accent underline" href="https://www.standardwebhooks.com" rel="noreferrer" target="_blank">
          Standard Webhooks
        </a>{' '}
        describes it. A receiver has five seconds to answer; failures are tried again for a day.
      </p>
      <Card title="Webhooks" flush>
        {list.isPending && <SkeletonRows rows={2} />}
        {list.error !== null && (
          <div className="p-4">
            <ErrorNote error={list.error} retry={() => void list.refetch()} />
          </div>
        )}
        {list.data?.items.length === 0 && (
          <div className="p-4 text-sm text-muted">
            None yet. Add one below, or on the command line:
            <code className="mt-2 block rounded-lg bg-sunken px-3 py-2 font-mono text-xs text-ink">
              npx countersign webhooks add https://hooks.example.com/countersign
            </code>
          </div>
        )}
        <ul>
          {list.data?.items.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
        <OpenChangeRequests kind="webhook" className="border-t border-line" />
      </Card>
      <Card title="Add a webhook">
        <div className="flex flex-col gap-4">
          <Added answer={asked.at(-1)} />
          <WebhookForm
            key={asked.length}
            settings={NEW}
            label="Add it"
            put={(body) => api.post('/v1/webhooks', { body })}
            onDone={(answer) => {
              setAsked([...asked, answer]);
            }}
          />
        </div>
      </Card>
    </>
  );
}

/** The next action after a webhook was asked for. */
function Added({ answer }: { readonly answer: MayWait<WebhookView> | undefined }) {
  if (answer === undefined) return null;
  return (
    <>
      <WaitsNote answer={answer} />
      {!isWaiting(answer) && (
        <p role="status" className="text-sm">
          It is added. Nothing is sent before you{' '}
          <Link to={`/settings/webhooks/${answer.id}`} className="text-accent underline">
            make its secret
          </Link>
          .
        </p>
      )}
    </>
  );
}

const WebhookRow = ({ webhook }: { readonly webhook: WebhookDetailView }) => (
  <li className="border-b border-line last:border-0">
    <Link
      to={`/settings/webhooks/${webhook.id}`}
      className="flex flex-col gap-1 px-4 py-3 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="font-mono font-medium break-all">
        <InertText text={webhook.url} />
      </span>
      {webhook.description !== '' && (
        <span className="break-words">
          <InertText text={webhook.description} />
        </span>
      )}
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <WebhookState webhook={webhook} />
        <span className="font-mono text-xs">{webhook.events.join(', ')}</span>
      </span>
    </Link>
  </li>
);
