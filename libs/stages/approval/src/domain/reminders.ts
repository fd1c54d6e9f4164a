import type { RequestFacts } from './approval-request.js';

/** The reminders of a request that stays open. Half of its time is over, it ends soon, or further people are told. */
export type ReminderKind = 'half_time' | 'near_end' | 'escalated';

export interface Reminder {
  readonly which: ReminderKind;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  /** The roles that an escalation tells the holders of; null for other reminders. */
  readonly roles: readonly string[] | null;
}

/** The autonomy document's escalation of an undecided request. */
export interface Escalation {
  readonly after_minutes: number;
  readonly to: readonly string[];
}

/** The part of a request's time that is left when it ends soon. */
const NEAR_END = 0.1;
const MINUTE_MS = 60_000;

/** The reminders of a request, known from the moment it opens. An escalation that would come after its end never comes. */
export function remindersOf(
  { openedAt, expiresAt }: Pick<RequestFacts, 'openedAt' | 'expiresAt'>,
  escalation: Escalation | null,
): Reminder[] {
  const lasts = expiresAt - openedAt;
  const reminders: Reminder[] = [
    { which: 'half_time', dueAt: openedAt + Math.floor(lasts / 2), roles: null },
    { which: 'near_end', dueAt: expiresAt - Math.floor(lasts * NEAR_END), roles: null },
  ];
  if (escalation === null) return reminders;
  const dueAt = openedAt + escalation.after_minutes * MINUTE_MS;
  return dueAt < expiresAt ? [...reminders, { which: 'escalated', dueAt, roles: escalation.to }] : reminders;
}

/**
 * The unsettled reminders to tell now, and those to drop. Half time is dropped once the end is near, and all of them
 * once the request is no longer open.
 */
export function dueReminders(
  unsettled: readonly Reminder[],
  open: boolean,
  now: number,
): { readonly tell: readonly Reminder[]; readonly drop: readonly Reminder[] } {
  const due = unsettled.filter(({ dueAt }) => dueAt <= now);
  if (!open) return { tell: [], drop: unsettled };
  const late = due.some(({ which }) => which === 'near_end');
  return {
    tell: due.filter(({ which }) => !late || which !== 'half_time'),
    drop: due.filter(({ which }) => late && which === 'half_time'),
  };
}
