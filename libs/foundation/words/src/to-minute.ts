/** A moment to the minute, as people read it if their time zone is not known: `2026-11-25 08:38 UTC`. */
export const toMinute = (epochMs: number): string =>
  `${new Date(epochMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
