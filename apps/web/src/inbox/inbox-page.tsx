import { CheckCheck, ChevronRight, UserCheck } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import type { AbsenceView, InboxItemView } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { SkeletonRows } from '../components/skeleton.js';
import { Timestamp } from '../components/times.js';
import { useListKeys } from '../components/use-list-keys.js';
import { PageList } from '../components/page-list.js';
import { ToUnreadComments, UnreadComments } from './unread-comments.js';
import { pathOfWaiting, useInbox, useWaiting } from './use-waiting.js';
import { WaitingRow } from './waiting-rows.js';

const keyOf = (item: InboxItemView): string => `${item.kind} ${pathOfWaiting(item)}`;

/** All that waits for the reader, the most pressing first. */
export function Component() {
  const inbox = useInbox();
  const items = useMemo(() => inbox.data?.items ?? [], [inbox.data]);
  const navigate = useNavigate();
  const open = useCallback(
    (index: number) => {
      const waiting = items[index];
      if (waiting !== undefined) void navigate(pathOfWaiting(waiting));
    },
    [navigate, items],
  );
  const current = useListKeys(
    useMemo(() => items.map(keyOf), [items]),
    open,
  );
  return (
    <Page
      title="Inbox"
      count={useWaiting()}
      meta="All that waits for you: production and critical first, then the oldest."
      actions={<ToUnreadComments />}
    >
      {inbox.data !== undefined && <StandingIn absences={inbox.data.standing_in} />}
      <Card flush>
        {inbox.isPending && <SkeletonRows className="h-20" />}
        {inbox.error !== null && (
          <div className="p-4">
            <ErrorNote error={inbox.error} retry={() => void inbox.refetch()} />
          </div>
        )}
        {!inbox.isPending && inbox.error === null && items.length === 0 && (
          <Empty icon={<CheckCheck aria-hidden />} title="Nothing waits for you">
            Requests that you may approve appear here at once. So do approved plans that you start by hand, incidents,
            and changes to confirm. Look at{' '}
            <Link to="/requests?tab=open" className="text-accent underline">
              what waits for others
            </Link>{' '}
            or{' '}
            <Link to="/requests?tab=decided_by_me" className="text-accent underline">
              what you decided
            </Link>
            .
          </Empty>
        )}
        {items.length > 0 && (
          <PageList rows={items} label="What waits for you" estimate={124} keyOf={keyOf} current={current}>
            {(waiting, index) => (
              <Link
                aria-current={index === current ? 'true' : undefined}
                to={pathOfWaiting(waiting)}
                className={`flex min-h-31 items-center gap-4 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2 ${index === current ? 'bg-accent-soft' : ''}`}
              >
                <span className="min-w-0 flex-1">
                  <WaitingRow item={waiting} />
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
              </Link>
            )}
          </PageList>
        )}
      </Card>
      <UnreadComments />
    </Page>
  );
}

/** The absent people that the reader stands in for: their requests are in the inbox, too. */
function StandingIn({ absences }: { readonly absences: readonly AbsenceView[] }) {
  if (absences.length === 0) return null;
  return (
    <ul className="mb-4 flex flex-col gap-1 rounded-lg border border-line bg-sunken px-4 py-2.5 text-sm">
      {absences.map((absence) => (
        <li key={absence.id} className="flex flex-wrap items-center gap-x-2">
          <UserCheck aria-hidden className="size-4 shrink-0 text-muted" />
          <span>
            You stand in for <InertText text={absence.person.display_name} />{' '}
            {!absence.in_force && (
              <>
                from <Timestamp at={absence.from} />{' '}
              </>
            )}
            until <Timestamp at={absence.until} />, as <InertText text={absence.roles.join(', ')} />.
          </span>
        </li>
      ))}
    </ul>
  );
}
