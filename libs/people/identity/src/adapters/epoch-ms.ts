/** SQL for a timestamptz as epoch milliseconds, which the driver passes on as text. */
export const epochMs = (expression: string): string => `floor(extract(epoch from ${expression}) * 1000)::bigint`;

export const toEpochMs = (text: string): number => Number(text);

export const toEpochMsOrNull = (text: string | null): number | null => (text === null ? null : Number(text));
