import { useCallback, type ReactNode } from 'react';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { useToolNames } from '../api/tools.js';
import { FilterSelect } from './filter-select.js';
import { FilterText } from './filter-text.js';
import { MoreFilters } from './more-filters.js';
import { WHEN } from './use-period.js';
import type { WorkFiltersInUse } from './use-work-filters.js';

interface WorkFiltersProps {
  readonly filters: Pick<WorkFiltersInUse, 'values' | 'set'>;
  /** Filters of this list alone. */
  readonly children?: ReactNode;
}

const FURTHER = ['agent_id', 'person_id', 'tool', 'target', 'from', 'until'] as const;

/** The filters that every list of work has: those used most at once, the others behind a button. */
export function WorkFilters({ filters: { values, set }, children }: WorkFiltersProps) {
  const environments = useEnvironments();
  const search = useCallback(
    (value: string) => {
      set('search', value);
    },
    [set],
  );
  return (
    <>
      <FilterText
        label="Search"
        type="search"
        placeholder="a goal, tool, target or id"
        value={values.search ?? ''}
        onChange={search}
      />
      {children}
      <FilterSelect
        label="Environment"
        value={values.environment ?? ''}
        values={[...environments.keys()]}
        onChange={(value) => {
          set('environment', value);
        }}
      />
      <FilterSelect
        label="When"
        value={values.when ?? ''}
        values={WHEN}
        onChange={(value) => {
          set('when', value);
        }}
      />
      <MoreFilters inUse={FURTHER.filter((name) => (values[name] ?? '') !== '').length}>
        <Further values={values} set={set} />
      </MoreFilters>
    </>
  );
}

function Further({ values, set }: WorkFiltersProps['filters']) {
  const { agents, people } = useDirectory();
  const tools = useToolNames();
  const target = useCallback(
    (value: string) => {
      set('target', value);
    },
    [set],
  );
  const from = useCallback(
    (value: string) => {
      set('from', value);
    },
    [set],
  );
  const until = useCallback(
    (value: string) => {
      set('until', value);
    },
    [set],
  );
  return (
    <>
      <FilterSelect
        label="Agent"
        value={values.agent_id ?? ''}
        values={[...agents]}
        onChange={(value) => {
          set('agent_id', value);
        }}
      />
      <FilterSelect
        label="Person"
        value={values.person_id ?? ''}
        values={[...people]}
        onChange={(value) => {
          set('person_id', value);
        }}
      />
      <FilterSelect
        label="Tool"
        value={values.tool ?? ''}
        values={tools.map((name) => [name, name] as const)}
        onChange={(value) => {
          set('tool', value);
        }}
      />
      <FilterText label="Target" placeholder="web-04" value={values.target ?? ''} onChange={target} />
      {(values.when ?? '') === '' && (
        <FilterText label="From" type="datetime-local" value={values.from ?? ''} onChange={from} />
      )}
      <FilterText label="Until" type="datetime-local" value={values.until ?? ''} onChange={until} />
    </>
  );
}
