import { useQuery } from '@tanstack/react-query';
import type { DestinationView } from '#lib/api-schemas';
import { DestinationReach } from '../break-glass/notified.js';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { useChange } from './use-change.js';

/** Whether the addresses of destinations take messages: tested when they change, daily, and now. */
export function DestinationChecks() {
  const checks = useQuery(queryOf('/v1/incident-destinations'));
  const test = useChange(() => api.post('/v1/incident-destinations/tests'), '/v1/incident-destinations');
  if (checks.error !== null) return <ErrorNote error={checks.error} retry={() => void checks.refetch()} />;
  if (checks.data === undefined) return <SkeletonRows rows={2} />;
  const { items } = checks.data;
  return (
    <Card
      title="Test messages"
      actions={
        <Button size="sm" busy={test.isPending} disabled={items.length === 0} onClick={() => test.mutate(undefined)}>
          Send test messages
        </Button>
      }
    >
      <p className="mb-4 text-sm text-muted">
        Break-glass can be switched on only if every destination that it names takes a test message. Each address gets
        one if it changes, if Slack is set up anew, and once a day. PlatformAdmins and SecurityReviewers hear if an
        address stops answering.
      </p>
      {test.error !== null && <ErrorNote error={test.error} />}
      {items.length === 0 && <p className="text-sm">No destination yet.</p>}
      <ul className="flex flex-col gap-4 text-sm">
        {items.map((destination) => (
          <li key={destination.name}>
            <DestinationReach destination={destination} />
            <Addresses addresses={destination.addresses} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Addresses({ addresses }: Pick<DestinationView, 'addresses'>) {
  return (
    <ul className="mt-1 flex flex-col gap-1 pl-6">
      {addresses.map(({ address, tested_at: testedAt, error }) => (
        <li key={address}>
          <span className="font-mono break-all">{address}</span>{' '}
          {testedAt === null ? (
            <span className="text-muted">not tested</span>
          ) : (
            <>
              {error === null ? <span className="text-good">answered</span> : <span className="text-bad">{error}</span>}{' '}
              <span className="text-muted">
                <TimeAgo at={testedAt} />
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
