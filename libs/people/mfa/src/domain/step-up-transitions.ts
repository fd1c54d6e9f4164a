/**
 * The lifecycle of a step-up; `migrations/0030_mfa.sql` holds the same rows. Whether one has expired is read from the clock.
 *
 *   (new) --start--> open --prove--> proved --use--> used
 */
export const STEP_UP_TRANSITIONS = [
  { from: '', event: 'start', to: 'open' },
  { from: 'open', event: 'prove', to: 'proved' },
  { from: 'proved', event: 'use', to: 'used' },
] as const;

export type StepUpState = (typeof STEP_UP_TRANSITIONS)[number]['to'];
