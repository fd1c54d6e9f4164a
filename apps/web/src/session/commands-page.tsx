import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { usePaged } from '../api/paged.js';
import { NoAuditRole, useMayAudit } from '../audit/may-audit.js';
import { InertText, LineText } from '../components/agent-text.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { FilterSelect } from '../components/filter-select.js';
import { FilterText } from '../components/filter-text.js';
import { ListPage } from '../components/list-page.js';
import { MoreFilters } from '../components/more-filters.js';
import { RiskBadge } from '../components/risk-badge.js';
import { Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { useFilters } from '../components/use-filters.js';
import { usePeriod, WHEN } from '../components/use-period.js';
import { TierBadge } from './tier-badge.js';
import { DecisionBadge, DECISIONS } from './decision-badge.js';

const FILTERS = ['tier', 'class', 'decision', 'agent_id', 'when', 'from', 'until'] as const;
const FURTHER = ['from', 'until'] as const;
const TIERS = [
  ['1', 'tier 1: reads'],
  ['2', 'tier 2: asks'],
  ['3', 'tier 3: denied'],
] as const;
const CLASSES = ['READ_ONLY', 'BUILD_TEST', 'WRITE', 'NETWORK', 'UNKNOWN', 'DESTRUCTIVE', 'ESCALATION'].map(
  (name) => [name, inWords(name.toLowerCase())] as const,
);

const keyOf = ({ id }: { readonly id: string }): string => id;
const pathOf = ({ id }: { readonly id: string }): string => `/audit/${id}`;

/** The command lines of all agents, for security review. */
export function Component() {
  return useMayAudit() ? <Search /> : <NoAuditRole title="Commands" />;
}

function Search() {
  const { values, set, clear, active } = useFilters(FILTERS);
  const { agents, nameOf } = useDirectory();
  const environments = useEnvironments();
  const period = usePeriod(values);
  const { when = '', ...others } = values;
  const list = usePaged('/v1/audit', { ...others, ...period, command_lines: 'true' });
  const control = (name: (typeof FILTERS)[number]) => ({
    value: values[name] ?? '',
    onChange: (value: string) => {
      set(name, value);
    },
  });
  return (
    <ListPage
      title="Commands"
      meta="The command lines that agents wanted to execute, newest first."
      list={list}
      keyOf={keyOf}
      pathOf={pathOf}
      active={active}
      onClear={clear}
      empty="A command line appears here when an agent asks to execute one."
      filters={
        <>
          <FilterSelect label="Tier" values={TIERS} {...control('tier')} />
          <FilterSelect label="Class" values={CLASSES} {...control('class')} />
          <FilterSelect label="Decision" values={DECISIONS} {...control('decision')} />
          <FilterSelect label="Agent" values={[...agents]} {...control('agent_id')} />
          <FilterSelect label="When" values={WHEN} {...control('when')} />
          {when === '' && (
            <MoreFilters inUse={FURTHER.filter((name) => (values[name] ?? '') !== '').length}>
              <FilterText label="From" type="datetime-local" {...control('from')} />
              <FilterText label="Until" type="datetime-local" {...control('until')} />
            </MoreFilters>
          )}
        </>
      }
    >
      {(entry) => (
        <>
          <code className="line-clamp-2 block font-mono text-[0.8125rem] break-all">
            <LineText text={entry.command ?? entry.summary} />
          </code>
          <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            {entry.tier !== null && entry.class !== null && <TierBadge tier={entry.tier} class={entry.class} />}
            {entry.decision !== null && <DecisionBadge decision={entry.decision} />}
            {entry.risk !== null && <RiskBadge level={entry.risk} />}
            {entry.agent_id !== null && <InertText text={nameOf({ kind: 'agent', id: entry.agent_id })} />}
            {entry.environment !== null && (
              <EnvironmentLabel
                name={entry.environment}
                production={environments.get(entry.environment)?.production ?? false}
              />
            )}
            <Timestamp at={entry.occurred_at} />
          </span>
        </>
      )}
    </ListPage>
  );
}
