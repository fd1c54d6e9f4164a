import { CheckCheck, ChevronRight, Eye } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ChangeRequestView, QueuedRequestView } from '#lib/contracts';
import { useDirectory } from '../api/directory.js';
import { InertText, SaidBy } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { Headline } from '../components/headline.js';
import { Page } from '../components/page.js';
import { QuorumProgress } from '../components/quorum.js';
import { RiskBadge } from '../components/risk-badge.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeLeft } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { useListKeys } from '../components/use-list-keys.js';
import { VirtualList } from '../components/virtual-list.js';
import { UnreadComments } from './unread-comments.js';
import { useQueue, type Waiting } from './use-waiting.js';

const keyOf = ({ path }: Waiting): string => path;

/** What waits for the reader, the most dangerous first. */
export function Component() {
  const queue = useQueue();
  const { items } = queue;
  const navigate = useNavigate();
  const open = useCallback(
    (index: number) => {
      const waiting = items[index];
      if (waiting !== undefined) void navigate(waiting.path);
    },
    [navigate, items],
  );
  const current = useListKeys(
    useMemo(() => items.map(keyOf), [items]),
    open,
  );
  return (
    <Page title="Inbox" meta="What waits for your decision, the most dangerous first.">
      <Card flush>
        {queue.isPending && <SkeletonRows className="h-20" />}
        {queue.error !== null && (
          <div className="p-4">
            <ErrorNote error={queue.error} retry={queue.again} />
          </div>
        )}
        {!queue.isPending && queue.error === null && items.length === 0 && (
          <Empty icon={<CheckCheck aria-hidden />} title="Nothing waits for you">
            A request appears here the moment an agent asks for something that your roles may approve, and a change the
            moment somebody asks to loosen what you may confirm.{' '}
            <Link to="/plans?status=awaiting_approval" className="text-accent underline">
              See what waits for others
            </Link>
            .
          </Empty>
        )}
        {items.length > 0 && (
          <VirtualList
            rows={items}
            label="What waits for you"
            estimate={124}
            keyOf={keyOf}
            current={current}
            onNearEnd={queue.more}
            className="max-h-[calc(100dvh-11rem)]"
          >
            {(waiting, index) => (
              <Link
                to={waiting.path}
                className={`flex min-h-31 items-center gap-4 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2 ${index === current ? 'bg-accent-soft' : ''}`}
              >
                <span className="min-w-0 flex-1">
                  {waiting.kind === 'change' ? (
                    <Change change={waiting.change} />
                  ) : (
                    <Request request={waiting.request} />
                  )}
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
              </Link>
            )}
          </VirtualList>
        )}
      </Card>
      <UnreadComments />
    </Page>
  );
}

function Change({ change }: { readonly change: ChangeRequestView }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone="warn">loosens the gate</Badge>
        <Badge>{inWords(change.kind)}</Badge>
      </span>
      <span className="mt-1 line-clamp-2 block font-medium">
        <InertText text={change.what} />
      </span>
      <span className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
        <span>
          asked by <InertText text={change.requested_by.display_name} />
          {change.reason !== null && (
            <>
              : “<InertText text={change.reason} />”
            </>
          )}
        </span>
        <TimeLeft until={change.expires_at} />
      </span>
    </>
  );
}

function Request({ request }: { readonly request: QueuedRequestView }) {
  const { nameOf } = useDirectory();
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <EnvironmentLabel {...request.environment} />
        <RiskBadge level={request.risk} />
        {request.claim !== null && (
          <span className="inline-flex items-center gap-1 text-xs text-muted">
            <Eye aria-hidden className="size-3.5" />
            <InertText text={request.claim.person.display_name} /> is looking at it
          </span>
        )}
      </span>
      <span className="mt-1 block">
        <Headline headline={request.headline} />
      </span>
      <SaidBy text={request.said_by_the_requester.goal} by={nameOf(request.requester)} />
      <span className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
        {request.phases !== 'all' && (
          <span>{request.phases === 'canary' ? 'canary phases only' : 'the rest after the canary'}</span>
        )}
        <QuorumProgress quorum={request.quorum} />
        <TimeLeft until={request.expires_at} />
      </span>
    </>
  );
}
