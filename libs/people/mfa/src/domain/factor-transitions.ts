/**
 * The lifecycle of a factor; `migrations/0030_mfa.sql` holds the same rows.
 *
 *   (new) --offer--> pending --confirm--> active --remove--> removed
 *     |                 '--remove--> removed
 *     '--register--> active
 */
export const FACTOR_TRANSITIONS = [
  { from: '', event: 'offer', to: 'pending' },
  { from: '', event: 'register', to: 'active' },
  { from: 'pending', event: 'confirm', to: 'active' },
  { from: 'pending', event: 'remove', to: 'removed' },
  { from: 'active', event: 'remove', to: 'removed' },
] as const;

/** A removed factor stays on record, for its proofs; it is never read back as one. */
export type FactorState = Exclude<(typeof FACTOR_TRANSITIONS)[number]['to'], 'removed'>;
