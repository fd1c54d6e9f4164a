import { Siren } from 'lucide-react';
import { Link } from 'react-router';
import { InertText } from '../components/agent-text.js';
import { TimeAgo } from '../components/times.js';
import { useOpenIncidents } from './use-open-incidents.js';

/** Says on every page that the glass was broken, as long as an incident is not resolved. */
export function IncidentBanner() {
  const incidents = useOpenIncidents();
  const [newest] = incidents;
  if (newest === undefined) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-production px-4 py-2 text-sm text-production-ink md:px-8"
    >
      <Siren aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        <strong>
          {incidents.length === 1
            ? 'Break-glass was used'
            : `${String(incidents.length)} break-glass incidents are open`}
        </strong>{' '}
        in {newest.environment.name} by <InertText text={newest.invoked_by.display_name} />,{' '}
        <TimeAgo at={newest.opened_at} />
      </span>
      <Link
        to={incidents.length === 1 ? `/incidents/${newest.id}` : '/incidents'}
        className="rounded-md border border-current px-2 py-0.5 font-medium focus-visible:outline-current"
      >
        {incidents.length === 1 ? 'Open the incident' : 'See them'}
      </Link>
    </div>
  );
}
