import type { RunDetailView } from '#lib/api-schemas';
import { inDuration, shortenedInWords } from '#lib/words';

const lasting = (minutes: number): string => inDuration(minutes * 60_000);

interface PredictionProps {
  readonly run: RunDetailView;
  /** By how much its waits were shortened; null if they were not. */
  readonly scale: number | null;
}

/** The prediction of the simulation beside the outcome of the run. */
export function Prediction({ run: { predicted, outcome, steps }, scale }: PredictionProps) {
  const calls = steps.filter(({ kind }) => kind === 'call');
  const done = calls.filter(({ state }) => state === 'succeeded').length;
  const rows = [
    [
      'Assets',
      predicted === null ? '–' : String(predicted.affected_assets),
      outcome === null ? '…' : String(outcome.affected_assets),
    ],
    [
      'Time',
      predicted === null ? '–' : lasting(predicted.estimated_duration_minutes),
      outcome === null ? '…' : lasting(outcome.duration_minutes),
    ],
    ['Calls', String(calls.length), outcome === null ? String(done) : String(outcome.calls.succeeded)],
  ] as const;
  return (
    <>
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="pb-1 font-normal">
              <span className="sr-only">What</span>
            </th>
            <th scope="col" className="pb-1 text-right font-normal">
              Predicted
            </th>
            <th scope="col" className="pb-1 text-right font-normal">
              Actual
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, expected, actual]) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-normal">
                {name}
              </th>
              <td className="text-right">{expected}</td>
              <td className="text-right font-semibold">{actual}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {scale !== null && (
        <p className="mt-3 rounded-lg bg-warn-soft p-2 text-sm">
          Its waits were {shortenedInWords(scale)}: the actual time is not what the plan would take.
        </p>
      )}
      {predicted !== null && (
        <p className="mt-3 text-sm text-muted">The simulation predicted {predicted.predicted_risk} risk.</p>
      )}
    </>
  );
}
