import { usePaged } from '../api/paged.js';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { InertText } from '../components/agent-text.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { FilterSelect } from '../components/filter-select.js';
import { ListPage } from '../components/list-page.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { useFilters } from '../components/use-filters.js';
import { settingsInWords } from './settings-words.js';

const FILTERS = ['state', 'agent_id'] as const;
const keyOf = ({ id }: { readonly id: string }): string => id;
const pathOf = ({ id }: { readonly id: string }): string => `/sessions/${id}`;

/** Every session of agents, newest first. */
export function Component() {
  const { values, set, clear, active } = useFilters(FILTERS);
  const { agents, nameOf } = useDirectory();
  const environments = useEnvironments();
  const list = usePaged('/v1/sessions', values);
  return (
    <ListPage
      title="Sessions"
      meta="Agents that call one tool after another, each call decided by itself."
      list={list}
      keyOf={keyOf}
      pathOf={pathOf}
      active={active}
      onClear={clear}
      empty="A session appears here when an agent opens one."
      filters={
        <>
          <FilterSelect
            label="State"
            value={values.state ?? ''}
            values={[
              ['open', 'open'],
              ['ended', 'ended'],
            ]}
            onChange={(value) => {
              set('state', value);
            }}
          />
          <FilterSelect
            label="Agent"
            value={values.agent_id ?? ''}
            values={[...agents]}
            onChange={(value) => {
              set('agent_id', value);
            }}
          />
        </>
      }
    >
      {(session) => (
        <>
          <span className="line-clamp-2 block font-medium">
            <InertText text={session.agent_ids.map((id) => nameOf({ kind: 'agent', id })).join(', ')} />
          </span>
          <span className="block text-sm text-muted">{settingsInWords(session)}</span>
          <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StateBadge state={session.ended_reason ?? session.state} />
            <EnvironmentLabel
              name={session.environment.name}
              production={environments.get(session.environment.name)?.production ?? false}
            />
            <span>
              opened <TimeAgo at={session.opened_at} />
            </span>
            <span>
              last used <TimeAgo at={session.last_used_at} />
            </span>
          </span>
        </>
      )}
    </ListPage>
  );
}
