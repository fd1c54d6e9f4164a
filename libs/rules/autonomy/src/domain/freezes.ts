import { WEEKDAYS, type AutonomyDocument, type Freeze } from '#lib/formats';
import type { FreezeFacts } from '#lib/policy-inputs';
import { momentOf, readWallClock, wallClockAt } from './zoned-time.js';

/** The time span of a freeze in epoch milliseconds, without its end. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
}

const DAYS_A_WEEK = 7;
const MINUTES_A_DAY = 1_440;
const MINUTES_A_WEEK = DAYS_A_WEEK * MINUTES_A_DAY;
/** How many adjacent weekly windows are joined at most. */
const MAX_JOINED = 16;

/** The stretch of a freeze at a moment: the current one, or else the next; null if none comes. */
export function stretchAt(freeze: Freeze, now: number): Stretch | null {
  if (freeze.weekly === undefined) {
    const once = onceOf(freeze);
    return once !== null && now < once.until ? once : null;
  }
  const coming = freeze.weekly
    .flatMap((window) => occurrences(window, freeze.time_zone, now))
    .filter(({ until }) => now < until)
    .sort((a, b) => a.from - b.from);
  const [first] = coming;
  if (first === undefined) return null;
  let until = first.until;
  for (let round = 0; round < MAX_JOINED; round += 1) {
    const reached = until;
    until = coming.reduce((end, other) => (other.from <= reached ? Math.max(end, other.until) : end), reached);
    if (until === reached) break;
  }
  return { from: first.from, until };
}

/** The one stretch of a freeze with dates. If clocks change, it covers both readings. */
function onceOf({ from, until, time_zone: zone }: Freeze): Stretch | null {
  const [begins, ends] = [from, until].map((text) => (text === undefined ? null : readWallClock(text)));
  if (begins == null || ends == null) return null;
  return { from: momentOf(begins, zone, 'earlier'), until: momentOf(ends, zone, 'later') };
}

interface WeekMoment {
  /** 0 is Monday. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Reads `Friday 18:00`, in the format of the schema. */
function weekMomentOf(text: string): WeekMoment {
  const [day = '', time = ''] = text.split(' ');
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { day: WEEKDAYS.findIndex((name) => name === day), hour, minute };
}

/** Minutes since Monday began. */
export function minuteOfWeek(text: string): number {
  const { day, hour, minute } = weekMomentOf(text);
  return day * MINUTES_A_DAY + hour * 60 + minute;
}

/** The windows of the last week, of this one and of the next two. */
function occurrences(
  { from, until }: { readonly from: string; readonly until: string },
  zone: string,
  now: number,
): Stretch[] {
  const today = wallClockAt(now, zone);
  const monday = today.toPlainDate().subtract({ days: today.dayOfWeek - 1 });
  const [begins, ends] = [weekMomentOf(from), weekMomentOf(until)];
  const nextWeek = minuteOfWeek(until) <= minuteOfWeek(from) ? 1 : 0;
  const wallIn = (weeks: number, { day, ...time }: WeekMoment) =>
    monday.add({ days: weeks * DAYS_A_WEEK + day }).toPlainDateTime(time);
  return [-1, 0, 1, 2].map((week) => ({
    from: momentOf(wallIn(week, begins), zone, 'earlier'),
    until: momentOf(wallIn(week + nextWeek, ends), zone, 'later'),
  }));
}

/** `2026-11-22T10:00:00Z`: freezes end at whole minutes. */
const toTheSecond = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');

/** The freezes in force at a moment, as facts for policies. */
export const activeFreezes = (document: AutonomyDocument | null, now: number): FreezeFacts[] =>
  (document?.freezes ?? []).flatMap((freeze) => {
    const stretch = stretchAt(freeze, now);
    if (stretch === null || now < stretch.from) return [];
    return [
      {
        name: freeze.name,
        // Facts know no moment before 1970.
        from: Math.max(0, stretch.from),
        until: stretch.until,
        until_utc: toTheSecond(stretch.until),
        environments: freeze.environments ?? null,
        tools: freeze.tools ?? null,
        may_pass: freeze.may_pass ?? [],
      },
    ];
  });

/** True if the weekly windows of a freeze leave no minute of a week free. */
export function neverEnds({ weekly }: Freeze): boolean {
  if (weekly === undefined) return false;
  const covered = weekly
    .flatMap(({ from, until }) => {
      const [begin, end] = [minuteOfWeek(from), minuteOfWeek(until)];
      return end > begin
        ? [[begin, end] as const]
        : ([
            [begin, MINUTES_A_WEEK],
            [0, end],
          ] as const);
    })
    .sort(([a], [b]) => a - b);
  let reached = 0;
  for (const [begin, end] of covered) {
    if (begin > reached) return false;
    reached = Math.max(reached, end);
  }
  return reached >= MINUTES_A_WEEK;
}
