import { ownMember } from '#lib/canonical';
import type { Tone } from './badge.js';

const TONES: Readonly<Record<string, Tone>> = {
  // plans, requests
  draft: 'neutral',
  invalid: 'bad',
  validated: 'neutral',
  simulated: 'info',
  awaiting_approval: 'warn',
  approved: 'good',
  rejected: 'bad',
  changes_requested: 'warn',
  expired: 'neutral',
  executed: 'good',
  superseded: 'neutral',
  withdrawn: 'neutral',
  open: 'warn',
  denied: 'bad',
  voided: 'neutral',
  consumed: 'good',
  // tasks, runs, steps, simulations
  created: 'neutral',
  planned: 'info',
  pending: 'neutral',
  queued: 'neutral',
  running: 'info',
  dispatched: 'info',
  executing: 'info',
  waiting: 'neutral',
  paused: 'warn',
  rolling_back: 'warn',
  compensating: 'warn',
  completed: 'good',
  succeeded: 'good',
  failed: 'bad',
  unknown: 'bad',
  cancelled: 'neutral',
  rolled_back: 'warn',
  compensated: 'warn',
  rollback_failed: 'bad',
  compensation_failed: 'bad',
  stale: 'warn',
  // automations, their runs and steps
  proposed: 'warn',
  enabled: 'good',
  disabled: 'neutral',
  calling: 'info',
  not_met: 'neutral',
  blocked: 'bad',
  skipped: 'neutral',
  // incidents, changes
  acknowledged: 'warn',
  resolved: 'info',
  reviewed: 'good',
  confirmed: 'good',
  // verdicts, outcomes
  approve: 'good',
  reject: 'bad',
  request_changes: 'warn',
  allow: 'good',
  require_approval: 'warn',
  deny: 'bad',
  healthy: 'good',
  roll_back: 'bad',
  unclear: 'warn',
};

/** The tone that a state of anything is shown in. */
export const toneOf = (state: string): Tone => ownMember(TONES, state) ?? 'neutral';

/** A name of the API as people read it: `awaiting_approval` becomes "awaiting approval". */
export const inWords = (name: string): string => (name === 'e_mail' ? 'e-mail' : name.replaceAll('_', ' '));
