import type { ShownPhase } from './plan-description.js';

/** A phase as people see it, for tests that are about some of its members. A new member needs a value here alone. */
export const fakeShownPhase = (members: Partial<ShownPhase>): ShownPhase => ({
  number: 1,
  name: 'one',
  canary: false,
  batches: [],
  steps: [],
  wait_seconds: 0,
  health_checks: [],
  rollback_if: null,
  ...members,
});
