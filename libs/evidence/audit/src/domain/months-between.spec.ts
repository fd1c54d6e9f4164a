import { v7 } from 'uuid';
import { endOf, firstId, momentIn, monthsBetween, startOf } from './months-between.js';

const at = (text: string): number => Date.parse(text);

describe('months', () => {
  it.each([
    ['within one', '2026-01-01T00:00:00Z', '2026-01-31T23:59:59.999Z', ['2026-01']],
    ['over a year', '2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', ['2026-01', '2025-12']],
    ['backwards', '2026-02-01T00:00:00Z', '2026-01-31T00:00:00Z', []],
  ])('between two moments %s', (_how, from, until, months) => {
    expect(monthsBetween(at(from), at(until))).toEqual(months);
  });

  it('begin and end where the next one does', () => {
    expect(endOf('2025-12')).toBe(startOf('2026-01'));
    expect(endOf('2024-02') - startOf('2024-02')).toBe(29 * 86_400_000);
  });

  it('are told by ids', () => {
    const moment = at('2026-02-28T23:59:59.999Z');
    expect(momentIn(v7({ msecs: moment }))).toBe(moment);
    expect(momentIn(firstId(startOf('2026-01')))).toBe(startOf('2026-01'));
  });
});
