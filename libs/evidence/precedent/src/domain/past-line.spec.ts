import { pastLine } from './past-line.js';

const count = (endedAs: string, times: number, unknownEffects = 0, effects = 0) => ({
  endedAs,
  unknownEffects,
  effects,
  count: times,
  lastAt: Date.UTC(2026, 10, 3),
});

it('names bad outcomes first, with the day of the last, then refusals', () => {
  expect(pastLine([count('completed', 10), count('expired', 1), count('denied', 2), count('rolled_back', 1)])).toBe(
    'Asked 14 times before with the same tools, environment and arguments: 1 rolled back (last on 2026-11-03), 2 denied, 10 completed, 1 expired.',
  );
});

it('shows a run that was cancelled after a change as bad', () => {
  expect(pastLine([count('cancelled', 2), count('cancelled', 1, 0, 1)])).toMatch(
    /: 1 cancelled after a change \(last on 2026-11-03\), 2 cancelled\.$/,
  );
});

it('says that it counted no further', () => {
  expect(pastLine([count('completed', 1_000)])).toContain('at least 1000 times');
});

it('says that nothing was done before', () => {
  expect(pastLine([])).toBe('Not done before with these tools, environment and arguments.');
});

it('shows an unknown effect of a run that completed', () => {
  expect(pastLine([count('completed', 1, 1)])).toContain('once before');
  expect(pastLine([count('completed', 1, 1)])).toContain('1 completed with an unknown effect (last on 2026-11-03)');
});
