/** SQLSTATEs of the database's own refusals: set once or append-only, no such transition, broken check, taken, no such row. */
type Sqlstate = 'CS001' | 'CS002' | '23503' | '23505' | '23514';

/** Thrown by a fake if the database would refuse the same statement; `code` is the SQLSTATE. */
export class FakeRefusal extends Error {
  constructor(
    readonly code: Sqlstate,
    message: string,
  ) {
    super(message);
  }
}

/** Refuses (CS002) a change of state that no row of the lifecycle allows. The same state again is no change. */
export function requireTransition(
  transitions: readonly { readonly from: string; readonly to: string }[],
  from: string,
  to: string,
): void {
  if (from === to || transitions.some((row) => row.from === from && row.to === to)) return;
  throw new FakeRefusal('CS002', `no transition from "${from}" to "${to}"`);
}
