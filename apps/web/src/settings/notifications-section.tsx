import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { api } from '../api/client.js';
import { usePaged } from '../api/paged.js';
import { queryOf } from '../api/query.js';
import { useSignedIn } from '../api/browser-session.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { GivenUp } from './given-up.js';
import { Preferences } from './notification-preferences.js';
import { endSubscription, idOfThisBrowser } from './push-of-browser.js';
import { ThisBrowser } from './this-browser.js';
import { UnsentPages } from './unsent-pages.js';
import { useChange } from './use-change.js';

/** The reader's notifications and browsers and, for admins, undelivered messages. */
export default function NotificationsSection() {
  const admin = useSignedIn().person.roles.includes('PlatformAdmin');
  return (
    <>
      <Preferences />
      <Browsers />
      {admin && <Undelivered />}
      {admin && <UnsentPages />}
    </>
  );
}

function Browsers() {
  const list = useQuery(queryOf('/v1/push-subscriptions'));
  const end = useChange(endSubscription, '/v1/push-subscriptions');
  const own = idOfThisBrowser();
  const told = list.data?.items.some(({ id }) => id === own) ?? false;
  return (
    <Card title="Browsers that are told" flush>
      {list.data !== undefined && !told && (
        <div className="border-b border-line p-4">
          <ThisBrowser />
        </div>
      )}
      {list.isPending && <SkeletonRows rows={1} className="h-10" />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={() => void list.refetch()} />
        </div>
      )}
      {end.error !== null && (
        <div className="p-4">
          <ErrorNote error={end.error} />
        </div>
      )}
      {list.data?.items.length === 0 && (
        <p className="p-4 text-sm text-muted">None. Your inbox shows each request that waits for you.</p>
      )}
      <ul>
        {list.data?.items.map((each) => (
          <li key={each.id} className="flex items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-0">
            <span className="flex-1">
              {each.id === own && <Badge tone="good">this browser</Badge>} {each.host}, since{' '}
              <TimeAgo at={each.created_at} />
            </span>
            <Button
              size="sm"
              look="danger-outline"
              aria-label={each.id === own ? 'End for this browser' : `End for the browser at ${each.host}`}
              onClick={() => {
                end.mutate(each.id);
              }}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Undelivered() {
  return (
    <GivenUp
      title="Undelivered notifications"
      label="Messages given up"
      path="/v1/outbox"
      list={usePaged('/v1/outbox', { state: 'failed' })}
      retry={(id) => api.post('/v1/outbox/{id}/retry', { path: { id } })}
      columns={['What', 'To']}
      cellsOf={({ topic, destination }) => [topic, destination ?? 'nowhere yet']}
      nameOf={({ topic }) => topic}
      empty={
        <Empty icon={<Inbox aria-hidden />} title="Everything was delivered">
          A message that was given up after all its attempts stands here, and can be sent again.
        </Empty>
      }
    />
  );
}
