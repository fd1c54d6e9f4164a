/** How long a transaction waits, in milliseconds. */
export interface Waits {
  /** For one statement; more is SQLSTATE 57014. */
  readonly statementMs: number;
  /** For one lock; more is SQLSTATE 55P03. */
  readonly lockMs: number;
}

/** Sets them for the rest of a transaction. */
export const waitsAs = ({ statementMs, lockMs }: Waits): string =>
  `set local statement_timeout = ${String(statementMs)}; set local lock_timeout = ${String(lockMs)}`;
