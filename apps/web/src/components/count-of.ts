/** A number and its noun: `1 call`, `7 calls`. */
export const countOf = (count: number, one: string): string => `${String(count)} ${one}${count === 1 ? '' : 's'}`;
