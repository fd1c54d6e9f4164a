import type { ChangeState } from '#lib/formats';

/**
 * The lifecycle of a change request; `migrations/0160_change_request.sql` holds the same rows, and a test
 * compares them.
 *
 *     open ──apply──▶ applied
 *      ├──reject──▶ rejected
 *      ├──withdraw──▶ withdrawn
 *      ├──expire──▶ expired
 *      └──void──▶ voided
 *
 * `''` stands before the first state.
 */
export const CHANGE_TRANSITIONS = [
  { from: '', event: 'open', to: 'open' },
  { from: 'open', event: 'apply', to: 'applied' },
  { from: 'open', event: 'reject', to: 'rejected' },
  { from: 'open', event: 'withdraw', to: 'withdrawn' },
  { from: 'open', event: 'expire', to: 'expired' },
  { from: 'open', event: 'void', to: 'voided' },
] as const satisfies readonly { from: ChangeState | ''; event: string; to: ChangeState }[];
