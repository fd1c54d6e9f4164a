import type { SiemCollectorDetailView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { TimeAgo } from '../components/times.js';
import { useChange } from '../settings/use-change.js';

/** How the collector of a SIEM does, with a test and its removal. */
export function CollectorState({
  collector,
  onTested,
}: {
  readonly collector: SiemCollectorDetailView;
  readonly onTested: () => void;
}) {
  const { url, has_token: hasToken, sent_at: sent, error, error_at: failed, entries_behind: behind } = collector;
  const test = useChange(() => api.post('/v1/siem-collector/test'), '/v1/siem-collector');
  const remove = useChange(() => api.delete('/v1/siem-collector'), '/v1/siem-collector');
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-mono font-medium break-all">
          <InertText text={url} />
        </span>
        <State collector={collector} />
      </p>
      <Facts
        facts={[
          ['Last delivery', sent === null ? 'none yet' : <TimeAgo key="sent" at={sent} />],
          ['Entries that wait', <Lag key="lag" count={behind} since={collector.behind_since} />],
          ['Token', hasToken ? 'set' : 'none'],
        ]}
      />
      {error !== null && failed !== null && (
        <p className="rounded-lg bg-warn-soft p-3 break-words">
          <TimeAgo at={failed} />: <InertText text={error} />
        </p>
      )}
      {(test.error ?? remove.error) !== null && <ErrorNote error={test.error ?? remove.error} />}
      {test.isSuccess && <p role="status">A test event is on its way, after those that wait.</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={test.isPending}
          onClick={() => {
            test.mutate(undefined, { onSuccess: onTested });
          }}
        >
          Send a test
        </Button>
        <Button
          look="danger-outline"
          busy={remove.isPending}
          onClick={() => {
            remove.mutate(undefined);
          }}
        >
          Remove it
        </Button>
      </div>
    </>
  );
}

function State({
  collector: { error, behind_since: since, sent_at: sent },
}: {
  readonly collector: SiemCollectorDetailView;
}) {
  if (error === null)
    return sent === null ? <Badge tone="neutral">new</Badge> : <Badge tone="good">takes events</Badge>;
  return (
    <Badge tone="bad">
      failing{since === null ? '' : ' since '}
      {since !== null && <TimeAgo at={since} />}
    </Badge>
  );
}

const Lag = ({ count, since }: { readonly count: number; readonly since: string | null }) => (
  <>
    {count}
    {since !== null && (
      <>
        , since <TimeAgo at={since} />
      </>
    )}
  </>
);
