import { ChevronDown } from 'lucide-react';
import { useCallback, useId, useState, type ReactNode } from 'react';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { useToolNames } from '../api/tools.js';
import { Button } from './button.js';
import { FilterSelect } from './filter-select.js';
import { FilterText } from './filter-text.js';
import type { WorkFiltersInUse } from './use-work-filters.js';

interface WorkFiltersProps {
  readonly filters: Pick<WorkFiltersInUse, 'values' | 'set'>;
  /** Filters of this list alone. */
  readonly children?: ReactNode;
}

const WHEN = [
  ['1h', 'in the last hour'],
  ['24h', 'in the last day'],
  ['7d', 'in the last 7 days'],
  ['30d', 'in the last 30 days'],
] as const;

const FURTHER = ['agent_id', 'person_id', 'tool', 'target', 'from', 'until'] as const;

/** The filters that every list of work has: those used most at once, the others behind a button. */
export function WorkFilters({ filters: { values, set }, children }: WorkFiltersProps) {
  const id = useId();
  const environments = useEnvironments();
  const inUse = FURTHER.filter((name) => (values[name] ?? '') !== '').length;
  const [open, setOpen] = useState(inUse > 0);
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
      <Button
        size="sm"
        look="quiet"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpen(!open);
        }}
      >
        More filters{inUse > 0 ? ` (${String(inUse)})` : ''}
        <ChevronDown aria-hidden className={`size-4 ${open ? 'rotate-180' : ''}`} />
      </Button>
      <span
        id={id}
        className={`${open ? 'grid md:flex' : 'hidden'} col-span-2 basis-full grid-cols-2 items-end gap-3 md:flex-wrap md:items-center md:gap-x-5`}
      >
        {open && <Further values={values} set={set} />}
      </span>
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
