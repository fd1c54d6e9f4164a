import { Cron } from 'croner';
import type { CronTrigger } from '#lib/formats';
import { dueOccurrences, MOST_COUNTED, nextOccurrence, problemOfSchedule } from './occurrences.js';

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
  ])('%s', (_what, schedule, from, until, times) => {
    expect(started(schedule, from, until)).toEqual(times);
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
    expect([missed.length, missed.at(-1)]).toEqual([MOST_COUNTED, span.now - 60_000]);
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
    ['61 * * * *', 'no schedule'],
    ['0 0 30 2 *', 'never comes'],
  ])('%s has an error', (schedule, problem) => {
    expect(problemOfSchedule({ schedule, time_zone: BERLIN }, 0)).toContain(problem);
  });

  it.each(['*/15 8-18 * * MON-FRI', '0 0 1 * *', '0 0 * * 7'])('%s has none', (schedule) => {
    expect(problemOfSchedule({ schedule, time_zone: BERLIN }, 0)).toBeNull();
  });
});
