import { parse, stringify } from 'yaml';

/** A changing tool outside production, of which a person is asked. */
const DRILL = 'trigger_dr_drill_sandbox';

/** The catalog with a drill that may be repeated and needs no prediction. */
export function drillTools(catalog: string, more: { readonly time_limit_seconds?: number } = {}): string {
  const document = parse(catalog) as { readonly tools: Record<string, object> };
  const { simulated_by: _predicted, ...drill } = document.tools[DRILL] as Record<string, unknown>;
  const changed = { scope: 'asset', idempotent: true, simulation: 'not_applicable', requires_hitl: 'always', ...more };
  return stringify({ ...document, tools: { ...document.tools, [DRILL]: { ...drill, ...changed } } });
}

/** One phase of so many drills of a service, one after the other. */
export const drillPhase = (service: string, calls: number) => ({
  name: 'drill',
  canary: false,
  targets: [service],
  batch_percent: 100,
  steps: Array.from({ length: calls }, (_, call) => ({
    id: `drill-${String(call)}`,
    tool: DRILL,
    arguments: { service: { $batch: 'target' }, to_region: 'eu-west-1' },
    on_failure: 'retry',
  })),
});
