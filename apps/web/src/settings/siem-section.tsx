import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SiemCollectorDetailView, SiemCollectorView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { TimeAgo } from '../components/times.js';
import { ConnectionForm } from '../connection/connection-form.js';
import { ConnectionSection } from '../connection/connection-section.js';
import { ConnectionState } from '../connection/connection-state.js';
import { OperatorsFile } from '../siem/operators-file.js';
import { useChange } from './use-change.js';

/** After a test, its effect is looked for so often, in milliseconds. */
const LOOKS_MS = 2_000;

/** The exports of the audit log for a SIEM. One goes to a collector of the tenant, and one to a file of the operator. */
export default function SiemSection() {
  const [testedAt, setTestedAt] = useState<number | null>(null);
  const found = useQuery({
    ...queryOf('/v1/siem-collector'),
    refetchInterval: ({ state: { data } }) => (testedAt !== null && !isAfter(data, testedAt) ? LOOKS_MS : false),
  });
  return (
    <>
      <p className="text-sm text-muted">
        A SIEM gets the events of the audit log as lines of OCSF. They are read after they happened, so no action waits
        for an export.
      </p>
      <ConnectionSection
        path="/v1/siem-collector"
        kind="siem_collector"
        found={found}
        words={{
          title: 'Collector',
          none: 'None yet. Name the https address of one.',
          name: 'Name a collector',
          change: 'Change the collector',
        }}
        state={(collector) => (
          <CollectorState
            collector={collector}
            onTested={() => {
              setTestedAt(Date.now());
            }}
          />
        )}
        form={(collector, again) => (
          <ConnectionForm<SiemCollectorView>
            path="/v1/siem-collector"
            connection={collector}
            put={(body, ifMatch) => api.put('/v1/siem-collector', { body, ifMatch })}
            again={again}
            hint="It begins with https, and holds no credentials, query or fragment. Another address loses the token."
            placeholder="https://siem.example.com/ocsf"
          />
        )}
      />
      <OperatorsFile />
    </>
  );
}

interface CollectorStateProps {
  readonly collector: SiemCollectorDetailView;
  readonly onTested: () => void;
}

function CollectorState({ collector, onTested }: CollectorStateProps) {
  const { sent_at: sent, entries_behind: behind, behind_since: since } = collector;
  const test = useChange(() => api.post('/v1/siem-collector/test'), '/v1/siem-collector');
  return (
    <ConnectionState
      path="/v1/siem-collector"
      connection={collector}
      answered={{ at: sent, word: 'takes events' }}
      failingSince={since}
      facts={[
        ['Last delivery', sent === null ? 'none yet' : <TimeAgo key="sent" at={sent} />],
        ['Entries that wait', <Lag key="lag" count={behind} since={since} />],
      ]}
      removal={{
        title: 'Remove this collector?',
        consequences: 'No event is sent to it any more, also none that waits. Its token is removed, too.',
      }}
      testLabel="Send a test"
      test={test}
      onTest={() => {
        test.mutate(undefined, { onSuccess: onTested });
      }}
    >
      {test.isSuccess && <p role="status">A test event is on its way, after those that wait.</p>}
    </ConnectionState>
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

/** Whether the collector answered after a moment. The clocks may differ by a few seconds. */
const isAfter = (collector: SiemCollectorDetailView | undefined, at: number): boolean =>
  [collector?.sent_at, collector?.error_at].some((time) => time != null && Date.parse(time) > at - 5_000) &&
  collector?.entries_behind === 0;
