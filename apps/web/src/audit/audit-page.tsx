import { FileSearch } from 'lucide-react';
import { useCallback, useId } from 'react';
import { Link } from 'react-router';
import type { AuditEntryView } from '../api/audit.js';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/session.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { buttonClass } from '../components/button.js';
import { Empty } from '../components/empty.js';
import { FilterSelect } from '../components/filter-select.js';
import { ListPage } from '../components/list-page.js';
import { Page } from '../components/page.js';
import { Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { useFilters } from '../components/use-filters.js';
import { CheckpointCard } from './checkpoint-card.js';

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
const AUDITORS: readonly string[] = ['PlatformAdmin', 'SecurityReviewer'];

const keyOf = ({ header }: AuditEntryView): string => header.id;
const pathOf = ({ header }: AuditEntryView): string => `/audit/${header.id}`;

/** The audit log: everything that was done, newest first. */
export function Component() {
  const { person } = useSignedIn();
  if (person.roles.some((role) => AUDITORS.includes(role))) return <Search />;
  return (
    <Page title="Audit" meta="Everything that was done, and the proof of it.">
      <Empty icon={<FileSearch aria-hidden />} title="Your roles do not open the audit log">
        Ask a PlatformAdmin for the role SecurityReviewer. What happened to one plan stands on its own page, for
        everybody.
      </Empty>
    </Page>
  );
}

function Search() {
  const { values, set, clear, any } = useFilters(FILTERS);
  const { people, agents } = useDirectory();
  const moment = (name: 'from' | 'until'): string => (values[name] ? new Date(values[name]).toISOString() : '');
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
        filtered={any}
        onClear={clear}
        empty="Entries are written with whatever is done; nothing was done yet."
        filters={
          <>
            <Text label="From" type="datetime-local" value={values.from ?? ''} onChange={change('from')} />
            <Text label="Until" type="datetime-local" value={values.until ?? ''} onChange={change('until')} />
            <Choice
              label="Actor"
              value={values.actor_id ?? ''}
              options={[...people, ...[...agents].map(([id, name]) => [id, `${name} (agent)`] as const)]}
              onChange={change('actor_id')}
            />
            <Text label="Action" placeholder="run.completed" value={values.action ?? ''} onChange={change('action')} />
            <Text label="Tool" placeholder="execute_rollout_prod" value={values.tool ?? ''} onChange={change('tool')} />
            <Text label="Subject" placeholder="id" value={values.subject_id ?? ''} onChange={change('subject_id')} />
            <Text
              label="Subject type"
              placeholder="run"
              value={values.subject_type ?? ''}
              onChange={change('subject_type')}
            />
            <Text label="Plan" placeholder="id" value={values.plan_id ?? ''} onChange={change('plan_id')} />
            <FilterSelect label="Outcome" value={values.outcome ?? ''} values={OUTCOMES} onChange={change('outcome')} />
            <FilterSelect label="Level" value={values.level ?? ''} values={LEVELS} onChange={change('level')} />
            <span className="ml-auto flex gap-2">
              <Link className={buttonClass('secondary', 'sm')} to="/audit/reports">
                Period reports
              </Link>
              <Link className={buttonClass('secondary', 'sm')} to="/audit/verify">
                Verify a pack
              </Link>
            </span>
          </>
        }
      >
        {({ header }) => (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <span className="font-mono font-medium">{header.action}</span>
            {header.level === 'critical' && <Badge tone="bad">critical</Badge>}
            <span className="ml-auto text-muted">
              <Timestamp at={header.occurred_at} />
            </span>
            <span className="basis-full text-muted">
              <InertText text={header.actor.display_name} /> on {inWords(header.subject.type)}{' '}
              <code className="font-mono text-xs">
                <InertText text={header.subject.id} />
              </code>
            </span>
          </span>
        )}
      </ListPage>
      <div className="mx-auto max-w-6xl px-4 pb-8 md:px-8">
        <CheckpointCard />
      </div>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'datetime-local';
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

/** A filter that is typed; it counts once it is left or Enter is pressed. */
function Text({ label, value, type = 'text', placeholder, onChange }: TextProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <input
        id={id}
        key={value}
        type={type}
        defaultValue={value}
        placeholder={placeholder}
        onBlur={(event) => {
          if (event.target.value !== value) onChange(event.target.value.trim());
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(event.currentTarget.value.trim());
        }}
        className="h-9 w-44 rounded-lg border border-line-strong bg-surface px-2 text-sm placeholder:text-muted"
      />
    </span>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        className="h-9 max-w-44 rounded-lg border border-line-strong bg-surface px-2 text-sm"
      >
        <option value="">any</option>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
