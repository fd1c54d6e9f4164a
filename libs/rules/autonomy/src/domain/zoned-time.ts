/** A local date and time, without its zone. */
export interface WallClock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches the format of a zone: making one takes longer than all its uses. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** The names of zones that a document may use. */
export const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** True if the zone is known, also as an alias. */
export function isTimeZone(zone: string): boolean {
  // An offset has no name and no summer time: its author probably means a place.
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The local time at a moment (epoch milliseconds). */
export function wallClockAt(at: number, zone: string): WallClock {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute') };
}

/** The local time as if it were UTC: a number for arithmetic, not a moment. */
const reckoned = ({ year, month, day, hour, minute }: WallClock): number =>
  Date.UTC(year, month - 1, day, hour, minute);

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * The moments of a local time, in epoch milliseconds. A local time occurs twice if clocks go back: `earliest` is the first and
 * `latest` the second. It never occurs if they go forward: then both are the moment of the change.
 */
export function momentsOf(wall: WallClock, zone: string): { readonly earliest: number; readonly latest: number } {
  const wanted = reckoned(wall);
  // Clocks change at most once within two days, so these are all possible offsets.
  const candidates = [wanted - DAY_MS, wanted + DAY_MS].map((near) => wanted - offsetAt(near, zone));
  const shown = candidates.filter((at) => reckoned(wallClockAt(at, zone)) === wanted);
  if (shown.length > 0) return { earliest: Math.min(...shown), latest: Math.max(...shown) };
  const change = changeBetween(Math.min(...candidates), Math.max(...candidates), zone);
  return { earliest: change, latest: change };
}

const offsetAt = (at: number, zone: string): number =>
  reckoned(wallClockAt(at, zone)) - Math.floor(at / MINUTE_MS) * MINUTE_MS;

/** The minute in which the offset changes. */
function changeBetween(from: number, until: number, zone: string): number {
  const before = offsetAt(from, zone);
  let [low, high] = [from, until];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The local date some days later, at another time of day. */
export function onDay(wall: WallClock, days: number, hour: number, minute: number): WallClock {
  const moved = new Date(Date.UTC(wall.year, wall.month - 1, wall.day + days));
  return {
    year: moved.getUTCFullYear(),
    month: moved.getUTCMonth() + 1,
    day: moved.getUTCDate(),
    hour,
    minute,
  };
}

/** 0 is Monday. */
export const weekdayOf = ({ year, month, day }: WallClock): number =>
  (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;

/** True if the calendar has this day. 30 February is none. */
export const isDate = (wall: WallClock): boolean => new Date(reckoned(wall)).getUTCDate() === wall.day;
