import { lastDays, startOfDays } from './days.js';

const now = Date.parse('2026-03-01T00:00:00.500Z');

describe('days', () => {
  it('are those of UTC, today last', () => {
    expect(lastDays(3, now)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(lastDays(1, now - 1_000)).toEqual(['2026-02-28']);
  });

  it('begin at midnight', () => {
    expect(new Date(startOfDays(3, now)).toISOString()).toBe('2026-02-27T00:00:00.000Z');
  });
});
