import { Temporal } from 'temporal-polyfill';
import { closest } from '#lib/words';

/** A local date and time, without its zone. */
export type WallClock = Temporal.PlainDateTime;

/** The names of zones that a document may use. */
export const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The zone that a name probably stands for: a city alone, or a misspelt zone. */
export function nearestTimeZone(name: string): string | undefined {
  const zones = timeZones();
  const city = `/${name.replaceAll(' ', '_').toLowerCase()}`;
  return zones.find((zone) => zone.toLowerCase().endsWith(city)) ?? closest(name, zones);
}

/** True if the zone is known, also as an alias. */
export function isTimeZone(zone: string): boolean {
  // An offset has no name and no summer time: its author probably means a place.
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    wallClockAt(0, zone);
    return true;
  } catch {
    return false;
  }
}

/** Reads `2026-12-24T18:00`, in the format of the schema; null for a day that the calendar lacks. */
export function readWallClock(text: string): WallClock | null {
  try {
    return Temporal.PlainDateTime.from(text);
  } catch {
    return null;
  }
}

/** The local time at a moment (epoch milliseconds). */
export const wallClockAt = (at: number, zone: string): WallClock =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime();

/**
 * The moment of a local time, in epoch milliseconds. A local time never occurs if clocks go forward: then that is the moment of the
 * change.
 *
 * @param which of the two moments, if clocks go back and the local time occurs twice.
 */
export function momentOf(wall: WallClock, zone: string, which: 'earlier' | 'later'): number {
  const moment = wall.toZonedDateTime(zone, { disambiguation: which });
  if (moment.toPlainDateTime().equals(wall)) return moment.epochMilliseconds;
  const before = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? moment).epochMilliseconds;
}
