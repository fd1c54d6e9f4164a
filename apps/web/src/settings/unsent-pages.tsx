import { Siren } from 'lucide-react';
import { Link } from 'react-router';
import { api } from '../api/client.js';
import { usePaged } from '../api/paged.js';
import { Empty } from '../components/empty.js';
import { GivenUp } from './given-up.js';

const PATH = '/v1/incident-pages';

/** Alerts that did not reach PagerDuty. */
export function UnsentPages() {
  return (
    <GivenUp
      title="Alerts that did not reach PagerDuty"
      label="Incidents that PagerDuty was not told of"
      path={PATH}
      list={usePaged(PATH)}
      retry={(id) => api.post('/v1/incident-pages/{id}/retry', { path: { id } })}
      columns={['What', 'Incident']}
      cellsOf={({ action, incident_id: id }) => [
        action,
        <Link key="incident" className="underline" to={`/incidents/${id}`}>
          {id.slice(-8)}
        </Link>,
      ]}
      nameOf={({ action, incident_id: id }) => `${action} ${id.slice(-8)}`}
      empty={
        <Empty icon={<Siren aria-hidden />} title="PagerDuty was told everything">
          Alerts that PagerDuty rejected, or that failed for two hours. You can send them again.
        </Empty>
      }
    />
  );
}
