import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { AutomationPreviewView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { useMayAudit } from '../audit/may-audit.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { Timestamp } from '../components/times.js';
import { VirtualList } from '../components/virtual-list.js';

interface PreviewCardProps {
  readonly source: string;
  /** The automation that the source belongs to; null for a new one. */
  readonly automationId: string | null;
}

/** The runs that a source would have had in the last thirty days. It reads the log once somebody asks, and executes nothing. */
export function PreviewCard({ source, automationId }: PreviewCardProps) {
  const mayAudit = useMayAudit();
  const [asked, setAsked] = useState<string | null>(null);
  if (!mayAudit) return null;
  return (
    <Card
      title="The last thirty days"
      flush
      actions={
        <Button
          size="sm"
          disabled={asked === source}
          onClick={() => {
            setAsked(source);
          }}
        >
          Preview
        </Button>
      }
    >
      {asked === null ? (
        <p className="p-4 text-sm text-muted">
          See what would have started it, and which of its steps policies would block now. Nothing is executed.
        </p>
      ) : (
        <>
          {asked !== source && (
            <p className="border-b border-line bg-warn-soft px-4 py-2.5 text-sm">
              The text has changed since. Preview it again.
            </p>
          )}
          <Occurrences source={asked} automationId={automationId} />
        </>
      )}
    </Card>
  );
}

type Occurrence = AutomationPreviewView['items'][number];

const keyOf = ({ index }: { readonly index: number }): string => String(index);

function Occurrences({ source, automationId }: PreviewCardProps) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['/v1/automations/preview', automationId, source],
    queryFn: ({ pageParam }) =>
      api.post('/v1/automations/preview', {
        query: { cursor: pageParam ?? undefined },
        body: { source, ...(automationId === null ? {} : { automation_id: automationId }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  // Two schedules may have had the same time.
  const items = (data?.pages.flatMap((page) => page.items) ?? []).map((item, index) => ({ ...item, index }));
  return (
    <>
      {isPending && <SkeletonRows rows={3} />}
      {error !== null && (
        <div className="p-4">
          <ErrorNote error={error} retry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && items.length === 0 && !hasNextPage && (
        <p className="p-4 text-sm text-muted">
          No schedule and no event of the last thirty days would have started it. Requests of other systems are not
          kept, so none is shown.
        </p>
      )}
      {items.length > 0 && (
        <VirtualList rows={items} label="Runs that would have begun" estimate={42} keyOf={keyOf} className="max-h-96">
          {(item) => <OccurrenceItem item={item} />}
        </VirtualList>
      )}
      {hasNextPage && (
        <div className="p-3">
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Look further back
          </Button>
        </div>
      )}
    </>
  );
}

function OccurrenceItem({
  item: { at, event, audit_entry_id: entry, inputs, errors, blocked },
}: {
  readonly item: Occurrence;
}) {
  return (
    <div className="flex flex-col gap-1 px-4 py-2.5 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Timestamp at={at} />
        {event === null || entry === null ? (
          <span className="text-muted">its schedule</span>
        ) : (
          <Link to={`/audit/${entry}`} className="font-mono text-accent underline">
            <InertText text={event} />
          </Link>
        )}
        <Outcome errors={errors} blocked={blocked} />
      </span>
      {inputs !== null && Object.keys(inputs).length > 0 && (
        <span className="break-words text-muted">
          <InertText
            text={Object.entries(inputs)
              .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
              .join(', ')}
          />
        </span>
      )}
      {[
        ...errors.map(({ input, message }) => `${input}: ${message}`),
        ...(blocked ?? []).map(({ step, message }) => `${step}: ${message}`),
      ].map((line) => (
        <span key={line} className="break-words text-bad">
          <InertText text={line} />
        </span>
      ))}
    </div>
  );
}

function Outcome({ errors, blocked }: Pick<Occurrence, 'errors' | 'blocked'>) {
  if (errors.length > 0) return <Badge tone="warn">left out: its values do not fit</Badge>;
  if (blocked === null) return <Badge>steps not judged here</Badge>;
  return blocked.length > 0 ? <Badge tone="bad">a step would be blocked</Badge> : <Badge tone="good">would run</Badge>;
}
