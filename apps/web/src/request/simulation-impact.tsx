import type { PlanSimulationResult } from '#lib/formats';
import { inDuration } from '#lib/words';
import { InertText } from '../components/agent-text.js';

const Metric = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt className="text-sm text-muted">{name}</dt>
    <dd className="text-xl font-semibold">{value}</dd>
  </div>
);

/** The prediction of a simulation for a whole plan. */
export function SimulationImpact({ result }: { readonly result: PlanSimulationResult }) {
  const unpredictable = result.details.calls.filter(({ simulation }) => simulation === 'not_applicable');
  const predictors = [
    ...new Set(result.details.calls.flatMap(({ simulated_by: by }) => (by === null ? [] : [by.name]))),
  ];
  return (
    <div className="flex flex-col gap-4">
      {result.affected_assets === 0 && unpredictable.length === 0 && (
        <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
          The simulation finds nothing that this plan changes. Either it is done already, or it aims at the wrong index.
        </p>
      )}
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Metric name="Assets affected" value={String(result.affected_assets)} />
        <Metric name="Takes about" value={inDuration(result.estimated_duration_minutes * 60_000)} />
        <div>
          <dt className="text-sm text-muted">
            Risk, as predicted by {predictors.length === 0 ? 'nobody' : predictors.join(', ')}
          </dt>
          <dd className="text-xl font-semibold">{result.predicted_risk}</dd>
        </div>
      </dl>
      {unpredictable.length > 0 && (
        <p className="rounded-lg bg-warn-soft p-3 text-sm">
          Not simulated: {[...new Set(unpredictable.map(({ tool }) => tool))].join(', ')} is declared to need no
          simulation. {unpredictable.length} calls are counted without numbers.
        </p>
      )}
      {result.health_check_points.length > 0 && (
        <div>
          <p className="text-sm font-medium">To watch while it runs</p>
          <ul className="mt-1 list-disc pl-5 text-sm text-muted">
            {[...new Set(result.health_check_points)].map((point) => (
              <li key={point}>
                <InertText text={point} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
