import { Download } from 'lucide-react';
import { counted } from '#lib/words';
import { download, useCheckpoint } from '../api/audit.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Codes } from '../components/codes.js';
import { ErrorNote } from '../components/error-note.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';

/** The signed state of the log, above its entries: keep one outside, and history cannot be rewritten unseen. */
export function CheckpointLine() {
  const { data, error, refetch } = useCheckpoint();
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton className="mb-4 h-19" />;
  return (
    <section
      aria-label="Latest checkpoint"
      className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-xl border border-line bg-surface px-4 py-3 text-sm"
    >
      <div className="min-w-0 flex-1 basis-80">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">Latest checkpoint:</span>
          <span>
            {counted(data.tree_size, 'entry', 'entries')}, epoch {data.epoch}, signed <TimeAgo at={data.signed_at} />
          </span>
          <Published checkpoint={data} />
        </p>
        <Codes summary="Root and key" names={[data.root_hash, data.key_name]} />
      </div>
      <Button
        size="sm"
        onClick={() => {
          download(`checkpoint-${String(data.tree_size)}.txt`, 'text/plain', new TextEncoder().encode(data.note));
        }}
      >
        <Download aria-hidden className="size-4" /> Download
      </Button>
    </section>
  );
}

function Published({
  checkpoint: { published_at: at, published_outside: outside },
}: {
  readonly checkpoint: NonNullable<ReturnType<typeof useCheckpoint>['data']>;
}) {
  if (at === null) return <Badge tone="warn">not published yet</Badge>;
  if (!outside) return <Badge tone="warn">kept on this server alone</Badge>;
  return (
    <span className="text-muted">
      published <TimeAgo at={at} />
    </span>
  );
}
