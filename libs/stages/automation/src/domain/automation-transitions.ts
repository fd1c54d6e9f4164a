import type { AutomationRunState, AutomationState, AutomationStepState } from '#lib/formats';

/**
 * The lifecycle of an automation; migrations/0155_automation.sql holds the same rows, and a test compares them.
 *
 *     '' ──propose──▶ proposed ──enable──▶ enabled ──pause──▶ paused
 *                        │                  │   ▲               │  │
 *                        │               disable└────enable─────┘  │
 *                        └──disable──▶ disabled ◀──disable─────────┘
 *                                         └──enable──▶ enabled
 */
export const AUTOMATION_TRANSITIONS = [
  { from: '', event: 'propose', to: 'proposed' },
  { from: 'proposed', event: 'enable', to: 'enabled' },
  { from: 'proposed', event: 'disable', to: 'disabled' },
  { from: 'enabled', event: 'disable', to: 'disabled' },
  { from: 'enabled', event: 'pause', to: 'paused' },
  { from: 'paused', event: 'enable', to: 'enabled' },
  { from: 'paused', event: 'disable', to: 'disabled' },
  { from: 'disabled', event: 'enable', to: 'enabled' },
] as const satisfies readonly { from: AutomationState | ''; event: string; to: AutomationState }[];

/**
 * The lifecycle of a run.
 *
 *     '' ──queue──▶ queued ──begin──▶ executing ──complete──▶ completed
 *     '' ──skip───▶ skipped │            └──────fail──▶ failed
 *                           └──fail──▶ failed
 */
export const AUTOMATION_RUN_TRANSITIONS = [
  { from: '', event: 'queue', to: 'queued' },
  { from: '', event: 'skip', to: 'skipped' },
  { from: 'queued', event: 'begin', to: 'executing' },
  { from: 'queued', event: 'fail', to: 'failed' },
  { from: 'executing', event: 'complete', to: 'completed' },
  { from: 'executing', event: 'fail', to: 'failed' },
] as const satisfies readonly { from: AutomationRunState | ''; event: string; to: AutomationRunState }[];

/**
 * The lifecycle of a step: a call goes on while its run waits, and every other step ends at once.
 *
 *     '' ──call──▶ calling ──succeed──▶ succeeded
 *                     └──fail──▶ failed
 *     '' ──hold──▶ succeeded   '' ──not_hold──▶ not_met   '' ──fail──▶ failed   '' ──block──▶ blocked   '' ──skip──▶ skipped
 */
export const AUTOMATION_STEP_TRANSITIONS = [
  { from: '', event: 'call', to: 'calling' },
  { from: '', event: 'hold', to: 'succeeded' },
  { from: '', event: 'not_hold', to: 'not_met' },
  { from: '', event: 'fail', to: 'failed' },
  { from: '', event: 'block', to: 'blocked' },
  { from: '', event: 'skip', to: 'skipped' },
  { from: 'calling', event: 'succeed', to: 'succeeded' },
  { from: 'calling', event: 'fail', to: 'failed' },
] as const satisfies readonly { from: AutomationStepState | ''; event: string; to: AutomationStepState }[];
