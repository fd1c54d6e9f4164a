import type { ShownArgument } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';
import { JsonValue } from '../components/json-value.js';

interface ShownArgumentsProps {
  readonly shared: readonly ShownArgument[];
  /** Names of arguments that hold the call's own targets. */
  readonly targetsAs: readonly string[];
  readonly of?: 'call' | 'batch';
}

/** The arguments that every call of a group is made with. */
export function ShownArguments({ shared, targetsAs, of = 'call' }: ShownArgumentsProps) {
  if (shared.length + targetsAs.length === 0) return null;
  return (
    <dl className="mt-1 grid grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {shared.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="font-mono text-[0.8125rem] text-muted">
            <InertText text={name} />
          </dt>
          <dd>
            <JsonValue value={value} />
          </dd>
        </div>
      ))}
      {targetsAs.map((name) => (
        <div key={name} className="contents">
          <dt className="font-mono text-[0.8125rem] text-muted">
            <InertText text={name} />
          </dt>
          <dd className="text-muted">the targets of the {of}</dd>
        </div>
      ))}
    </dl>
  );
}
