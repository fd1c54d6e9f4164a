import { CircleAlert, RotateCcw } from 'lucide-react';
import type { ShownStep as Step } from '#lib/api-schemas';
import { callNumbers, counted, ON_FAILURE_IN_WORDS, SPREAD_IN_WORDS, toolRiskInWords } from '#lib/words';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Targets } from '../components/targets.js';
import { ShownArguments } from './shown-arguments.js';
import { ShownLine } from './shown-line.js';
import { ShownPaths } from './shown-paths.js';
import { ToolName } from './tool-name.js';

/** One step of a phase: the tool, the arguments of its calls, their differences, and its compensation. */
export function ShownStep({ step }: { readonly step: Step }) {
  const { call, undo, calls } = step;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <ToolName tool={call.tool} />
        <Badge tone={riskTone(call.tool.risk)}>{toolRiskInWords(call.tool.risk)}</Badge>
        {call.tool.effect === 'destructive' && <Badge tone="bad">destructive</Badge>}
        {call.tool.effect !== 'destructive' && <Badge>{call.tool.effect}</Badge>}
        {!call.tool.idempotent && <Badge tone="warn">not repeatable</Badge>}
      </div>
      <p className="mt-1 text-sm text-muted">
        step <InertText text={step.step_id} />: {counted(calls.length, 'call')}, {SPREAD_IN_WORDS[step.spread]} (
        {callNumbers(calls)})
      </p>
      {call.shell !== null && <ShownLine line={call.shell} />}
      {call.paths !== null && <ShownPaths paths={call.paths} />}
      <ShownArguments shared={call.arguments} targetsAs={call.targets_as} />
      <Differences step={step} />
      <ul className="mt-2 flex flex-col gap-1 text-sm">
        <li className="flex gap-2">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          If it fails: {ON_FAILURE_IN_WORDS[step.on_failure]}
        </li>
        <li className={`flex gap-2 ${undo === null ? 'text-warn' : ''}`}>
          <RotateCcw aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          {undo === null ? (
            'Nothing undoes it'
          ) : (
            <div className="min-w-0">
              Undone by <ToolName tool={undo.tool} />{' '}
              <Badge tone={riskTone(undo.tool.risk)}>{toolRiskInWords(undo.tool.risk)}</Badge>{' '}
              {undo.tool.effect === 'destructive' && <Badge tone="bad">destructive</Badge>}
              {undo.shell !== null && <ShownLine line={undo.shell} />}
              {undo.paths !== null && <ShownPaths paths={undo.paths} />}
              <ShownArguments shared={undo.arguments} targetsAs={undo.targets_as} />
            </div>
          )}
        </li>
      </ul>
    </>
  );
}

/** The words that single calls add; null if one sentence covers all. */
function Differences({ step: { calls, spread } }: { readonly step: Step }) {
  const telling = calls.filter(
    (call) =>
      spread === 'listed' ||
      call.arguments.length > 0 ||
      call.undo_arguments.length > 0 ||
      (call.undo_targets !== null && call.undo_targets.length > 0),
  );
  if (telling.length === 0) return null;
  return (
    <ol className="mt-2 flex flex-col gap-2">
      {telling.map((call) => (
        <li key={call.seq} className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-x-3 text-sm">
          <span className="text-xs text-muted">
            batch {call.batch}, #{call.seq}
          </span>
          <div>
            <Targets names={call.targets} />
            <ShownArguments shared={call.arguments} targetsAs={[]} />
            {(call.undo_arguments.length > 0 || call.undo_targets !== null) && (
              <div className="mt-1">
                <span className="text-muted">undone</span>{' '}
                {call.undo_targets !== null && (
                  <>
                    on <Targets names={call.undo_targets} />
                  </>
                )}
                <ShownArguments shared={call.undo_arguments} targetsAs={[]} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

const riskTone = (risk: string) =>
  risk === 'state_change_prod' ? 'bad' : risk === 'state_change_nonprod' ? 'warn' : 'neutral';
