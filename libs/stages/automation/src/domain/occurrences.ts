import { Cron } from 'croner';
import type { AutomationDocument, CronTrigger } from '#lib/formats';
import { visibleText } from '#lib/words';

/** A time that is found later than this counts as missed. */
const LATE_AFTER_MS = 60_000;

/** More missed times than so many are not counted: a schedule of every minute has ten thousand in a week. */
export const MAX_COUNTED = 100;

type Schedule = Pick<CronTrigger, 'schedule' | 'time_zone'>;

const five = /^\S+( +\S+){4}$/;

/** A schedule is read, and never runs by itself. A time is fixed if neither its minutes nor its hours have a wildcard. */
const cronOf = ({ schedule, time_zone }: Schedule): Cron =>
  new Cron(schedule, { timezone: time_zone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });

/** The fields of a schedule, with the values that each may have. */
const FIELDS = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day', '1 to 31, or L for the last one'],
  ['month', '1 to 12, or JAN to DEC'],
  ['day of the week', '0 to 7, or SUN to SAT'],
] as const;

/** The error in a schedule; null if it is one that comes at some time. @param now epoch milliseconds. */
export function problemOfSchedule(trigger: Schedule, now: number): string | null {
  const { schedule } = trigger;
  if (!five.test(schedule)) return 'A schedule has five fields: minute, hour, day, month, day of the week.';
  const texts = schedule.split(/ +/);
  for (const [index, [field, values]] of FIELDS.entries()) {
    const text = texts[index] ?? '';
    if (!isRead({ ...trigger, schedule: FIELDS.map((_, other) => (other === index ? text : '*')).join(' ') }))
      return `The ${field} ${JSON.stringify(visibleText(text.slice(0, 100)))} is not possible: write *, or values of ${values}. Lists (1,2), ranges from low to high (1-5) and steps (*/2) are possible, too.`;
  }
  return cronOf(trigger).nextRun(new Date(now)) === null ? 'This schedule never comes.' : null;
}

function isRead(trigger: Schedule): boolean {
  try {
    cronOf(trigger);
    return true;
  } catch {
    return false;
  }
}

/** The schedules among the triggers of an automation. */
export const schedulesOf = ({ triggers }: Pick<AutomationDocument, 'triggers'>): readonly CronTrigger[] =>
  triggers.filter((trigger) => trigger.type === 'cron');

/** The first time of any of the schedules after a moment (epoch milliseconds); null if none comes any more. */
export function nextOccurrence(triggers: readonly Schedule[], after: number): number | null {
  const times = triggers.flatMap((trigger) => cronOf(trigger).nextRun(new Date(after))?.getTime() ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** The times to start runs for, and those that are left out, oldest first. */
export interface DueOccurrences {
  readonly starts: readonly number[];
  /** Of each schedule that lets missed times go, the latest ones, at most {@link MAX_COUNTED}. */
  readonly missed: readonly number[];
}

/**
 * The times of the schedules in a span. A time that is found late is missed. It is left out, or the latest of all of
 * them is made up for. A time of two schedules counts once.
 *
 * @param span epoch milliseconds: after `from`, and not after `now`.
 */
export function dueOccurrences(
  triggers: readonly CronTrigger[],
  { from, now }: { readonly from: number; readonly now: number },
): DueOccurrences {
  const starts = new Set<number>();
  const missed = new Set<number>();
  const late = Math.max(from, now - LATE_AFTER_MS);
  for (const trigger of triggers) {
    const cron = cronOf(trigger);
    for (let at = cron.nextRun(new Date(late)); at !== null && at.getTime() <= now; at = cron.nextRun(at))
      starts.add(at.getTime());
    const once = trigger.missed === 'run_once';
    for (const at of missedTimes(cron, { from, late }, once ? 1 : MAX_COUNTED)) (once ? starts : missed).add(at);
  }
  return { starts: ascending(starts), missed: ascending(missed).filter((at) => !starts.has(at)) };
}

/** The latest times after `from` and not after `late`. */
function missedTimes(
  cron: Cron,
  { from, late }: { readonly from: number; readonly late: number },
  atMost: number,
): readonly number[] {
  return late <= from ? [] : timesBefore(cron, late, atMost, (at) => at > from);
}

/**
 * The latest times not after `until` (epoch milliseconds) that are inside, newest first. Croner reads one at a time, up
 * to the first that is outside. A schedule that comes every four years would go back centuries for a hundred of them.
 */
function timesBefore(cron: Cron, until: number, atMost: number, isInside: (at: number) => boolean): readonly number[] {
  const found: number[] = [];
  // The times before a moment, in whole seconds.
  for (let before = new Date(until + 1_000); found.length < atMost;) {
    const [at] = cron.previousRuns(1, before);
    if (at === undefined || !isInside(at.getTime())) break;
    before = at;
    if (at.getTime() <= until) found.push(at.getTime());
  }
  return found;
}

/** The times of the schedules in a span, newest first and at most so many. @param span epoch milliseconds: both ends count. */
export function pastOccurrences(
  triggers: readonly Schedule[],
  { from, until }: { readonly from: number; readonly until: number },
  atMost: number,
): readonly number[] {
  const times = triggers.flatMap((trigger) => timesBefore(cronOf(trigger), until, atMost, (at) => at >= from));
  return [...new Set(times)].sort((a, b) => b - a).slice(0, atMost);
}

const ascending = (times: ReadonlySet<number>): number[] => [...times].sort((a, b) => a - b);
