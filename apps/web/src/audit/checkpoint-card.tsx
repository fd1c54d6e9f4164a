import { useCheckpoint } from '../api/audit.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { download } from '../api/audit.js';

/** The signed state of the log: keep one outside, and history cannot be rewritten unseen. */
export function CheckpointCard() {
  const { data, error, refetch } = useCheckpoint();
  return (
    <Card
      title="Latest checkpoint"
      actions={
        data !== undefined && (
          <Button
            size="sm"
            onClick={() => {
              download(`checkpoint-${String(data.tree_size)}.txt`, 'text/plain', new TextEncoder().encode(data.note));
            }}
          >
            Download
          </Button>
        )
      }
    >
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-24" />}
      {data !== undefined && (
        <Facts
          facts={[
            ['Entries', `${String(data.tree_size)}, epoch ${String(data.epoch)}`],
            [
              'Root',
              <code key="root" className="font-mono text-xs break-all">
                {data.root_hash}
              </code>,
            ],
            [
              'Signed',
              <span key="signed">
                <TimeAgo at={data.signed_at} /> with {data.key_name}
              </span>,
            ],
            [
              'Outside',
              data.published_at === null ? (
                <Badge key="outside" tone="warn">
                  not published yet
                </Badge>
              ) : data.published_outside ? (
                <span key="outside">
                  published <TimeAgo at={data.published_at} />
                </span>
              ) : (
                <Badge key="outside" tone="warn">
                  kept beside the data, not outside this server
                </Badge>
              ),
            ],
          ]}
        />
      )}
    </Card>
  );
}
