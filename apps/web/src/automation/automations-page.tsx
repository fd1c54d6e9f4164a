import { Link } from 'react-router';
import type { ListedAutomationView } from '#lib/api-schemas';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { usePaged } from '../api/paged.js';
import { ActorName } from '../components/actor-name.js';
import { InertText } from '../components/agent-text.js';
import { buttonClass } from '../components/button.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ListPage } from '../components/list-page.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, Timestamp } from '../components/times.js';
import { AutomationState } from './automation-state.js';
import { AutomationTabs } from './automation-tabs.js';

const keyOf = ({ id }: ListedAutomationView): string => id;
const pathOf = ({ id }: ListedAutomationView): string => `/automations/${id}`;
const noFilter = (): void => undefined;

/** The automations: those that wait for an admin, and those that run. */
export function Component() {
  const list = usePaged('/v1/automations');
  return (
    <ListPage
      title="Automations"
      meta="They call tools while nobody watches. Agents and people propose them; an admin enables them."
      actions={
        <Link to="/automations/new" className={buttonClass('primary')}>
          New automation
        </Link>
      }
      tabs={<AutomationTabs />}
      list={list}
      keyOf={keyOf}
      pathOf={pathOf}
      filters={null}
      active={0}
      onClear={noFilter}
      empty={
        <>
          Begin with an example:{' '}
          <Link to="/automations/new" className="text-accent underline">
            New automation
          </Link>
          . Or propose a file:
          <code className="mt-2 block rounded-lg bg-sunken px-3 py-2 font-mono text-xs text-ink">
            npx countersign automation propose restart-web.yaml
          </code>
        </>
      }
    >
      {(automation) => <Row automation={automation} />}
    </ListPage>
  );
}

function Row({ automation }: { readonly automation: ListedAutomationView }) {
  const { people } = useDirectory();
  const { name } = automation.environment;
  const environment = useEnvironments().get(name) ?? { name, production: false };
  const { owner_id: owner, next_at: next, last_run: lastRun } = automation;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono text-sm font-medium break-all">
          <InertText text={automation.name} />
        </span>
        <EnvironmentLabel {...environment} />
      </span>
      <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <AutomationState automation={automation} />
        {owner === null ? (
          <span>
            proposed <TimeAgo at={automation.proposed_at} />, source by <ActorName actor={automation.author} />
          </span>
        ) : (
          <span>
            <InertText text={people.get(owner) ?? 'a person'} /> answers for it
          </span>
        )}
        {next !== null && (
          <span>
            next <Timestamp at={next} />
          </span>
        )}
        {lastRun !== null && (
          <span className="inline-flex flex-wrap items-center gap-x-2">
            last run <StateBadge state={lastRun.state} /> <TimeAgo at={lastRun.finished_at ?? lastRun.created_at} />
          </span>
        )}
      </span>
    </>
  );
}
