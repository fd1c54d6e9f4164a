/**
 * The lifecycle of a call for a runner. migrations/0095_runner.sql holds the same rows.
 *
 *   waiting ──take──▶ taken ──answer──▶ answered
 *      │                └──lose──▶ lost ──answer──▶ answered_late
 *      └──withdraw──▶ withdrawn
 */
export const DISPATCH_TRANSITIONS = [
  { from: null, event: 'offer', to: 'waiting' },
  { from: 'waiting', event: 'take', to: 'taken' },
  { from: 'waiting', event: 'withdraw', to: 'withdrawn' },
  { from: 'taken', event: 'answer', to: 'answered' },
  { from: 'taken', event: 'lose', to: 'lost' },
  { from: 'lost', event: 'answer', to: 'answered_late' },
] as const;

export type DispatchState = (typeof DISPATCH_TRANSITIONS)[number]['to'];
type DispatchEvent = (typeof DISPATCH_TRANSITIONS)[number]['event'];

/** The state after an event; null if the event is not possible in this state. */
export const stateAfter = (from: DispatchState, event: DispatchEvent): DispatchState | null =>
  DISPATCH_TRANSITIONS.find((each) => each.from === from && each.event === event)?.to ?? null;
