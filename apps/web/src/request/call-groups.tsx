import { RotateCcw } from 'lucide-react';
import { Badge } from '../components/badge.js';
import { countOf } from '../components/count-of.js';
import { JsonValue } from '../components/json-value.js';
import { Targets } from '../components/targets.js';
import { inWords } from '../components/tone-of.js';
import { groupCalls, phasesOf, type Call, type CallGroup } from './group-calls.js';

/** What would be done, rendered from what would be executed: each tool once, with what its calls share and where they differ. */
export function CallGroups({ calls }: { readonly calls: readonly Call[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {groupCalls(calls).map((group) => (
        <li key={group.key} className="p-4">
          <Group group={group} />
        </li>
      ))}
    </ul>
  );
}

function Group({ group }: { readonly group: CallGroup }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-mono text-base font-semibold">
          {group.tool}
          <span className="font-normal text-muted">@{group.version}</span>
        </h3>
        <Badge
          tone={group.risk === 'state_change_prod' ? 'bad' : group.risk === 'state_change_nonprod' ? 'warn' : 'neutral'}
        >
          {inWords(group.risk)}
        </Badge>
        <Badge tone={group.effect === 'destructive' ? 'bad' : 'neutral'}>{group.effect}</Badge>
        <span className="text-sm text-muted">
          {countOf(group.calls.length, 'call')} on {countOf(group.targets.length, 'target')}, by {group.executor}
        </span>
      </div>
      {group.shared.length > 0 && (
        <dl className="mt-3 grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
          {group.shared.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="font-mono text-[0.8125rem] text-muted">{name}</dt>
              <dd>
                <JsonValue value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <ol className="mt-4 flex flex-col gap-3">
        {phasesOf(group.calls).map((phase) => (
          <li key={phase.name} className="grid gap-1 md:grid-cols-[9rem_1fr] md:gap-4">
            <p className="flex items-center gap-2 self-start text-sm font-medium">
              {phase.name}
              {phase.canary && <Badge tone="info">canary</Badge>}
            </p>
            <ol className="flex flex-col gap-2">
              {phase.batches.map((batch, index) => (
                <li key={index} className="flex flex-col gap-1 text-sm">
                  {batch.map((call) => (
                    <div key={call.seq} className="grid grid-cols-[5.5rem_1fr] items-baseline gap-x-3 gap-y-1">
                      <span className="text-xs text-muted">
                        batch {index + 1}, #{call.seq}
                      </span>
                      <Targets names={call.targets} />
                      {group.differing.map((name) => (
                        <span key={name} className="col-start-2 text-sm">
                          <span className="font-mono text-xs text-muted">{name}</span>{' '}
                          <JsonValue value={call.arguments[name]} />
                        </span>
                      ))}
                    </div>
                  ))}
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
      <p className="mt-3 flex items-center gap-1.5 text-sm text-muted">
        <RotateCcw aria-hidden className="size-3.5" />
        {group.undoneBy === null ? 'Nothing undoes it.' : `Undone by ${group.undoneBy}.`}
      </p>
    </>
  );
}
