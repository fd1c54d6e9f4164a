import { useQuery } from '@tanstack/react-query';
import type { AutomationRunView, SeenAutomationRunView } from '#lib/api-schemas';
import { ownMember } from '#lib/canonical';
import { inDuration } from '#lib/words';
import { usePaged } from '../api/paged.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { PagedList } from '../components/paged-list.js';
import { Skeleton } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { UnfoldingItem } from '../components/unfolding-item.js';
import { StepCall } from './step-call.js';

interface AutomationRunsProps {
  readonly id: string;
  /** The text without any run. */
  readonly empty: string;
}

/** The runs, newest first; each unfolds to its steps. */
export function AutomationRuns({ id, empty }: AutomationRunsProps) {
  const list = usePaged('/v1/automations/{id}/runs', undefined, { id });
  return (
    <PagedList title="Runs" list={list} empty={empty} more="Earlier ones">
      {(run, index) => <RunItem key={run.id} automationId={id} run={run} first={index === 0} />}
    </PagedList>
  );
}

interface RunItemProps {
  readonly automationId: string;
  readonly run: AutomationRunView;
  readonly first: boolean;
}

/** The cause of a run, before its time, by the kind of its trigger. */
const CAUSES: Readonly<Record<string, string>> = {
  cron: 'due',
  event: 'event of',
  endpoint: 'asked for at',
  webhook: 'message of',
};

function RunItem({ automationId, run, first }: RunItemProps) {
  return (
    // Readers come for the last run, and above all if it failed.
    <UnfoldingItem
      unfolded={first}
      line={
        <>
          <StateBadge state={run.state} />
          <span>
            {ownMember(CAUSES, run.occurrence.split(':')[0] ?? '') ?? 'of'} <Timestamp at={run.due_at} />
          </span>
          <span className="ml-auto text-muted">
            <TimeAgo at={run.finished_at ?? run.created_at} />
          </span>
        </>
      }
      more={(open) => run.error !== null && !open && <Fault run={run} />}
    >
      <Steps automationId={automationId} run={run} />
    </UnfoldingItem>
  );
}

const Fault = ({ run: { state, error } }: Pick<RunItemProps, 'run'>) => (
  <span className={`mt-1 block break-words ${state === 'failed' ? 'text-bad' : 'text-muted'}`}>
    <InertText text={error?.message ?? ''} />
  </span>
);

function Steps({ automationId, run }: Omit<RunItemProps, 'first'>) {
  const seen = useQuery(queryOf('/v1/automations/{id}/runs/{run}', { path: { id: automationId, run: run.id } }));
  if (seen.error !== null)
    return (
      <div className="px-4 pb-3">
        <ErrorNote error={seen.error} retry={() => void seen.refetch()} />
      </div>
    );
  if (seen.data === undefined) return <Skeleton className="mx-4 mb-3 h-20" />;
  const { steps, revision, error } = seen.data;
  // Mostly a step says it, below.
  const said = steps.some((step) => step.error?.message === error?.message);
  return (
    <div className="px-4 pb-3 pl-10 text-sm">
      {Object.keys(seen.data.inputs).length > 0 && (
        <div className="mb-3">
          <Facts
            facts={Object.entries(seen.data.inputs).map(([input, value]) => [
              input,
              <JsonValue key={input} value={value} />,
            ])}
          />
        </div>
      )}
      {error !== null && !said && <Fault run={seen.data} />}
      {steps.length === 0 && <p className="text-muted">No step was begun.</p>}
      <ol className="flex flex-col gap-2.5">
        {steps.map((step) => (
          <StepOutcome key={step.step} step={step} />
        ))}
      </ol>
      <p className="mt-3 text-xs text-muted">By revision {revision}.</p>
    </div>
  );
}

type Step = SeenAutomationRunView['steps'][number];

function Outcome({ step: { type, state, blocked } }: { readonly step: Step }) {
  if (blocked) return <Badge tone="bad">blocked</Badge>;
  return type === 'condition' && state === 'succeeded' ? (
    <Badge tone="good">holds</Badge>
  ) : (
    <StateBadge state={state} />
  );
}

function StepOutcome({ step }: { readonly step: Step }) {
  const { error, started_at: from, finished_at: until, tool_call_id: call } = step;
  const took = until === null ? 0 : Date.parse(until) - Date.parse(from);
  return (
    <li className="flex flex-col gap-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="font-mono text-xs">
          <InertText text={step.step} />
        </code>
        <span className="text-muted">{inWords(step.type)}</span>
        <Outcome step={step} />
        {took >= 1_000 && <span className="text-muted">{inDuration(took)}</span>}
      </span>
      {error !== null && (
        <span className="break-words text-bad">
          <InertText text={error.message} />
        </span>
      )}
      {call !== null && <StepCall id={call} />}
    </li>
  );
}
