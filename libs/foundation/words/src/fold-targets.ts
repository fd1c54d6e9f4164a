const NUMBERED = /^(.*?)(\d{1,9})(\D{0,40})$/s;

interface Series {
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

/**
 * Names in a row that differ by a number that counts up, as one: `web-01 … web-47 (47)`. The reader can count out
 * every name, so that nothing is lost. The order is kept.
 */
export function foldTargets(targets: readonly string[]): string[] {
  const series: Series[] = [];
  for (const target of targets) {
    const last = series.at(-1);
    if (last !== undefined && follows(last.last, target)) {
      series[series.length - 1] = { first: last.first, last: target, count: last.count + 1 };
    } else {
      series.push({ first: target, last: target, count: 1 });
    }
  }
  return series.flatMap(({ first, last, count }) => {
    if (count === 1) return [first];
    return count === 2 ? [first, last] : [`${first} … ${last} (${String(count)})`];
  });
}

/** Which calls of a plan these are: `#1 … #8`, `#1, #4`. */
export const callNumbers = (calls: readonly { readonly seq: number }[]): string =>
  foldTargets(calls.map(({ seq }) => `#${String(seq)}`))
    .map((series) => series.replace(/ \(\d+\)$/, ''))
    .join(', ');

function follows(before: string, after: string): boolean {
  const [, head, digits, tail] = NUMBERED.exec(before) ?? [];
  if (head === undefined || digits === undefined || tail === undefined) return false;
  // Fold only equal widths: `web-9 … web-11` would not say whether it is web-10 or web-010.
  return after === `${head}${String(Number(digits) + 1).padStart(digits.length, '0')}${tail}`;
}
