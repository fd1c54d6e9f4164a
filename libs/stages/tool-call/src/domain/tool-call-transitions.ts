import type { ToolCallState } from '#lib/formats';

/**
 * The lifecycle of a call; migrations/0150_tool_call.sql holds the same rows, and a test compares them.
 *
 *     '' ──allow──▶ allowed ──dispatch──▶ executing ──succeed──▶ succeeded
 *     '' ──deny───▶ denied      │            ├──fail──▶ failed
 *     '' ──ask────▶ pending     │            └──lose──▶ unknown ──resolve_succeeded──▶ succeeded
 *                     │         │                         └──resolve_failed──▶ failed
 *                     │         ├──lapse──▶ expired
 *                     │         └──cancel──▶ denied
 *                     ├──approve──▶ allowed
 *                     └──deny──▶ denied
 *
 * `''` is no state: the call does not exist yet.
 */
export const TOOL_CALL_TRANSITIONS = [
  { from: '', event: 'allow', to: 'allowed' },
  { from: '', event: 'deny', to: 'denied' },
  { from: '', event: 'ask', to: 'pending' },
  { from: 'pending', event: 'approve', to: 'allowed' },
  { from: 'pending', event: 'deny', to: 'denied' },
  { from: 'allowed', event: 'dispatch', to: 'executing' },
  { from: 'allowed', event: 'lapse', to: 'expired' },
  { from: 'allowed', event: 'cancel', to: 'denied' },
  { from: 'executing', event: 'succeed', to: 'succeeded' },
  { from: 'executing', event: 'fail', to: 'failed' },
  { from: 'executing', event: 'lose', to: 'unknown' },
  { from: 'unknown', event: 'resolve_succeeded', to: 'succeeded' },
  { from: 'unknown', event: 'resolve_failed', to: 'failed' },
] as const satisfies readonly { from: ToolCallState | ''; event: string; to: ToolCallState }[];
