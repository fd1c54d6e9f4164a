import { z } from 'zod';
import type { LoggedEvent } from '#lib/kernel';

/** The activities of API Activity (OCSF 1.5.0, class 6003) that entries have. None of them only reads. */
const ACTIVITIES = { Create: 1, Update: 3, Delete: 4, Other: 99 } as const;
const STATUSES = { Unknown: 0, Success: 1, Failure: 2 } as const;
const SEVERITIES = { Informational: 1, Low: 2, High: 4 } as const;

export type OcsfActivity = keyof typeof ACTIVITIES;
export type OcsfStatus = keyof typeof STATUSES;
type OcsfSeverity = keyof typeof SEVERITIES;

/** The kind of an action for a SIEM, each with the number of its schema. */
export interface OcsfKind {
  readonly activity: { readonly id: number; readonly name: string };
  readonly status: { readonly id: number; readonly name: OcsfStatus };
  readonly severity: { readonly id: number; readonly name: OcsfSeverity };
}

/** By the last word of an action. The words of `Other` are names of activities themselves. */
const WORDS: Readonly<Record<OcsfActivity, readonly string[]>> = {
  Create: [
    ...['added', 'asked', 'created', 'enrolled', 'invoked', 'issued', 'opened', 'proposed', 'queued', 'requested'],
    ...['set', 'started', 'submitted'],
  ],
  Update: [
    ...['acknowledged', 'alone', 'applied', 'approved', 'back', 'changed', 'claimed', 'completed', 'confirmed'],
    ...['consumed', 'decided', 'enabled', 'escalated', 'executing', 'halted', 'loosened', 'moved', 'noted', 'paused'],
    ...['planned', 'replanned', 'resolved', 'restored', 'resumed', 'retried', 'reviewed', 'rotated', 'succeeded'],
    ...['tightened', 'updated', 'validated'],
  ],
  Delete: [
    ...['cancelled', 'closed', 'disabled', 'ended', 'lifted', 'off', 'outdated', 'removed', 'revoked', 'superseded'],
    ...['voided', 'withdrawn'],
  ],
  Other: [
    ...[
      'answer',
      'answered',
      'authentic',
      'blocked',
      'called',
      'denied',
      'dispatched',
      'evaluated',
      'expired',
      'failed',
    ],
    ...['late', 'limited', 'missed', 'refused', 'rejected', 'required', 'skipped', 'tested', 'throttled', 'unclear'],
    ...['unknown', 'up'],
  ],
};
const ACTIVITY_OF: ReadonlyMap<string, OcsfActivity> = new Map(
  // The keys of this constant are the activities.
  Object.entries(WORDS).flatMap(([activity, words]) => words.map((word) => [word, activity as OcsfActivity])),
);

const FAILURES: ReadonlySet<string> = new Set([
  ...[
    'authentic',
    'blocked',
    'denied',
    'expired',
    'failed',
    'limited',
    'missed',
    'refused',
    'rejected',
    'throttled',
    'up',
  ],
]);

/** Actions that stop work, or go around its rules. */
const GRAVE = /^(break_glass\.|incident\.opened|halt\.set|record\.|automation_safe_tool\.forgery_)/;

const deniedFacts = z.object({ outcome: z.literal('deny') });

const wordOf = (action: string): string => action.slice(Math.max(action.lastIndexOf('_'), action.lastIndexOf('.')) + 1);

/** Undefined for an action of a newer version, which is exported as `Other`. A test finds those of this one. */
export const activityOf = (action: string): OcsfActivity | undefined => ACTIVITY_OF.get(wordOf(action));

/** A decision that denies a call is an activity of its own. */
const denies = ({ action, payload }: Pick<LoggedEvent, 'action' | 'payload'>): boolean =>
  action === 'tool_call.decided' && deniedFacts.safeParse(payload).success;

export function ocsfKindOf(logged: Pick<LoggedEvent, 'action' | 'payload'>): OcsfKind {
  const { action } = logged;
  const word = denies(logged) ? 'denied' : wordOf(action);
  const activity = ACTIVITY_OF.get(word) ?? 'Other';
  const status = word === 'unknown' ? 'Unknown' : FAILURES.has(word) ? 'Failure' : 'Success';
  const severity = GRAVE.test(action) ? 'High' : status === 'Success' ? 'Informational' : 'Low';
  return {
    activity: { id: ACTIVITIES[activity], name: activity === 'Other' ? word : activity },
    status: { id: STATUSES[status], name: status },
    severity: { id: SEVERITIES[severity], name: severity },
  };
}
