import type { IncidentState } from '#lib/formats';
import { useEnvironments } from '../api/environments.js';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { FilterToggle } from '../components/filter-toggle.js';
import { Headline } from '../components/headline.js';
import { RiskBadge } from '../components/risk-badge.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { useWorkFilters } from '../components/use-work-filters.js';
import { WorkList } from '../components/work-list.js';

const STATES: readonly IncidentState[] = ['open', 'acknowledged', 'resolved', 'reviewed'];
const FILTERS = ['state', 'overdue'] as const;

/** Every use of break-glass, newest first. */
export function Component() {
  const filters = useWorkFilters(FILTERS);
  const { values, set } = filters;
  const environments = useEnvironments();
  const list = usePaged('/v1/incidents', filters.query);
  return (
    <WorkList
      title="Incidents"
      meta="Every use of break-glass, until somebody else has reviewed it."
      list={list}
      path="/incidents"
      filters={filters}
      state={['state', STATES]}
      empty="Nobody has broken the glass. An incident opens by itself when somebody does."
      further={
        <FilterToggle
          label="review overdue"
          value={values.overdue ?? ''}
          onChange={(value) => {
            set('overdue', value);
          }}
        />
      }
    >
      {(incident) => (
        <>
          <Headline headline={incident.headline} />
          <span className="line-clamp-1 text-sm text-muted">
            <InertText text={incident.invoked_by.display_name} /> says: <InertText text={incident.justification} />
          </span>
          <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StateBadge state={incident.state} />
            {incident.plan_risk !== null && <RiskBadge level={incident.plan_risk} />}
            {incident.overdue && <Badge tone="bad">review overdue</Badge>}
            <EnvironmentLabel
              name={incident.environment.name}
              production={environments.get(incident.environment.name)?.production ?? false}
            />
            <span>
              run <StateBadge state={incident.run_state} />
            </span>
            <TimeAgo at={incident.opened_at} />
          </span>
        </>
      )}
    </WorkList>
  );
}
