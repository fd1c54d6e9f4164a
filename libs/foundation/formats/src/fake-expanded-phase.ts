import type { ExpandedPhase } from './expanded-plan.js';

/** A phase of an expanded plan for tests that are about some of its members. A new member needs a value here alone. */
export const fakeExpandedPhase = (members: Partial<ExpandedPhase>): ExpandedPhase => ({
  index: 0,
  name: 'one',
  canary: false,
  wait_seconds: 0,
  rollback_if: null,
  batches: [],
  ...members,
});
