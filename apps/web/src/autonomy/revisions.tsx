import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '../api/query.js';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { UnifiedDiff } from '../components/unified-diff.js';

/** Every revision, newest first, and how each differs from the one before it. */
export function Revisions() {
  const list = usePaged('/v1/autonomy/revisions');
  const [open, setOpen] = useState<number | null>(null);
  return (
    <Card title="Revisions" flush>
      {list.isPending && <SkeletonRows rows={2} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {!list.isPending && list.items.length === 0 && (
        <p className="p-4 text-sm text-muted">
          None yet: without a document nothing is executed, and nobody may approve.
        </p>
      )}
      <ul>
        {list.items.map((revision) => (
          <li key={revision.number} className="border-b border-line last:border-0">
            <button
              type="button"
              aria-expanded={open === revision.number}
              className="flex w-full flex-wrap items-center gap-3 px-4 py-3 text-left text-sm hover:bg-sunken"
              onClick={() => {
                setOpen(open === revision.number ? null : revision.number);
              }}
            >
              <span className="font-medium">Revision {revision.number}</span>
              {revision.in_force && <Badge tone="good">in force</Badge>}
              <span className="text-muted">
                <InertText text={revision.created_by.display_name} />, <TimeAgo at={revision.created_at} />
              </span>
            </button>
            {open === revision.number && <Difference number={revision.number} />}
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <div className="p-3">
          <Button size="sm" onClick={list.more}>
            Earlier ones
          </Button>
        </div>
      )}
    </Card>
  );
}

function Difference({ number }: { readonly number: number }) {
  const revision = useQuery({
    ...queryOf('/v1/autonomy/revisions/{number}', { path: { number } }),
    staleTime: Infinity,
  });
  if (revision.error !== null) return <ErrorNote error={revision.error} />;
  return revision.data === undefined ? <Skeleton className="h-24" /> : <UnifiedDiff diff={revision.data.diff} />;
}
