import { HeartPulse, Timer, Undo2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { PlanDescription, ShownPhase } from '#lib/api-schemas';
import { counted, secondsInWords } from '#lib/words';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Targets } from '../components/targets.js';
import { ShownArguments } from './shown-arguments.js';
import { ShownLine } from './shown-line.js';
import { ShownStep } from './shown-step.js';
import { ToolName } from './tool-name.js';

interface WhatIsDoneProps {
  readonly description: PlanDescription;
  /** Which phases are asked about, or were executed. */
  readonly scope?: 'all' | 'canary' | 'promotion';
}

/**
 * The execution, phase by phase, from the approved plan and from no author's words (T11). A plan never changes, so events of its
 * run, its reviews and its comments do not draw it again.
 */
export const WhatIsDone = memo(function WhatIsDone({ description, scope = 'all' }: WhatIsDoneProps) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 border-b border-line p-4 text-sm">
        <span className="text-muted">
          {counted(description.targets.length, 'target')} in <InertText text={description.environment} />:
        </span>
        <Targets names={description.targets} />
      </p>
      <ol className="flex flex-col divide-y divide-line">
        {description.phases.map((phase) => (
          <li key={phase.number} className="p-4">
            <Phase phase={phase} left={scope !== 'all' && phase.canary !== (scope === 'canary')} />
          </li>
        ))}
      </ol>
    </>
  );
});

function Phase({ phase, left }: { readonly phase: ShownPhase; readonly left: boolean }) {
  const targets = [...new Set(phase.batches.flatMap((batch) => batch.targets))];
  return (
    <section aria-label={`Phase ${phase.name}`}>
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold">
          <span className="text-muted">{phase.number}.</span> <InertText text={phase.name} />
        </h3>
        {phase.canary && phase.name !== 'canary' && <Badge tone="info">canary</Badge>}
        {left && <Badge>not part of this</Badge>}
        <span className="text-sm text-muted">
          {counted(targets.length, 'target')} in {counted(phase.batches.length, 'batch', 'batches')}
        </span>
      </header>
      <ol className="mt-2 flex flex-col gap-1 text-sm">
        {phase.batches.map(({ number, targets: names }) => (
          <li key={number} className="flex flex-wrap items-baseline gap-x-2">
            <span className="w-16 shrink-0 text-muted">batch {number}</span>
            {names.length === 0 ? <span className="text-muted">no targets of its own</span> : <Targets names={names} />}
          </li>
        ))}
      </ol>
      <ol className="mt-4 flex flex-col gap-4">
        {phase.steps.map((step) => (
          <li key={step.calls.map(({ seq }) => seq).join()}>
            <ShownStep step={step} />
          </li>
        ))}
      </ol>
      <Afterwards phase={phase} />
    </section>
  );
}

/** The actions after each batch. Their absence is said, too: a plan without checks looks like a careful one. */
function Afterwards({ phase }: { readonly phase: ShownPhase }) {
  const { wait_seconds: wait, health_checks: checks, rollback_if: condition } = phase;
  return (
    <div className="mt-4 rounded-lg bg-sunken p-3 text-sm">
      <p className="mb-1 font-medium">After each batch</p>
      <ul className="flex flex-col gap-1.5">
        <Term icon={<Timer aria-hidden />} none={wait === 0}>
          {wait === 0 ? 'No wait' : <>Wait {secondsInWords(wait)}</>}
        </Term>
        {checks.length === 0 && (
          <Term icon={<HeartPulse aria-hidden />} none>
            No health check
          </Term>
        )}
        {checks.map(({ name, call, checks: made }) => (
          <Term key={made.map(({ batch }) => batch).join() + name} icon={<HeartPulse aria-hidden />}>
            Check <InertText text={name} /> with <ToolName tool={call.tool} />
            {call.shell !== null && <ShownLine line={call.shell} />}
            <ShownArguments shared={call.arguments} targetsAs={call.targets_as} of="batch" />
            {made.filter(tellsMore).map(({ batch, targets, arguments: own }, index) => (
              <span key={index} className="mt-1 flex flex-wrap items-baseline gap-x-2">
                <span className="text-muted">after batch {batch}:</span> <Targets names={targets} />
                {own.length > 0 && <ShownArguments shared={own} targetsAs={[]} />}
              </span>
            ))}
          </Term>
        ))}
        <Term icon={<Undo2 aria-hidden />} none={condition === null}>
          {condition === null ? (
            'No condition rolls it back'
          ) : (
            <>
              Roll back if{' '}
              <code className="font-mono text-[0.8125rem] break-all">
                <InertText text={condition} />
              </code>
            </>
          )}
        </Term>
      </ul>
    </div>
  );
}

/** Whether the check of a batch says anything that the check as a whole does not. */
const tellsMore = (check: ShownPhase['health_checks'][number]['checks'][number]): boolean =>
  check.targets.length + check.arguments.length > 0;

interface TermProps {
  readonly icon: ReactNode;
  readonly none?: boolean;
  readonly children: ReactNode;
}

const Term = ({ icon, none = false, children }: TermProps) => (
  <li className={`flex gap-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 ${none ? 'text-warn' : ''}`}>
    {icon}
    <div className="min-w-0">{children}</div>
  </li>
);
