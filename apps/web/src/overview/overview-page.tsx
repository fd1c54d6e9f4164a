import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OverviewView } from '#lib/api-schemas';
import { inDuration, monthsAwaySentence } from '#lib/words';
import { queryOf } from '../api/query.js';
import { Card } from '../components/card.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { Skeleton } from '../components/skeleton.js';
import { Headline } from '../components/headline.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { SetUpChecklist, useSetUpPending } from './set-up-checklist.js';
import { DayChart } from './day-chart.js';
import { OverrideRates } from './override-rates.js';

const DAYS = 14;

/** The waiting requests, the runs, the time that approvals take, and the decisions. */
export function Component() {
  const setUpPending = useSetUpPending();
  const overview = useQuery(queryOf('/v1/overview', { query: { days: DAYS } }));
  return (
    <Page title="Overview" meta={`What waits and what runs now, and the last ${String(DAYS)} days.`}>
      {overview.error !== null && <ErrorNote error={overview.error} retry={() => void overview.refetch()} />}
      <SetUpChecklist />
      {(overview.isPending || setUpPending) && <Loading />}
      {overview.data !== undefined && !setUpPending && <Metrics overview={overview.data} />}
    </Page>
  );
}

const Loading = () => (
  <div role="status" aria-label="Loading" className="grid gap-4 grid-cols-1 md:grid-cols-2">
    <Skeleton className="h-28 md:col-span-2" />
    <Skeleton className="h-24 md:col-span-2" />
    <Skeleton className="h-72" />
    <Skeleton className="h-72" />
  </div>
);

function Metrics({ overview }: { readonly overview: OverviewView }) {
  const {
    waiting,
    running,
    active_halts: halts,
    approval_times: times,
    incidents,
    decisions,
    months_away: away,
  } = overview;
  return (
    <div className="grid gap-4 grid-cols-1 md:grid-cols-2">
      <ul className="grid grid-cols-2 gap-3 md:col-span-2 lg:grid-cols-5">
        <Metric
          value={waiting.approvals}
          name={waiting.approvals === 1 ? 'waits for approval' : 'wait for approval'}
          to="/plans?status=awaiting_approval"
        >
          {waiting.next_expiry !== null && <TimeLeft until={waiting.next_expiry} />}
        </Metric>
        <Metric value={waiting.starts} name="approved, not started" to="/plans?status=approved" />
        <Metric value={waiting.paused_runs} name="runs paused" to="/runs?state=paused" urgent>
          {waiting.unknown_effects > 0 && `${String(waiting.unknown_effects)} effects to find out`}
        </Metric>
        <Metric value={incidents.open} name="incidents open" to="/incidents" urgent>
          {incidents.overdue > 0 && `${String(incidents.overdue)} reviews overdue`}
        </Metric>
        <Metric value={halts} name="halts in force" to="/halts" urgent />
      </ul>
      <Card title={`Runs under way (${String(running.total)})`} className="md:col-span-2" flush>
        {running.runs.length === 0 ? (
          <p className="p-4 text-sm text-muted">
            Nothing runs. A run begins when an approved plan starts.{' '}
            <Link to="/runs" className="text-accent underline">
              See past runs
            </Link>
            .
          </p>
        ) : (
          <ul>
            {running.runs.map((run) => (
              <li key={run.id} className="border-b border-line last:border-0">
                <Link to={`/runs/${run.id}`} className="flex flex-wrap items-center gap-3 px-4 py-3 hover:bg-sunken">
                  <StateBadge state={run.state} />
                  <span className="min-w-0 flex-1 basis-60">
                    <Headline headline={run.headline} />
                  </span>
                  <EnvironmentLabel name={run.environment} production={run.production} />
                  <span className="text-sm text-muted">
                    <TimeAgo at={run.created_at} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Time to approval">
        <DayChart
          label="Time from asking for approval to the approval, by day"
          days={times.map(({ day }) => day)}
          stacked={false}
          series={[
            { name: 'median', fill: 'fill-accent', values: times.map(({ p50_seconds: p50 }) => p50 ?? 0) },
            {
              name: '9 of 10 faster than',
              fill: 'fill-line-strong',
              values: times.map(({ p90_seconds: p90 }) => p90 ?? 0),
            },
          ]}
          inWords={(seconds) => (seconds === 0 ? 'none' : inDuration(seconds * 1_000))}
        />
      </Card>
      <Card title="Decisions">
        <DayChart
          label="Policy decisions by outcome and day"
          days={decisions.map(({ day }) => day)}
          stacked
          series={[
            { name: 'allowed', fill: 'fill-good', values: decisions.map(({ allow }) => allow) },
            {
              name: 'approval asked for',
              fill: 'fill-warn',
              values: decisions.map(({ require_approval: asked }) => asked),
            },
            { name: 'denied', fill: 'fill-bad', values: decisions.map(({ deny }) => deny) },
          ]}
          inWords={String}
        />
        <MonthsAway months={away} />
      </Card>
      <OverrideRates by="tool" />
      <OverrideRates by="person" />
    </div>
  );
}

function MonthsAway({ months }: { readonly months: readonly string[] }) {
  const sentence = monthsAwaySentence(months);
  return sentence === null ? null : (
    <p className="mt-2 text-sm text-muted">{sentence} An operator can bring them back.</p>
  );
}

interface MetricProps {
  readonly value: number;
  readonly name: string;
  readonly to: string;
  /** Whether anything but nought wants somebody at once. */
  readonly urgent?: boolean;
  readonly children?: React.ReactNode;
}

const Metric = ({ value, name, to, urgent = false, children }: MetricProps) => (
  <li className="flex last:col-span-2 lg:last:col-span-1">
    <Link to={to} className="flex-1 rounded-xl border border-line bg-surface px-4 py-3 hover:bg-sunken">
      <span className={`block text-2xl leading-8 font-semibold ${urgent && value > 0 ? 'text-bad' : ''}`}>{value}</span>
      <span className="block text-sm text-muted">{name}</span>
      <span className="block min-h-5 text-xs text-muted">{children}</span>
    </Link>
  </li>
);
