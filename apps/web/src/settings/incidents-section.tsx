import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isWaiting } from '#lib/client';
import type { IncidentSettingsView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TextField } from '../components/text-field.js';
import { DestinationChecks } from './destination-checks.js';
import { keepSecret } from './keep-secret.js';
import { useChange } from './use-change.js';
import { WaitsNote } from './waits-note.js';
import { wordsOf } from './words-of.js';

const either = new Intl.ListFormat('en', { type: 'disjunction' });
const ROUTING_KEY = 'pagerduty-routing-key';

/** The destinations of incidents, the time for a review, and PagerDuty. */
export default function IncidentsSection() {
  const settings = useQuery(queryOf('/v1/incident-settings'));
  if (settings.isLoadingError) return <ErrorNote error={settings.error} retry={() => void settings.refetch()} />;
  if (settings.data === undefined) return <SkeletonRows rows={4} />;
  return (
    <div className="flex flex-col gap-4">
      <Settings settings={settings.data} />
      <DestinationChecks />
    </div>
  );
}

interface Destination {
  readonly key: string;
  readonly name: string;
  readonly reached: string;
}

const newDestination = (name = '', reached: readonly string[] = []): Destination => ({
  key: crypto.randomUUID(),
  name,
  reached: reached.join(', '),
});

function Settings({ settings }: { readonly settings: IncidentSettingsView }) {
  const [destinations, setDestinations] = useState(() =>
    Object.entries(settings.destinations).map(([name, reached]) => newDestination(name, reached)),
  );
  const [days, setDays] = useState(String(settings.review_days));
  const [paging, setPaging] = useState(settings.pagerduty !== null);
  const [routingKey, setRoutingKey] = useState('');
  const [address, setAddress] = useState(settings.pagerduty?.url ?? '');
  const channels = useQuery({ ...queryOf('/v1/notification-channels'), staleTime: Infinity });
  const forms = either.format(channels.data?.items.flatMap(({ addresses }) => addresses ?? []) ?? []);
  const kept = settings.pagerduty?.routing_key.$secret ?? null;
  const put = useChange(
    async () => {
      const secret = paging ? await keepSecret(ROUTING_KEY, { purpose: 'incidents' }, routingKey, kept) : null;
      return api.put('/v1/incident-settings', {
        body: {
          destinations: Object.fromEntries(destinations.map(({ name, reached }) => [name.trim(), wordsOf(reached)])),
          review_days: Number(days),
          pagerduty:
            secret === null
              ? null
              : { routing_key: { $secret: secret }, ...(address.trim() === '' ? {} : { url: address.trim() }) },
        },
      });
    },
    '/v1/incident-settings',
    '/v1/incident-destinations',
    '/v1/change-requests',
  );
  const change = (key: string, changed: Partial<Destination>) =>
    setDestinations((all) => all.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined, { onSuccess: () => setRoutingKey('') });
      }}
    >
      <Card title="Notified of break-glass">
        <p className="mb-4 text-sm text-muted">
          The autonomy document names destinations (<code className="font-mono">emergency_override.notifies</code>);
          here stands where each of them is reached. Separate several addresses by commas
          {forms === '' ? '.' : `: ${forms}.`}
        </p>
        <ul className="flex flex-col gap-4">
          {destinations.map(({ key, name, reached }, index) => (
            <li key={key} className="grid items-start gap-4 sm:grid-cols-[minmax(0,12rem)_1fr_auto]">
              <TextField
                label={`Destination ${String(index + 1)}`}
                required
                placeholder="security-team"
                value={name}
                onChange={(value) => change(key, { name: value })}
              />
              <TextField
                label={`Reached at (${String(index + 1)})`}
                required
                value={reached}
                onChange={(value) => change(key, { reached: value })}
              />
              <Button
                className="sm:mt-7"
                look="danger-outline"
                aria-label={`Remove destination ${name === '' ? String(index + 1) : name}`}
                onClick={() => setDestinations((all) => all.filter((each) => each.key !== key))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
        {destinations.length === 0 && <p className="text-sm">None yet.</p>}
        <Button className="mt-4" onClick={() => setDestinations((all) => [...all, newDestination()])}>
          Add a destination
        </Button>
      </Card>
      <Card title="Post-mortem">
        <TextField
          label="Days until the review"
          hint="After the break-glass. An overdue review is told again each day, to one destination more each time."
          type="number"
          min={1}
          max={30}
          required
          value={days}
          onChange={setDays}
        />
      </Card>
      <Card title="PagerDuty">
        <div className="flex flex-col gap-4">
          <label className="inline-flex items-center gap-2 text-sm">
            <input type="checkbox" checked={paging} onChange={(event) => setPaging(event.target.checked)} />
            Send incidents on to PagerDuty
          </label>
          {paging && (
            <>
              <TextField
                label="Routing key"
                hint={
                  kept === null
                    ? 'Of an Events API v2 integration of the service. Kept encrypted, never shown again.'
                    : `Kept as ${kept}. Left empty, it stays.`
                }
                type="password"
                autoComplete="off"
                required={kept === null}
                value={routingKey}
                onChange={setRoutingKey}
              />
              <TextField
                label="Address"
                hint="Left empty, PagerDuty’s own; another region or a proxy has one of its own."
                type="url"
                placeholder="https://events.eu.pagerduty.com/v2/enqueue"
                value={address}
                onChange={setAddress}
              />
            </>
          )}
        </div>
      </Card>
      {put.error !== null && <ErrorNote error={put.error} />}
      <WaitsNote answer={put.data} />
      {put.data !== undefined && !isWaiting(put.data) && (
        <p role="status" className="text-sm text-good">
          Saved.
        </p>
      )}
      <div>
        <Button type="submit" look="primary" busy={put.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
