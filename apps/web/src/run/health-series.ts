import { ownMember } from '#lib/canonical';
import type { Health } from './run-timeline.js';

export interface Threshold {
  readonly metric: string;
  readonly operator: string;
  readonly limit: number;
}

const comparison = /([a-z][\w-]*(?:\.[\w-]+)+)\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?)/gi;

/** The limits that a condition names: `web.error_rate > 0.05 or web.unhealthy >= 1` has two. */
export const thresholdsOf = (condition: string | null): Threshold[] =>
  [...(condition ?? '').matchAll(comparison)].map(([, metric = '', operator = '', limit = '0']) => ({
    metric,
    operator,
    limit: Number(limit),
  }));

export interface Series {
  readonly threshold: Threshold;
  readonly points: readonly {
    readonly at: string;
    readonly value: number;
    readonly verdict: string;
    readonly where: string;
  }[];
}

/** A limit of the run's conditions, and the values measured against it, in order. */
export function seriesOf(health: readonly Health[], phaseNames: ReadonlyMap<number, string>): Series[] {
  const thresholds = new Map<string, Threshold>();
  for (const { condition } of health)
    for (const each of thresholdsOf(condition))
      thresholds.set(`${each.metric}${each.operator}${String(each.limit)}`, each);
  return [...thresholds.values()].map((threshold) => ({
    threshold,
    points: health.flatMap((result) => {
      const value = ownMember(result.metrics, threshold.metric);
      return value === undefined
        ? []
        : [
            {
              at: result.evaluated_at,
              value,
              verdict: result.verdict,
              where: `${phaseNames.get(result.phase_index) ?? 'phase'}, batch ${String(result.batch_index + 1)}`,
            },
          ];
    }),
  }));
}
