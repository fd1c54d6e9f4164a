import type { Failure } from '#lib/kernel';
import type { SessionEnd, SessionState } from '#lib/formats';

/**
 * The lifecycle of a session; migrations/0142_session.sql holds the same rows.
 *
 *   open ──close──▶ ended
 *     ├──cancel──▶ ended
 *     └──rest──▶ ended
 */
export const SESSION_TRANSITIONS = [
  { from: '', event: 'open', to: 'open' },
  { from: 'open', event: 'close', to: 'ended' },
  { from: 'open', event: 'cancel', to: 'ended' },
  { from: 'open', event: 'rest', to: 'ended' },
] as const satisfies readonly { from: SessionState | ''; event: string; to: SessionState }[];

/** The events of a session after it was opened. */
export type SessionEvent = Exclude<(typeof SESSION_TRANSITIONS)[number]['event'], 'open'>;

/** The reason that each event leaves on record. */
export const END_OF: Readonly<Record<SessionEvent, SessionEnd>> = {
  close: 'closed',
  cancel: 'cancelled',
  rest: 'idle',
};

/** An ended session takes no call, no change and no trust. */
export const sessionEnded: Failure = {
  kind: 'conflict',
  code: 'session.ended',
  message: 'This session has ended.',
  action: 'Open a new session, and go on in it.',
};
