import { HeartPulse } from 'lucide-react';
import { useState } from 'react';
import { inDuration } from '#lib/words';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { StateBadge } from '../components/state-badge.js';
import { Targets } from '../components/targets.js';
import { toneOf, inWords } from '../components/tone-of.js';
import { ResolveDialog } from './resolve-dialog.js';
import type { BatchProgress, PhaseProgress, Step } from './run-timeline.js';

const BAR = {
  good: 'bg-good',
  bad: 'bg-bad',
  warn: 'bg-warn',
  info: 'bg-accent',
  neutral: 'bg-line-strong/50',
} as const;

/** A run as phases of batches: its position, its checks, and the steps that a person has to look at. */
export function PhaseTimeline({
  phases,
  runId,
}: {
  readonly phases: readonly PhaseProgress[];
  readonly runId: string;
}) {
  return (
    <ol className="flex flex-col divide-y divide-line">
      {phases.map((phase) => (
        <li key={phase.index} className="p-4">
          <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="font-semibold">{phase.name}</h3>
            {phase.canary && phase.name !== 'canary' && <Badge tone="info">canary</Badge>}
            {phase.rollbackIf !== null && (
              <span className="text-sm text-muted">
                rolls back if <code className="font-mono text-[0.8125rem]">{phase.rollbackIf}</code>
              </span>
            )}
          </div>
          <div aria-hidden className="mb-3 flex gap-1">
            {phase.batches.map(({ index, state, targets }) => (
              <span
                key={index}
                style={{ flexGrow: Math.max(1, targets.length) }}
                className={`h-2 min-w-2 rounded-full forced-colors:border ${BAR[toneOf(state)]} ${state === 'running' ? 'animate-pulse' : ''}`}
              />
            ))}
          </div>
          <ol className="flex flex-col gap-3">
            {phase.batches.map((batch) => (
              <li key={batch.index}>
                <Batch batch={batch} runId={runId} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function Batch({ batch, runId }: { readonly batch: BatchProgress; readonly runId: string }) {
  return (
    <div className="grid gap-x-4 gap-y-1 md:grid-cols-[11rem_1fr]">
      <p className="flex items-center gap-2 self-start text-sm">
        <span className="w-16 text-muted">batch {batch.index + 1}</span>
        <StateBadge state={batch.state} />
      </p>
      <div className="flex min-w-0 flex-col gap-1.5">
        <Targets names={batch.targets} />
        {batch.calls.map((step) => (
          <StepLine key={step.id} step={step} runId={runId} />
        ))}
        {batch.checks
          .filter(({ state }) => state === 'unknown' || state === 'failed')
          .map((step) => (
            <StepLine key={step.id} step={step} runId={runId} />
          ))}
        {batch.health !== null && (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <HeartPulse aria-hidden className="size-4 text-muted" />
            <Badge tone={toneOf(batch.health.verdict)}>{inWords(batch.health.verdict)}</Badge>
            <span className="text-muted">{batch.health.explanation}</span>
          </p>
        )}
      </div>
    </div>
  );
}

/** How long the last of these attempts took; nothing while it is on its way. */
function lastTook(attempts: Step['attempts']): string[] {
  const last = attempts.at(-1);
  if (last?.finished_at == null) return [];
  return [inDuration(Date.parse(last.finished_at) - Date.parse(last.dispatched_at))];
}

function StepLine({ step, runId }: { readonly step: Step; readonly runId: string }) {
  const [resolving, setResolving] = useState(false);
  const calls = step.attempts.filter(({ purpose }) => purpose === 'call');
  const undos = step.attempts.filter(({ purpose }) => purpose === 'compensation');
  const told = [
    `#${String(step.seq)}`,
    ...lastTook(calls),
    ...(calls.length > 1 ? [`${String(calls.length)} attempts`] : []),
    ...lastTook(undos).map((time) => `undo took ${time}`),
    ...(undos.length > 1 ? [`${String(undos.length)} attempts to undo it`] : []),
    ...(step.resolved_as === null
      ? []
      : [`a person says it ${step.resolved_as === 'happened' ? 'happened' : 'did not happen'}`]),
  ];
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="font-mono text-[0.8125rem]">{step.tool}</code>
        {step.state !== 'pending' && step.state !== 'succeeded' && <StateBadge state={step.state} />}
        <span className="text-muted">{told.join(', ')}</span>
      </p>
      {step.error !== null && (
        <p className="mt-1 text-bad">
          <InertText text={step.error.message} /> <code className="font-mono text-xs">{step.error.code}</code>
        </p>
      )}
      {step.state === 'unknown' && (
        <div className="mt-2 flex flex-wrap items-center gap-3 rounded-lg bg-bad-soft p-3">
          <p className="min-w-0 flex-1">Whether this took effect is not known. A person has to look and say.</p>
          <Button
            size="sm"
            onClick={() => {
              setResolving(true);
            }}
          >
            Say what happened…
          </Button>
        </div>
      )}
      {resolving && (
        <ResolveDialog
          runId={runId}
          step={step}
          onClose={() => {
            setResolving(false);
          }}
        />
      )}
    </div>
  );
}
