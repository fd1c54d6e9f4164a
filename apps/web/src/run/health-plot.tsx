import { toneOf } from '../components/tone-of.js';
import type { Series } from './health-series.js';

const WIDTH = 640;
const HEIGHT = 140;
const LEFT = 8;
const RIGHT = 8;
const TOP = 14;
const BOTTOM = 22;

const STROKE = {
  good: 'stroke-good',
  bad: 'stroke-bad',
  warn: 'stroke-warn',
  info: 'stroke-accent',
  neutral: 'stroke-muted',
} as const;

/** The metrics measured after each batch, against the limit at which the run rolls back. A table holds the same values. */
export function HealthPlot({ series: { threshold, points } }: { readonly series: Series }) {
  const top = Math.max(threshold.limit, ...points.map(({ value }) => value)) * 1.15 || 1;
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const step = points.length > 1 ? (WIDTH - LEFT - RIGHT - 16) / (points.length - 1) : 0;
  const x = (index: number): number => LEFT + 8 + (points.length > 1 ? index * step : (WIDTH - LEFT - RIGHT - 16) / 2);
  const limit = y(threshold.limit);
  return (
    <figure>
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-2 text-sm">
        <span className="font-mono">{threshold.metric}</span>
        <span className="text-muted">
          rolls back if {threshold.operator} {threshold.limit}; last {points.at(-1)?.value ?? 'not measured'}
        </span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
        className="h-36 w-full rounded-lg bg-sunken"
        preserveAspectRatio="none"
      >
        <rect x={0} width={WIDTH} y={0} height={Math.max(0, limit)} className="fill-bad-soft" />
        <line
          x1={0}
          x2={WIDTH}
          y1={limit}
          y2={limit}
          className="stroke-bad"
          strokeWidth={1.5}
          strokeDasharray="6 4"
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          points={points.map(({ value }, index) => `${String(x(index))},${String(y(value))}`).join(' ')}
          className="fill-none stroke-accent"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
        {points.map((point, index) => (
          // A dot that stays round however the plot is stretched: a line of no length with round ends.
          <line
            key={point.at + point.where}
            x1={x(index)}
            x2={x(index)}
            y1={y(point.value)}
            y2={y(point.value)}
            className={STROKE[toneOf(point.verdict)]}
            strokeWidth={9}
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <table className="sr-only">
        <caption>
          {threshold.metric}, rolls back if {threshold.operator} {threshold.limit}
        </caption>
        <thead>
          <tr>
            <th scope="col">After</th>
            <th scope="col">Value</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at + point.where}>
              <th scope="row">{point.where}</th>
              <td>{point.value}</td>
              <td>{point.verdict}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
