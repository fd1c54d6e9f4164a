import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOf } from '../api/query.js';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { ErrorNote } from '../components/error-note.js';
import { PagedList } from '../components/paged-list.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { UnifiedDiff } from '../components/unified-diff.js';

/** Every revision, newest first, and how each differs from the one before it. */
export function Revisions() {
  const list = usePaged('/v1/autonomy/revisions');
  const [open, setOpen] = useState<number | null>(null);
  return (
    <PagedList
      title="Revisions"
      list={list}
      empty="None yet: without a document nothing is executed, and nobody may approve."
      more="Earlier ones"
    >
      {(revision) => (
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
      )}
    </PagedList>
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
