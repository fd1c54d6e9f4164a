import type { EndedRun } from '../domain/run.js';
import type { Sent } from './dispatch-step.js';
import type { Again } from './run.ports.js';

/** The result of a turn: a call to make after the commit, the run's end, or the next turn's time. */
export type Turn =
  | { readonly kind: 'sent'; readonly sent: Sent }
  | { readonly kind: 'ended'; readonly state: EndedRun['state'] }
  | { readonly kind: 'again'; readonly again: Again };

type AgainTurn = Extract<Turn, { readonly kind: 'again' }>;

export const AT_ONCE: AgainTurn = { kind: 'again', again: { when: 'now' } };
export const NO_MORE: AgainTurn = { kind: 'again', again: { when: 'never' } };

export const againAt = (at: number): Turn => ({ kind: 'again', again: { when: 'at', at } });

export const endedAs = ({ state }: EndedRun): Turn => ({ kind: 'ended', state });
