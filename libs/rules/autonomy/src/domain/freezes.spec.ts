import fc from 'fast-check';
import type { Freeze } from '#lib/formats';
import { activeFreezes, minuteOfWeek, neverEnds, stretchAt } from './freezes.js';
import { momentOf, timeZones, wallClockAt } from './zoned-time.js';
import { timesInputs } from '../../../../../test/arbitraries/times-inputs.js';

const utc = (text: string): number => Date.parse(text);
const iso = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toISOString());

const once = (from: string, until: string, zone = 'Europe/Berlin'): Freeze => ({
  name: 'once',
  time_zone: zone,
  from,
  until,
});

const weekend: Freeze = {
  name: 'weekend',
  time_zone: 'Europe/Berlin',
  weekly: [{ from: 'Friday 18:00', until: 'Monday 07:00' }],
};

const stretchOf = (freeze: Freeze, now: string): readonly string[] => {
  const stretch = stretchAt(freeze, utc(now));
  return stretch === null ? [] : [iso(stretch.from), iso(stretch.until)];
};

describe('a freeze with dates', () => {
  it('means the wall clock of its zone, in winter and in summer', () => {
    expect(stretchOf(once('2026-12-20T18:00', '2027-01-04 06:00'), '2026-12-01T00:00:00Z')).toEqual([
      '2026-12-20T17:00:00.000Z',
      '2027-01-04T05:00:00.000Z',
    ]);
    expect(stretchOf(once('2026-07-01T18:00', '2026-07-02T06:00'), '2026-06-01T00:00:00Z')).toEqual([
      '2026-07-01T16:00:00.000Z',
      '2026-07-02T04:00:00.000Z',
    ]);
  });

  it('covers both readings if clocks change', () => {
    // 2:30 comes twice on 25 October 2026, and not at all on 29 March.
    expect(stretchOf(once('2026-10-25T02:30', '2026-10-25T02:45'), '2026-01-01T00:00:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:45:00.000Z',
    ]);
    expect(stretchOf(once('2026-03-29T02:30', '2026-03-29T04:00'), '2026-01-01T00:00:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T02:00:00.000Z',
    ]);
  });

  it('is over when it is over', () => {
    expect(stretchOf(once('2026-07-01T18:00', '2026-07-02T06:00'), '2026-07-02T04:00:00Z')).toEqual([]);
  });
});

describe('a weekly freeze', () => {
  it('is the one that is, or the next one', () => {
    expect(stretchOf(weekend, '2026-11-22T12:00:00Z')).toEqual([
      '2026-11-20T17:00:00.000Z',
      '2026-11-23T06:00:00.000Z',
    ]);
    expect(stretchOf(weekend, '2026-11-23T06:00:00Z')).toEqual([
      '2026-11-27T17:00:00.000Z',
      '2026-11-30T06:00:00.000Z',
    ]);
  });

  it('ends by the clock on the wall across a change of clocks', () => {
    // Clocks went back in that night: the weekend is an hour longer.
    expect(stretchOf(weekend, '2026-10-25T12:00:00Z')).toEqual([
      '2026-10-23T16:00:00.000Z',
      '2026-10-26T06:00:00.000Z',
    ]);
  });

  it('goes on through windows that touch each other', () => {
    const nights: Freeze = {
      ...weekend,
      weekly: [
        { from: 'Friday 18:00', until: 'Saturday 00:00' },
        { from: 'Saturday 00:00', until: 'Monday 07:00' },
        { from: 'Monday 06:00', until: 'Monday 08:00' },
      ],
    };
    expect(stretchOf(nights, '2026-11-20T20:00:00Z')).toEqual(['2026-11-20T17:00:00.000Z', '2026-11-23T07:00:00.000Z']);
  });

  it('never ends if it leaves no minute free', () => {
    expect(neverEnds({ ...weekend, weekly: [{ from: 'Monday 00:00', until: 'Thursday 12:00' }] })).toBe(false);
    expect(
      neverEnds({
        ...weekend,
        weekly: [
          { from: 'Thursday 11:00', until: 'Monday 00:01' },
          { from: 'Monday 00:00', until: 'Thursday 12:00' },
        ],
      }),
    ).toBe(true);
    expect(neverEnds(weekend)).toBe(false);
  });
});

describe('the freezes in force', () => {
  it('come with their end, and cover everything that they do not restrict', () => {
    const document = {
      autonomy: { mode: 'full_auto' as const },
      freezes: [weekend, once('2026-07-01T18:00', '2026-07-02T06:00')],
    };
    expect(activeFreezes(document, utc('2026-11-22T12:00:00Z'))).toEqual([
      {
        name: 'weekend',
        from: utc('2026-11-20T17:00:00Z'),
        until: utc('2026-11-23T06:00:00Z'),
        until_utc: '2026-11-23T06:00:00Z',
        environments: null,
        tools: null,
        may_pass: [],
      },
    ]);
    expect(activeFreezes(document, utc('2026-11-24T12:00:00Z'))).toEqual([]);
    expect(activeFreezes(null, 0)).toEqual([]);
    const ever = { ...document, freezes: [once('0001-01-01T00:00', '9999-12-31T23:59', 'UTC')] };
    expect(activeFreezes(ever, 0)).toMatchObject([{ from: 0, until_utc: '9999-12-31T23:59:00Z' }]);
  });
});

describe('wall clocks', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'America/Sao_Paulo',
    ...timeZones().slice(0, 40),
  );
  const at = fc.integer({ min: utc('2015-01-01T00:00:00Z') / 60_000, max: utc('2035-01-01T00:00:00Z') / 60_000 });

  it('show a moment that leads back to that moment, or to the other one at which they show the same', () => {
    fc.assert(
      fc.property(zone, at, (name, minutes) => {
        const moment = minutes * 60_000;
        const wall = wallClockAt(moment, name);
        const [earliest, latest] = [momentOf(wall, name, 'earlier'), momentOf(wall, name, 'later')];
        expect([[earliest, latest].includes(moment), latest - earliest <= 86_400_000]).toEqual([true, true]);
      }),
      { numRuns: timesInputs(500) },
    );
  });

  it('turn a weekly window into a stretch that ends on its days, at every moment', () => {
    const day = fc.constantFrom('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday');
    const moment = fc.tuple(day, fc.nat({ max: 23 }), fc.nat({ max: 59 })).map(([name, hour, minute]) => {
      const two = (number: number): string => String(number).padStart(2, '0');
      return `${name} ${two(hour)}:${two(minute)}`;
    });
    fc.assert(
      fc.property(zone, at, moment, moment, (name, minutes, from, until) => {
        fc.pre(from !== until);
        const now = minutes * 60_000;
        const stretch = stretchAt({ name: 'x', time_zone: name, weekly: [{ from, until }] }, now);
        expect(stretch).not.toBeNull();
        if (stretch === null) return;
        expect(stretch.until).toBeGreaterThan(now);
        const week = 7 * 86_400_000;
        const expected = (minuteOfWeek(until) - minuteOfWeek(from) + 10_080) % 10_080;
        // A change of clocks, or of the date line, moves an end by at most a day.
        expect(Math.abs(stretch.until - stretch.from - expected * 60_000)).toBeLessThanOrEqual(86_400_000);
        expect(stretch.from - now).toBeLessThanOrEqual(week + 86_400_000);
      }),
      { numRuns: timesInputs(250) },
    );
  });
});
