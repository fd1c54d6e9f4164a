import { useQuery } from '@tanstack/react-query';
import { FileDown, ListX, PackageOpen } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import type { ProductionChangeReportView, ProductionChangeView } from '#lib/api-schemas';
import { counted, stateInWords } from '#lib/words';
import { hrefOf, queryOf } from '../api/query.js';
import { usePaged } from '../api/paged.js';
import { InertText, SaidBy } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { Headline } from '../components/headline.js';
import { StateBadge } from '../components/state-badge.js';
import { Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { useFilters } from '../components/use-filters.js';
import { PageList } from '../components/page-list.js';
import { NoAuditRole, useMayAudit } from './may-audit.js';

const PATH = '/v1/reports/production-changes';
const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A day of the address, which may hold anything. */
const given = (value: string | undefined): string | null =>
  value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null;

const keyOf = ({ run_id: id }: ProductionChangeView): string => id;

/** The whole population of production changes of a period, with counts over the same rows. */
export function Component() {
  return useMayAudit() ? <Report /> : <NoAuditRole title="Production changes" />;
}

function Report() {
  const { values, set } = useFilters(['from', 'until']);
  const from = given(values.from) ?? dayOf(Date.now() - 30 * DAY_MS);
  const until = given(values.until) ?? dayOf(Date.now());
  const period = {
    from: `${from}T00:00:00.000Z`,
    // The last day is part of the period.
    until: new Date(Date.parse(`${until}T00:00:00.000Z`) + DAY_MS).toISOString(),
  };
  const report = useQuery(queryOf(PATH, { query: { ...period, limit: 1 } }));
  return (
    <Page
      eyebrow={<Link to="/audit">Audit</Link>}
      title="Production changes"
      meta="Every run in a production environment, by the day in UTC: nothing is sampled, nothing left out."
      actions={
        <>
          <a className={buttonClass('secondary')} href={hrefOf(PATH, { ...period, format: 'csv' })} download>
            <FileDown aria-hidden className="size-4" /> CSV
          </a>
          <a className={buttonClass('secondary')} href={hrefOf(`${PATH}/packs`, period)} download>
            <PackageOpen aria-hidden className="size-4" /> Evidence packs
          </a>
        </>
      }
    >
      <div className="mb-4 flex flex-wrap gap-4">
        <Day
          label="From"
          value={from}
          onChange={(value) => {
            set('from', value);
          }}
        />
        <Day
          label="To"
          value={until}
          onChange={(value) => {
            set('until', value);
          }}
        />
      </div>
      {report.error !== null && <ErrorNote error={report.error} retry={() => void report.refetch()} />}
      {report.isPending && <Skeleton className="mb-4 h-40" />}
      {report.data !== undefined && <Totals totals={report.data.totals} />}
      {report.error === null && <Changes period={period} />}
    </Page>
  );
}

function Day({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        onChange={(event) => {
          if (event.target.value !== '') onChange(event.target.value);
        }}
        className="h-9 rounded-lg border border-line-strong bg-surface px-2 text-sm"
      />
    </span>
  );
}

function Totals({ totals }: { readonly totals: ProductionChangeReportView['totals'] }) {
  return (
    <Card title="Counts" className="mb-4">
      <div className="grid gap-6 text-sm sm:grid-cols-3">
        <Counts
          title={counted(totals.runs, 'run')}
          rows={[
            ['ordinary', totals.ordinary],
            ['with an exception', totals.exceptional],
          ]}
        />
        <Counts
          title="by how they ended"
          rows={totals.by_state.map(({ state, runs }) => [stateInWords(state), runs])}
        />
        <Counts
          title="by exception (a run may have several)"
          rows={totals.by_exception.map(({ exception, runs }) => [inWords(exception), runs])}
        />
      </div>
    </Card>
  );
}

function Counts({ title, rows }: { readonly title: string; readonly rows: readonly (readonly [string, number])[] }) {
  return (
    <div>
      <p className="mb-1 font-medium">{title}</p>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4">
        {rows.map(([name, count]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right">{count}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The state has a badge of its own, and says it once. */
const otherThanState = ({ exceptions, state }: ProductionChangeView) =>
  exceptions.filter((exception) => exception !== state);

function Changes({ period }: { readonly period: { readonly from: string; readonly until: string } }) {
  const list = usePaged(PATH, period);
  return (
    <Card title="The runs" flush>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {!list.isPending && list.error === null && list.items.length === 0 && (
        <Empty icon={<ListX aria-hidden />} title="No production change in this period">
          Choose an earlier day to begin with.
        </Empty>
      )}
      {list.items.length > 0 && (
        <PageList rows={list.items} label="Production changes" estimate={96} keyOf={keyOf} onNearEnd={list.more}>
          {(change) => (
            <Link
              to={`/runs/${change.run_id}`}
              className="block px-4 py-3 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
            >
              <span className="flex flex-wrap items-center gap-2">
                <span className="text-muted">
                  <Timestamp at={change.occurred_at} />
                </span>
                <StateBadge state={change.state} />
                <span className="font-medium">{change.environment}</span>
                {otherThanState(change).map((exception) => (
                  <Badge key={exception} tone="bad">
                    {inWords(exception)}
                  </Badge>
                ))}
              </span>
              <span className="mt-1 block">
                <Headline headline={change.headline} />
              </span>
              <SaidBy text={change.goal} by={change.requester.name} />
              <span className="text-muted">
                {change.tools.join(', ')} on {counted(change.targets, 'target')}, asked by{' '}
                <InertText text={change.requester.name} />,{' '}
                {change.approvers.length === 0 ? (
                  'approved by nobody'
                ) : (
                  <>
                    approved by <InertText text={change.approvers.map(({ name }) => name).join(', ')} />
                  </>
                )}
              </span>
            </Link>
          )}
        </PageList>
      )}
    </Card>
  );
}
