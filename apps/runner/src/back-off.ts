const FIRST_MS = 500;
const LAST_MS = 30_000;

/** The time to wait after `failures` failures in a row: 0.5 s, 1 s, 2 s … 30 s. Each is between half of it and the whole. */
export const backOffMs = (failures: number, random: () => number = Math.random): number =>
  Math.min(LAST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1)) * (0.5 + random() / 2);
