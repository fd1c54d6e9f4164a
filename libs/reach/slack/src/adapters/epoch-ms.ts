/** A timestamptz column as epoch milliseconds; PostgreSQL's bigint comes as text. */
export const epochMs = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::bigint`;

export const toMs = (value: string): number => Number(value);
export const toMsOrNull = (value: string | null): number | null => (value === null ? null : Number(value));
