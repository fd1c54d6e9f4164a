import { WAYS_TO_A_VOTE } from '#lib/identity';
import { err, ok, type Failure, type PersonId, type Result } from '#lib/kernel';
import { acknowledge, resolve, review, wrongState } from './incident-transitions.js';
import { MAX_EVENTS, type Incident } from './incident.js';

/** An action of a person on an incident. */
export type IncidentAction =
  | { readonly kind: 'acknowledge'; readonly note: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'resolve'; readonly postMortem: string }
  | { readonly kind: 'review'; readonly comment: string };

/** The entry of the timeline that an action leaves. */
export interface IncidentEntry {
  readonly kind: 'acknowledged' | 'note' | 'resolved' | 'reviewed';
  readonly text: string;
}

export interface IncidentDecided {
  readonly next: Incident;
  readonly entry: IncidentEntry;
}

/**
 * Decides on an action of a person. An incident is resolved only after its run has ended. The person who invoked break-glass
 * never reviews it, nor does a person of one hand with them.
 *
 * @returns the next incident with its entry, or `incident.wrong_state`, `incident.run_not_ended`, `incident.own_review`, `incident.same_hand`,
 *   `incident.timeline_full`.
 */
export function decideIncident(
  incident: Incident,
  action: IncidentAction,
  by: {
    readonly personId: PersonId;
    readonly at: number;
    readonly runEnded: boolean;
    /** True if they share a vote with the invoker, so that both could be one person. */
    readonly sharesInvokersVote: boolean;
  },
): Result<IncidentDecided> {
  const done = { at: by.at, by: by.personId };
  switch (action.kind) {
    case 'note':
      return noted(incident, action.text);
    case 'acknowledge':
      if (incident.state !== 'open') return err(wrongState(incident.state, action.kind));
      return ok({ next: acknowledge(incident, done), entry: { kind: 'acknowledged', text: action.note } });
    case 'resolve': {
      const { postMortem } = action;
      if (incident.state !== 'acknowledged') return err(wrongState(incident.state, action.kind));
      if (!by.runEnded) return err(runNotEnded);
      return ok({ next: resolve(incident, { ...done, postMortem }), entry: { kind: 'resolved', text: postMortem } });
    }
    case 'review': {
      const { comment } = action;
      if (incident.state !== 'resolved') return err(wrongState(incident.state, action.kind));
      const barred = barredFromReview(incident, by);
      if (barred !== null) return err(barred);
      return ok({ next: review(incident, { ...done, comment }), entry: { kind: 'reviewed', text: comment } });
    }
  }
}

/** The reason why a person may never review this incident; null if they may. */
export function barredFromReview(
  incident: Pick<Incident, 'invokedBy'>,
  by: { readonly personId: PersonId; readonly sharesInvokersVote: boolean },
): Failure | null {
  if (by.personId === incident.invokedBy) return ownReview;
  return by.sharesInvokersVote ? sameHand : null;
}

function noted(incident: Incident, text: string): Result<IncidentDecided> {
  if (incident.state === 'reviewed') return err(closed);
  if (incident.eventCount >= MAX_EVENTS) return err(timelineFull);
  return ok({ next: incident, entry: { kind: 'note', text } });
}

const closed: Failure = {
  kind: 'conflict',
  code: 'incident.wrong_state',
  message: 'An incident that is reviewed takes no more notes.',
  action: 'Nothing is left to do on it.',
  details: { state: 'reviewed' },
};

const runNotEnded: Failure = {
  kind: 'conflict',
  code: 'incident.run_not_ended',
  message: 'The run under break-glass has not ended.',
  action: 'Wait until it ends, roll it back, or cancel it; then resolve the incident.',
};

const sameHand: Failure = {
  kind: 'forbidden',
  code: 'incident.same_hand',
  message: 'You and the person who invoked break-glass came in by one hand, so you have one vote together.',
  action: WAYS_TO_A_VOTE,
};

const ownReview: Failure = {
  kind: 'forbidden',
  code: 'incident.own_review',
  message: 'You broke the glass, so somebody else reviews it.',
  action:
    'Ask somebody else to review the post-mortem. If you are alone, ask the operator to let a second person in with `countersign bootstrap --person`.',
};

const timelineFull: Failure = {
  kind: 'conflict',
  code: 'incident.timeline_full',
  message: `A timeline holds at most ${String(MAX_EVENTS)} entries.`,
  action: 'Say the rest in the post-mortem.',
};
