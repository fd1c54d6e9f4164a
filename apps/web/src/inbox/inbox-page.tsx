import { useQueries, useQuery } from '@tanstack/react-query';
import { CheckCheck, ChevronRight } from 'lucide-react';
import { useCallback } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ApprovalRequestDetailView, ApprovalRequestView } from '#lib/contracts';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { QuorumProgress } from '../components/quorum.js';
import { RiskBadge } from '../components/risk-badge.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { TimeLeft } from '../components/times.js';
import { useListKeys } from '../components/use-list-keys.js';
import { VirtualList } from '../components/virtual-list.js';
import { byUrgency, levelOf } from './by-urgency.js';
import { waitingQuery } from './use-waiting.js';

interface Waiting {
  readonly request: ApprovalRequestView;
  readonly detail: ApprovalRequestDetailView | undefined;
  readonly level: string | null;
}

/** What waits for the reader, the most dangerous first. */
export function Component() {
  const waiting = useQuery(waitingQuery);
  const requests = waiting.data?.items ?? [];
  const details = useQueries({
    queries: requests.map(({ id }) => ({
      queryKey: ['approval-requests', 'detail', id],
      queryFn: () => api.get<ApprovalRequestDetailView>(`/v1/approval-requests/${id}`),
    })),
  });
  const rows = requests
    .map((request, index): Waiting => {
      const detail = details[index]?.data;
      return { request, detail, level: detail === undefined ? null : levelOf(detail) };
    })
    .sort(byUrgency);
  const navigate = useNavigate();
  const open = useCallback(
    (index: number) => {
      const row = rows[index];
      if (row !== undefined) void navigate(`/requests/${row.request.id}`);
    },
    [navigate, rows],
  );
  const current = useListKeys(rows.length, open);
  return (
    <Page title="Inbox" meta="What waits for your decision, the most dangerous first.">
      <Card flush>
        {waiting.isPending && <SkeletonRows className="h-20" />}
        {waiting.error !== null && (
          <div className="p-4">
            <ErrorNote error={waiting.error} retry={() => void waiting.refetch()} />
          </div>
        )}
        {waiting.data !== undefined && rows.length === 0 && (
          <Empty icon={<CheckCheck aria-hidden />} title="Nothing waits for you">
            A request appears here the moment an agent asks for something that your roles may approve.{' '}
            <Link to="/plans?status=awaiting_approval" className="text-accent underline">
              See what waits for others
            </Link>
            .
          </Empty>
        )}
        {rows.length > 0 && (
          <VirtualList
            rows={rows}
            label="Waiting requests"
            estimate={92}
            keyOf={({ request }) => request.id}
            current={current}
          >
            {(row, index) => <Row row={row} current={index === current} />}
          </VirtualList>
        )}
      </Card>
    </Page>
  );
}

function Row({ row: { request, detail, level }, current }: { readonly row: Waiting; readonly current: boolean }) {
  const { nameOf } = useDirectory();
  return (
    <Link
      to={`/requests/${request.id}`}
      className={`flex min-h-23 items-center gap-4 px-4 py-3 hover:bg-sunken ${current ? 'bg-accent-soft' : ''}`}
    >
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {detail === undefined || level === null ? (
            <Skeleton className="h-5.5 w-40" />
          ) : (
            <>
              <EnvironmentLabel {...detail.environment} />
              <RiskBadge level={level} />
            </>
          )}
        </div>
        <p className="mt-1 line-clamp-2 font-medium">
          {detail === undefined ? (
            <Skeleton className="h-6 w-80 max-w-full" />
          ) : (
            <InertText text={detail.said_by_the_requester.goal} />
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
          <span>
            asked by <InertText text={nameOf(request.requester)} />
          </span>
          <QuorumProgress quorum={request.quorum} />
          <TimeLeft until={request.expires_at} />
        </p>
      </div>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </Link>
  );
}
