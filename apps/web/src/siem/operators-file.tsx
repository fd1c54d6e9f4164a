import { useQuery } from '@tanstack/react-query';
import type { SiemFileView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { Card } from '../components/card.js';
import { countOf } from '../components/count-of.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';

/** The file is a setting of the workers, which the operator knows. */
export function OperatorsFile() {
  const found = useQuery(queryOf('/v1/siem-collector/file'));
  return (
    <Card title="File of the operator">
      <div className="text-sm">
        {found.isPending && <SkeletonRows rows={1} />}
        {found.error !== null && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
        {found.data !== undefined && <FileState file={found.data} />}
      </div>
    </Card>
  );
}

function FileState({
  file: { exported, entries_behind: behind, behind_since: since },
}: {
  readonly file: SiemFileView;
}) {
  if (!exported)
    return (
      <p className="text-muted">
        No file gets your events. The operator names one in <code>COUNTERSIGN_OCSF_FILE</code> of each worker.
      </p>
    );
  return (
    <p>
      The workers append your events to the file in their <code>COUNTERSIGN_OCSF_FILE</code>.{' '}
      {behind === 0 ? (
        'It has every event.'
      ) : (
        <>
          {countOf(behind, 'event')} {behind === 1 ? 'waits' : 'wait'}
          {since !== null && ', since '}
          {since !== null && <TimeAgo at={since} />}.
        </>
      )}
    </p>
  );
}
