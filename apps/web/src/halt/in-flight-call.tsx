import { Link } from 'react-router';
import type { HaltView } from '#lib/api-schemas';

type InFlightCall = HaltView['effect']['in_flight'][number];

export const inFlightKey = (call: InFlightCall): string =>
  'run_id' in call ? call.run_id + call.step_id + String(call.attempt) : call.tool_call_id;

/** The tool of a call that had left, with the way to its run if it has one. */
export function InFlightTool({ call }: { readonly call: InFlightCall }) {
  if (!('run_id' in call)) return <>{call.tool}</>;
  return (
    <Link to={`/runs/${call.run_id}`} className="text-accent underline">
      {call.tool}
    </Link>
  );
}
