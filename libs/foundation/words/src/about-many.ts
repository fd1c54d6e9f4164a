/** `61,200`. */
export const thousands = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Rows that wait are counted up to here, and one more for "more than that". More is of no use, and each costs a look. */
export const MAX_COUNTED = 1_000;

/** `12`; `more than 1,000` beyond {@link MAX_COUNTED}. */
export const upToMost = (count: number): string =>
  count > MAX_COUNTED ? `more than ${thousands(MAX_COUNTED)}` : thousands(count);

/**
 * A count that a sample gives: `12` if nothing was left out, else `about 1,200`. It has two meaningful digits, and is
 * never below the count itself.
 *
 * @param count how many the sample has.
 * @param estimate how many these stand for.
 */
export function aboutMany(count: number, estimate: number): string {
  const whole = Math.round(estimate);
  if (whole <= count) return thousands(count);
  const unit = 10 ** Math.max(0, String(whole).length - 2);
  return `about ${thousands(Math.max(count, Math.round(whole / unit) * unit))}`;
}

/** Says how many of some are meant: `none`, `7`, `about 1,200`. */
export const partOf = (count: number, estimate: number): string =>
  Math.max(count, estimate) === 0 ? 'none' : aboutMany(count, estimate);
