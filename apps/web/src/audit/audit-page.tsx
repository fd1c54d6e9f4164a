import { useCallback } from 'react';
import { Link } from 'react-router';
import type { AuditEntryView } from '../api/audit.js';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { ActorName } from '../components/actor-name.js';
import { Badge } from '../components/badge.js';
import { buttonClass } from '../components/button.js';
import { FilterSelect } from '../components/filter-select.js';
import { FilterText } from '../components/filter-text.js';
import { ListPage } from '../components/list-page.js';
import { ShortId } from '../components/short-id.js';
import { Timestamp } from '../components/times.js';
import { useFilters } from '../components/use-filters.js';
import { CheckpointCard } from './checkpoint-card.js';
import { NoAuditRole, useMayAudit } from './may-audit.js';
import { SubjectName } from './subject-name.js';

const FILTERS = [
  'from',
  'until',
  'actor_id',
  'subject_type',
  'subject_id',
  'action',
  'tool',
  'outcome',
  'level',
  'plan_id',
  'task_id',
] as const;
const OUTCOMES = ['allow', 'require_approval', 'deny'] as const;
const LEVELS = ['basic', 'detailed', 'full', 'full_with_evidence', 'critical'] as const;

const keyOf = ({ header }: AuditEntryView): string => header.id;
const pathOf = ({ header }: AuditEntryView): string => `/audit/${header.id}`;

/** The audit log: everything that was done, newest first. */
export function Component() {
  return useMayAudit() ? <Search /> : <NoAuditRole title="Audit" />;
}

function Search() {
  const { values, set, clear, active } = useFilters(FILTERS);
  const { people, agents } = useDirectory();
  const moment = (name: 'from' | 'until'): string => {
    // The address may hold anything; what is no time is left to the API to refuse.
    const at = Date.parse(values[name] ?? '');
    return Number.isNaN(at) ? (values[name] ?? '') : new Date(at).toISOString();
  };
  const list = usePaged<AuditEntryView>('audit', '/v1/audit/entries', {
    ...values,
    from: moment('from'),
    until: moment('until'),
  });
  const change = useCallback(
    (name: string) => (value: string) => {
      set(name, value);
    },
    [set],
  );
  return (
    <>
      <ListPage
        title="Audit"
        meta="Everything that was done, newest first. Every entry stands in a signed log."
        list={list}
        keyOf={keyOf}
        pathOf={pathOf}
        actions={
          <>
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
        filters={
          <>
            <FilterText label="From" type="datetime-local" value={values.from ?? ''} onChange={change('from')} />
            <FilterText label="Until" type="datetime-local" value={values.until ?? ''} onChange={change('until')} />
            <FilterSelect
              label="Actor"
              value={values.actor_id ?? ''}
              values={[...people, ...[...agents].map(([id, name]) => [id, `${name} (agent)`] as const)]}
              onChange={change('actor_id')}
            />
            <FilterText
              label="Action"
              placeholder="run.completed"
              value={values.action ?? ''}
              onChange={change('action')}
            />
            <FilterText
              label="Tool"
              placeholder="execute_rollout_prod"
              value={values.tool ?? ''}
              onChange={change('tool')}
            />
            <FilterText
              label="Subject"
              placeholder="id"
              value={values.subject_id ?? ''}
              onChange={change('subject_id')}
            />
            <FilterText
              label="Subject type"
              placeholder="run"
              value={values.subject_type ?? ''}
              onChange={change('subject_type')}
            />
            <FilterText label="Plan" placeholder="id" value={values.plan_id ?? ''} onChange={change('plan_id')} />
            <FilterSelect label="Outcome" value={values.outcome ?? ''} values={OUTCOMES} onChange={change('outcome')} />
            <FilterSelect label="Level" value={values.level ?? ''} values={LEVELS} onChange={change('level')} />
          </>
        }
      >
        {(entry) => <EntryLines entry={entry} />}
      </ListPage>
      <div className="mx-auto max-w-6xl px-4 pb-8 md:px-8">
        <CheckpointCard />
      </div>
    </>
  );
}

const EntryLines = ({ entry }: { readonly entry: AuditEntryView }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
    <span className="font-mono font-medium">{entry.header.action}</span>
    {entry.header.level === 'critical' && <Badge tone="bad">critical</Badge>}
    <span className="ml-auto text-muted">
      <Timestamp at={entry.header.occurred_at} />
    </span>
    <span className="line-clamp-2 basis-full text-muted">
      <ActorName actor={entry.header.actor} /> on <SubjectName entry={entry} /> <ShortId id={entry.header.subject.id} />
    </span>
  </span>
);
