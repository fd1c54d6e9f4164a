import { Siren } from 'lucide-react';
import { Link } from 'react-router';
import type { IncidentPageView } from '#lib/contracts';
import { Empty } from '../components/empty.js';
import { GivenUp } from './given-up.js';

/** Alerts that did not reach PagerDuty. */
export function UnsentPages() {
  return (
    <GivenUp<IncidentPageView>
      title="Alerts that did not reach PagerDuty"
      label="Incidents that PagerDuty was not told of"
      name="incident-pages"
      path="/v1/incident-pages"
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
