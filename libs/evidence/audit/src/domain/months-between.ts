/** A calendar month in UTC, as `2026-01`. */
export type Month = string;

/** The month of a moment (epoch milliseconds). */
export const monthOf = (at: number): Month => new Date(at).toISOString().slice(0, 7);

/** The months from one moment to another, both included, the newest first; none if the second is earlier. */
export function monthsBetween(from: number, until: number): readonly Month[] {
  const months: Month[] = [];
  for (let month = monthOf(until); month >= monthOf(from); month = monthOf(startOf(month) - 1)) months.push(month);
  return months;
}

/** The first millisecond of a month. */
export const startOf = (month: Month): number => Date.parse(`${month}-01T00:00:00Z`);

/** The first millisecond after a month. */
export function endOf(month: Month): number {
  const start = new Date(startOf(month));
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
}

/** No UUIDv7 of this moment or a later one is smaller. */
export function firstId(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The moment in a UUIDv7, epoch milliseconds. */
export const momentIn = (id: string): number => Number.parseInt(id.slice(0, 13).replace('-', ''), 16);
