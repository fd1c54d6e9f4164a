import { DataTable } from '../components/data-table.js';

/** One value of a day, with its parts. */
export interface Series {
  readonly name: string;
  /** A class that gives the SVG its colour: `fill-good`. */
  readonly fill: string;
  readonly values: readonly number[];
}

interface DayChartProps {
  readonly label: string;
  /** `YYYY-MM-DD`, oldest first. */
  readonly days: readonly string[];
  /** Stacked from the bottom up, or side by side. */
  readonly series: readonly Series[];
  readonly stacked: boolean;
  readonly inWords: (value: number) => string;
}

const HEIGHT = 140;
const STEP = 40;
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface Bar {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
}

function barsOf({ days, series, stacked }: DayChartProps, highest: number): Bar[] {
  const width = stacked ? STEP - 12 : (STEP - 12) / series.length;
  return days.flatMap((day, dayIndex) => {
    let below = 0;
    return series.map(({ name, fill, values }, index) => {
      const height = ((values[dayIndex] ?? 0) / highest) * HEIGHT;
      const y = HEIGHT - below - height;
      if (stacked) below += height;
      return { key: `${day} ${name}`, x: dayIndex * STEP + 6 + (stacked ? 0 : index * width), y, width, height, fill };
    });
  });
}

/** A chart of days, with the same values as a table for readers who do not see it. */
export function DayChart(props: DayChartProps) {
  const { label, days, series, stacked, inWords } = props;
  const sums = days.map((_, day) => series.map(({ values }) => values[day] ?? 0));
  const most = Math.max(1e-9, ...sums.map((each) => (stacked ? each.reduce((a, b) => a + b, 0) : Math.max(...each))));
  // Stacked values are counts: the middle of an even scale is a whole number.
  const highest = stacked ? 2 * Math.ceil(most / 2) : most;
  const nothing = sums.every((each) => each.every((value) => value === 0));
  const total = days.length * STEP;
  const every = Math.ceil(days.length / 7);
  return (
    <figure>
      <ul aria-hidden className="mb-4 flex flex-wrap gap-x-4 text-xs text-muted">
        {series.map(({ name, fill }) => (
          <li key={name} className="flex items-center gap-1.5">
            <svg className={`size-2.5 ${fill}`} viewBox="0 0 10 10">
              <rect width="10" height="10" rx="2" />
            </svg>
            {name}
          </li>
        ))}
        {nothing && <li className="ml-auto">nothing yet</li>}
      </ul>
      <div className="flex gap-2">
        <ol aria-hidden className="-my-2 flex flex-col justify-between text-right text-xs whitespace-nowrap text-muted">
          {[1, 0.5, 0].map((at) => (
            <li key={at} className="leading-4">
              {at === 0 ? '0' : nothing ? '' : inWords(highest * at)}
            </li>
          ))}
        </ol>
        <svg
          role="img"
          aria-label={`${label}; the same as a table below`}
          viewBox={`0 0 ${String(total)} ${String(HEIGHT)}`}
          className="h-40 min-w-0 flex-1 overflow-visible"
          preserveAspectRatio="none"
        >
          {[0, 0.5, 1].map((at) => (
            <line
              key={at}
              x1="0"
              x2={total}
              y1={HEIGHT * at}
              y2={HEIGHT * at}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {barsOf(props, highest).map(({ key, fill, ...bar }) => (
            <rect key={key} {...bar} className={fill} />
          ))}
        </svg>
      </div>
      <ol aria-hidden className="mt-2 flex justify-between text-xs text-muted">
        {days
          .filter((_, index) => (days.length - 1 - index) % every === 0)
          .map((day) => (
            <li key={day}>{short.format(new Date(day))}</li>
          ))}
      </ol>
      <details className="mt-2 text-sm">
        <summary className="cursor-pointer text-muted">As a table</summary>
        <DataTable
          label={label}
          columns={['Day', ...series.map(({ name }) => name)]}
          numbers={series.map(({ name }) => name)}
          rows={days.map((day, index) => ({
            key: day,
            cells: [day, ...series.map(({ values }) => inWords(values[index] ?? 0))],
          }))}
        />
      </details>
    </figure>
  );
}
