import { useQuery } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { AuditEntry } from '../api/audit.js';
import { hrefOf, queryOf } from '../api/query.js';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { useToolNames } from '../api/tools.js';
import { ActorName } from '../components/actor-name.js';
import { Badge } from '../components/badge.js';
import { buttonClass } from '../components/button.js';
import { FilterSelect } from '../components/filter-select.js';
import { FilterText } from '../components/filter-text.js';
import { FiltersInForce } from '../components/filters-in-force.js';
import { ListPage } from '../components/list-page.js';
import { MoreFilters } from '../components/more-filters.js';
import { ShortId } from '../components/short-id.js';
import { Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { useFilters } from '../components/use-filters.js';
import { usePeriod, WHEN } from '../components/use-period.js';
import { actionInWords } from './action-words.js';
import { CheckpointLine } from './checkpoint-line.js';
import { NoAuditRole, useMayAudit } from './may-audit.js';
import { SubjectName } from './subject-name.js';

const FILTERS = [
  'when',
  'from',
  'until',
  'action',
  'actor_id',
  'tool',
  'subject_type',
  'subject_id',
  'outcome',
  'level',
  'plan_id',
  'task_id',
] as const;
const FURTHER = ['tool', 'subject_id', 'outcome', 'level', 'from', 'until'] as const;
const OUTCOMES = ['allow', 'require_approval', 'deny'] as const;
const LEVELS = ['basic', 'detailed', 'full', 'full_with_evidence', 'critical'] as const;

const keyOf = ({ header }: AuditEntry): string => header.id;
const pathOf = ({ header }: AuditEntry): string => `/audit/${header.id}`;

/** The audit log: everything that was done, newest first. */
export function Component() {
  return useMayAudit() ? <Search /> : <NoAuditRole title="Audit" />;
}

function Search() {
  const { values, set, clear, active } = useFilters(FILTERS);
  const period = usePeriod(values);
  const { when: _, ...others } = values;
  const query = { ...others, ...period };
  const list = usePaged('/v1/audit/entries', query);
  return (
    <ListPage
      title="Audit"
      meta="Everything that was done, newest first. Every entry stands in a signed log."
      list={list}
      keyOf={keyOf}
      pathOf={pathOf}
      actions={
        <>
          <Export query={query} />
          <Link className={buttonClass('secondary')} to="/audit/reports">
            Period reports
          </Link>
          <Link className={buttonClass('secondary')} to="/audit/verify">
            Verify a pack
          </Link>
        </>
      }
      active={active}
      onClear={clear}
      empty="Every action writes an entry; nothing was done yet."
      tabs={<CheckpointLine />}
      filters={<AuditFilters values={values} set={set} />}
      inForce={<InForce values={values} set={set} />}
    >
      {(entry) => <EntryLines entry={entry} />}
    </ListPage>
  );
}

/** The entries that the filters find, as a file. */
const Export = ({ query }: { readonly query: Readonly<Record<string, string>> }) => (
  <>
    {(['csv', 'jsonl'] as const).map((format) => (
      <a
        key={format}
        className={buttonClass('secondary')}
        href={hrefOf('/v1/audit/export', { ...query, format })}
        download
        title="What the filters find, 100,000 entries at most"
      >
        <FileDown aria-hidden className="size-4" /> {format === 'csv' ? 'CSV' : 'JSON lines'}
      </a>
    ))}
  </>
);

interface AuditFiltersProps {
  readonly values: Readonly<Record<string, string>>;
  readonly set: (name: string, value: string) => void;
}

function AuditFilters({ values, set }: AuditFiltersProps) {
  const { people, agents } = useDirectory();
  const actions = useActions();
  const change = useMemo(
    () => Object.fromEntries(FILTERS.map((name) => [name, (value: string) => set(name, value)])),
    [set],
  );
  const control = (name: (typeof FILTERS)[number]) => ({
    value: values[name] ?? '',
    onChange: change[name] ?? (() => undefined),
  });
  return (
    <>
      <FilterSelect label="When" values={WHEN} {...control('when')} />
      <FilterSelect label="Action" values={actions} {...control('action')} />
      <FilterSelect
        label="Who"
        values={[...people, ...[...agents].map(([id, name]) => [id, `${name} (agent)`] as const)]}
        {...control('actor_id')}
      />
      <MoreFilters inUse={FURTHER.filter((name) => (values[name] ?? '') !== '').length}>
        <ToolFilter {...control('tool')} />
        <FilterText label="Subject" placeholder="its id" {...control('subject_id')} />
        <FilterSelect label="Outcome" values={OUTCOMES} {...control('outcome')} />
        <FilterSelect label="Level" values={LEVELS} {...control('level')} />
        {(values.when ?? '') === '' && <FilterText label="From" type="datetime-local" {...control('from')} />}
        <FilterText label="Until" type="datetime-local" {...control('until')} />
      </MoreFilters>
    </>
  );
}

/** Reads the names of the tools once it is shown: the registry is as large as a page of entries. */
const ToolFilter = (control: { readonly value: string; readonly onChange: (value: string) => void }) => (
  <FilterText label="Tool" placeholder="execute_rollout_prod" suggestions={useToolNames()} {...control} />
);

/** The actions that the log holds entries of, with their words. */
function useActions(): readonly (readonly [string, string])[] {
  const { data } = useQuery({ ...queryOf('/v1/audit/actions'), staleTime: 60_000 });
  return useMemo(
    () =>
      (data?.items ?? [])
        .map((action) => [action, actionInWords(action)] as const)
        .toSorted(([, one], [, other]) => one.localeCompare(other)),
    [data],
  );
}

const LABELS: Readonly<Record<(typeof FILTERS)[number], string>> = {
  when: 'When',
  from: 'From',
  until: 'Until',
  action: 'Action',
  actor_id: 'Who',
  tool: 'Tool',
  subject_type: 'Kind of subject',
  subject_id: 'Subject',
  outcome: 'Outcome',
  level: 'Level',
  plan_id: 'Plan',
  task_id: 'Task',
};

function InForce({ values, set }: AuditFiltersProps) {
  const { people, agents } = useDirectory();
  const said = (name: string, value: string): string => {
    if (name === 'when') return WHEN.find(([when]) => when === value)?.[1] ?? value;
    if (name === 'action') return actionInWords(value);
    if (name === 'actor_id') return people.get(value) ?? agents.get(value) ?? value;
    if (name === 'from' || name === 'until') return value.replace('T', ' ');
    return name === 'tool' ? value : inWords(value);
  };
  return (
    <FiltersInForce
      filters={FILTERS.flatMap((name) => {
        const value = values[name] ?? '';
        return value === '' ? [] : [{ name, label: LABELS[name], value: said(name, value) }];
      })}
      onRemove={(name) => {
        set(name, '');
      }}
    />
  );
}

const EntryLines = ({ entry }: { readonly entry: AuditEntry }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
    <span className="font-medium">{actionInWords(entry.header.action)}</span>
    {entry.header.level === 'critical' && <Badge tone="bad">critical</Badge>}
    <span className="ml-auto text-muted">
      <Timestamp at={entry.header.occurred_at} />
    </span>
    <span className="line-clamp-2 basis-full text-muted">
      <ActorName actor={entry.header.actor} /> on <SubjectName entry={entry} /> <ShortId id={entry.header.subject.id} />
    </span>
  </span>
);
