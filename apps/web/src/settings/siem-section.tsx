import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SiemCollectorDetailView } from '#lib/api-schemas';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { CollectorForm } from '../siem/collector-form.js';
import { CollectorState } from '../siem/collector-state.js';
import { OperatorsFile } from '../siem/operators-file.js';
import { WaitingChanges } from '../components/waiting-changes.js';
import { BearerToken } from './bearer-token.js';

/** After a test, its effect is looked for so often, in milliseconds. */
const LOOKS_MS = 2_000;

/** The exports of the audit log for a SIEM: to a collector of the tenant, and to a file of the operator. */
export default function SiemSection() {
  const [testedAt, setTestedAt] = useState<number | null>(null);
  const found = useQuery({
    ...queryOf('/v1/siem-collector'),
    refetchInterval: ({ state: { data } }) => (testedAt !== null && !isAfter(data, testedAt) ? LOOKS_MS : false),
  });
  const none = found.error instanceof ApiError && found.error.problem.code === 'resource.not_found';
  return (
    <>
      <p className="text-sm text-muted">
        A SIEM gets the events of the audit log as lines of OCSF. They are read after they happened, so no action waits
        for an export.
      </p>
      <Card title="Collector">
        <div className="flex flex-col gap-4 text-sm">
          {found.isPending && <SkeletonRows rows={2} />}
          {found.error !== null && !none && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
          {none && <p className="text-muted">None yet. Name the https address of one.</p>}
          {!none && found.data !== undefined && (
            <CollectorState
              collector={found.data}
              onTested={() => {
                setTestedAt(Date.now());
              }}
            />
          )}
          <WaitingChanges kind="siem_collector" className="rounded-lg" />
        </div>
      </Card>
      {(none || found.data !== undefined) && (
        <Card title={none ? 'Name a collector' : 'Change the collector'}>
          <CollectorForm key={found.data?.url ?? ''} collector={none ? null : (found.data ?? null)} />
        </Card>
      )}
      {!none && found.data !== undefined && (
        <BearerToken
          hasToken={found.data.has_token}
          put={(token) => api.put('/v1/siem-collector/token', { body: { token } })}
          of="/v1/siem-collector"
        />
      )}
      <OperatorsFile />
    </>
  );
}

/** Whether the collector answered after a moment. The clocks may differ by a few seconds. */
const isAfter = (collector: SiemCollectorDetailView | undefined, at: number): boolean =>
  [collector?.sent_at, collector?.error_at].some((time) => time != null && Date.parse(time) > at - 5_000) &&
  collector?.entries_behind === 0;
