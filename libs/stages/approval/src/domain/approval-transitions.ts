import type { ApprovalState } from '#lib/formats';

/**
 * The lifecycle of an approval request; `migrations/0130_approval.sql` holds the same rows, and a test compares them.
 *
 *     open ──approve──▶ approved ──consume──▶ consumed
 *      │                    ├──expire──▶ expired
 *      │                    └──void──▶ voided
 *      ├──deny──▶ denied          ├──request_changes──▶ changes_requested
 *      ├──expire──▶ expired       └──void──▶ voided
 *
 * `''` is no state: the request does not exist yet.
 */
export const APPROVAL_TRANSITIONS = [
  { from: '', event: 'open', to: 'open' },
  { from: 'open', event: 'approve', to: 'approved' },
  { from: 'open', event: 'deny', to: 'denied' },
  { from: 'open', event: 'request_changes', to: 'changes_requested' },
  { from: 'open', event: 'expire', to: 'expired' },
  { from: 'open', event: 'void', to: 'voided' },
  { from: 'approved', event: 'consume', to: 'consumed' },
  { from: 'approved', event: 'expire', to: 'expired' },
  { from: 'approved', event: 'void', to: 'voided' },
] as const satisfies readonly { from: ApprovalState | ''; event: string; to: ApprovalState }[];

/** The events of a request that exists. */
export type ApprovalEventName = Exclude<(typeof APPROVAL_TRANSITIONS)[number]['event'], 'open'>;
