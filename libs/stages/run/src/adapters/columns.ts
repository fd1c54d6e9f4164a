/** A time in epoch milliseconds as a `timestamptz` parameter. */
export const at = (epochMs: number | null): Date | null => (epochMs === null ? null : new Date(epochMs));

/** A value as a `jsonb` parameter; JSON's null is SQL's. */
export const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
