import { Cron } from 'croner';
import type { CronTrigger } from '#lib/formats';
import { dueOccurrences, MAX_COUNTED, nextOccurrence, pastOccurrences, problemOfSchedule } from './occurrences.js';

const BERLIN = 'Europe/Berlin';
const trigger = (schedule: string, missed: CronTrigger['missed'] = 'skip', time_zone = BERLIN): CronTrigger => ({
  ...{ type: 'cron', schedule, time_zone, missed },
});
const at = (text: string): number => Date.parse(text);
const spelt = (times: readonly number[]): string[] => times.map((time) => new Date(time).toISOString().slice(5, 16));

/** The times of a schedule in a span, as a worker that looks every minute starts them. */
function started(schedule: string, from: string, until: string): string[] {
  const found: number[] = [];
  for (let now = at(from) + 60_000; now <= at(until); now += 60_000)
    found.push(...dueOccurrences([trigger(schedule)], { from: now - 60_000, now }).starts);
  return spelt(found);
}

describe('the times of a schedule', () => {
  it.each([
    // 29 March 2026, 02:00 CET is 03:00 CEST.
    [
      'a fixed time in the gap comes right after it',
      '30 2 * * *',
      '2026-03-28T23:30Z',
      '2026-03-30T00:30Z',
      ['03-29T01:00', '03-30T00:30'],
    ],
    [
      'a repeated time leaves the gap out',
      '*/30 * * * *',
      '2026-03-29T00:15Z',
      '2026-03-29T02:00Z',
      ['03-29T00:30', '03-29T01:00', '03-29T01:30', '03-29T02:00'],
    ],
    [
      'a list of fixed times in the gap comes right after it, once',
      '0,30 2,14 * * *',
      '2026-03-28T23:30Z',
      '2026-03-29T13:00Z',
      ['03-29T01:00', '03-29T12:00', '03-29T12:30'],
    ],
    // 25 October 2026, 03:00 CEST is 02:00 CET.
    [
      'a fixed time that comes twice counts once',
      '30 2 * * *',
      '2026-10-24T22:00Z',
      '2026-10-26T02:00Z',
      ['10-25T00:30', '10-26T01:30'],
    ],
    [
      'a repeated time counts both times',
      '30 * * * *',
      '2026-10-25T00:00Z',
      '2026-10-25T02:00Z',
      ['10-25T00:30', '10-25T01:30'],
    ],
    [
      'a range of fixed times counts once',
      '30 1-3 * * *',
      '2026-10-24T22:00Z',
      '2026-10-25T04:00Z',
      ['10-24T23:30', '10-25T00:30', '10-25T02:30'],
    ],
  ])('%s', (_what, schedule, from, until, times) => {
    expect(started(schedule, from, until)).toEqual(times);
  });

  it.each([
    // Clocks go by half an hour on Lord Howe Island: 4 October 2026, 02:00 +10:30 is 02:30 +11:00.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['10-03T15:30', '10-04T15:15']],
    ['30 5 * * *', 'Asia/Kathmandu', '2026-03-28T23:44Z', ['03-28T23:45', '03-29T23:45']],
    ['0 0 29 2 *', 'UTC', '2096-02-29T00:00Z', ['02-29T00:00', '02-29T00:00']],
    ['0 0 31 * *', 'UTC', '2026-01-31T00:00Z', ['03-31T00:00', '05-31T00:00']],
    ['0 0 L * *', 'UTC', '2028-01-31T00:00Z', ['02-29T00:00', '03-31T00:00']],
    // 13 November 2026 is a Friday.
    ['0 0 13 * FRI', 'UTC', '2026-11-08T00:00Z', ['11-13T00:00', '11-20T00:00']],
  ])('of %s in %s after %s', (schedule, zone, after, times) => {
    const schedules = [trigger(schedule, 'skip', zone)];
    const next = nextOccurrence(schedules, at(after)) ?? 0;
    expect(spelt([next, nextOccurrence(schedules, next) ?? 0])).toEqual(times);
    const span = { from: at(after) + 1, until: nextOccurrence(schedules, next) ?? 0 };
    expect(spelt(pastOccurrences(schedules, span, 9))).toEqual(times.toReversed());
  });

  it('are after the moment that was looked at, and not after now', () => {
    const daily = [trigger('0 6 * * *', 'skip', 'UTC')];
    const six = at('2026-11-26T06:00:00Z');
    expect(dueOccurrences(daily, { from: six, now: six + 1_000 }).starts).toEqual([]);
    expect(dueOccurrences(daily, { from: six - 1_000, now: six - 1 }).starts).toEqual([]);
    expect(dueOccurrences(daily, { from: six - 1_000, now: six }).starts).toEqual([six]);
    expect(nextOccurrence(daily, six)).toBe(six + 24 * 3_600_000);
    expect(nextOccurrence([...daily, trigger('30 6 * * *', 'skip', 'UTC')], six)).toBe(six + 30 * 60_000);
  });

  it('count once if two schedules have the same one', () => {
    const six = at('2026-11-26T06:00:00Z');
    const both = [trigger('0 6 * * *', 'skip', 'UTC'), trigger('0 * * * *', 'skip', 'UTC')];
    expect(dueOccurrences(both, { from: six - 1_000, now: six + 1_000 }).starts).toEqual([six]);
  });

  it('that were missed are left out, or the latest one is made up for', () => {
    const span = { from: at('2026-11-26T02:10:00Z'), now: at('2026-11-26T06:20:00Z') };
    const hourly = (missed: CronTrigger['missed']) => dueOccurrences([trigger('0 * * * *', missed, 'UTC')], span);
    const four = ['03', '04', '05', '06'].map((hour) => at(`2026-11-26T${hour}:00:00Z`));
    expect(hourly('skip')).toEqual({ starts: [], missed: four });
    const week = { from: span.now - 7 * 24 * 3_600_000, now: span.now };
    const { missed } = dueOccurrences([trigger('* * * * *', 'skip', 'UTC')], week);
    expect([missed.length, missed.at(-1)]).toEqual([MAX_COUNTED, span.now - 60_000]);
    expect(hourly('run_once')).toEqual({ starts: [at('2026-11-26T06:00:00Z')], missed: [] });
    const late = { from: at('2026-11-26T05:00:00Z'), now: at('2026-11-26T06:01:00Z') };
    expect(dueOccurrences([trigger('0 * * * *', 'skip', 'UTC')], late)).toEqual({
      starts: [],
      missed: [late.now - 60_000],
    });
    const inTime = { ...late, now: late.now - 1 };
    expect(dueOccurrences([trigger('0 * * * *', 'skip', 'UTC')], inTime).starts).toEqual([late.now - 60_000]);
  });

  it('of a rare schedule are read no further back than the span', () => {
    const read = jest.spyOn(Cron.prototype, 'previousRuns');
    const rare = trigger('0 0 29 2 *', 'skip', 'UTC');
    const now = at('2028-03-01T00:00:00Z');
    expect(dueOccurrences([rare], { from: now - 7 * 24 * 3_600_000, now }).missed).toEqual([
      at('2028-02-29T00:00:00Z'),
    ]);
    expect(read.mock.calls.map(([count]) => count)).toEqual([1, 1]);
    read.mockRestore();
  });

  it.each([
    ['* * * *', 'five fields'],
    ['0 * * * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['61 * * * *', 'The minute "61" is not possible: write *, or values of 0 to 59.'],
    [
      '* 22-2 * * *',
      'The hour "22-2" is not possible: write *, or values of 0 to 23. Lists (1,2), ranges from low to high',
    ],
    ['* * 0 * *', 'The day "0" is not'],
    ['* * * 13 *', 'The month "13" is not'],
    ['* * * * MONDAY', 'The day of the week "MONDAY" is not'],
    ['0 0 30 2 *', 'never comes'],
    ['0 0 31 2,4,6,9,11 *', 'never comes'],
  ])('%s has an error', (schedule, problem) => {
    expect(problemOfSchedule({ schedule, time_zone: BERLIN }, 0)).toContain(problem);
  });

  it.each(['*/15 8-18 * * MON-FRI', '0 0 1 * *', '0 0 * * 7'])('%s has none', (schedule) => {
    expect(problemOfSchedule({ schedule, time_zone: BERLIN }, 0)).toBeNull();
  });
});
