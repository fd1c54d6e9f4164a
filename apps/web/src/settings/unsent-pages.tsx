import { Siren } from 'lucide-react';
import { Link } from 'react-router';
import type { IncidentPageView } from '#lib/contracts';
import { api } from '../api/client.js';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { useChange } from './use-change.js';

/** What PagerDuty could not be told, for admins to send again. */
export function UnsentPages() {
  const list = usePaged<IncidentPageView>('incident-pages', '/v1/incident-pages', {});
  const retry = useChange((id: string) => api.post(`/v1/incident-pages/${id}/retry`), 'incident-pages');
  return (
    <Card title="What PagerDuty could not be told" flush>
      {list.isPending && <SkeletonRows rows={1} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {retry.error !== null && (
        <div className="p-4">
          <ErrorNote error={retry.error} />
        </div>
      )}
      {!list.isPending && list.error === null && list.items.length === 0 && (
        <Empty icon={<Siren aria-hidden />} title="PagerDuty was told everything">
          What it refused, or could not be told for two hours, stands here, and can be sent again.
        </Empty>
      )}
      {list.items.length > 0 && (
        <DataTable
          label="Incidents that PagerDuty was not told of"
          columns={['What', 'Incident', 'Why', 'Since', '']}
          rows={list.items.map((page) => ({
            key: page.id,
            cells: [
              page.action,
              <Link key="incident" className="underline" to={`/incidents/${page.incident_id}`}>
                {page.incident_id.slice(-8)}
              </Link>,
              <InertText key="why" text={page.last_error ?? ''} />,
              <TimeAgo key="since" at={page.created_at} />,
              <Button
                key="again"
                size="sm"
                aria-label={`Send again: ${page.action} ${page.incident_id.slice(-8)}`}
                busy={retry.isPending && retry.variables === page.id}
                onClick={() => {
                  retry.mutate(page.id);
                }}
              >
                Send again
              </Button>,
            ],
          }))}
        />
      )}
    </Card>
  );
}
