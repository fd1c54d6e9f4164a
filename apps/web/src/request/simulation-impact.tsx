import type { PlanSimulationResult } from '#lib/contracts';
import { RiskBadge } from '../components/risk-badge.js';

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="text-xl font-semibold">{value}</dd>
  </div>
);

/** What a simulation predicts of a whole plan. */
export function SimulationImpact({ result }: { readonly result: PlanSimulationResult }) {
  const unpredictable = result.details.calls.filter(({ simulation }) => simulation === 'not_applicable');
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Figure name="Assets affected" value={String(result.affected_assets)} />
        <Figure name="Minutes" value={String(Math.round(result.estimated_duration_minutes * 10) / 10)} />
        <div>
          <dt className="text-sm text-muted">Predicted</dt>
          <dd className="mt-1">
            <RiskBadge level={result.predicted_risk} />
          </dd>
        </div>
      </dl>
      {unpredictable.length > 0 && (
        <p className="rounded-lg bg-warn-soft p-3 text-sm">
          Nothing can predict {[...new Set(unpredictable.map(({ tool }) => tool))].join(', ')}: {unpredictable.length}{' '}
          calls are counted without numbers.
        </p>
      )}
      {result.health_check_points.length > 0 && (
        <div>
          <p className="text-sm font-medium">Watched while it runs</p>
          <ul className="mt-1 list-disc pl-5 text-sm text-muted">
            {[...new Set(result.health_check_points)].map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
