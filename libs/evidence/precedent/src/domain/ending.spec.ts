import { endingOf } from './ending.js';

it('takes a run that was cancelled after an effect as bad', () => {
  expect(endingOf('cancelled', 0, 1)).toBe('bad');
});

it.each([
  ['completed', 0, 'good'],
  ['succeeded', 0, 'good'],
  ['completed', 1, 'bad'],
  ['cancelled', 1, 'bad'],
  ['failed', 0, 'bad'],
  ['rolled_back', 0, 'bad'],
  ['rollback_failed', 0, 'bad'],
  ['unknown', 0, 'bad'],
  ['denied', 0, 'refused'],
  ['changes_requested', 0, 'refused'],
  ['expired', 0, 'lapsed'],
  ['voided', 0, 'lapsed'],
  ['cancelled', 0, 'lapsed'],
  ['approved', 0, 'lapsed'],
] as const)('takes %s with %i unknown effects as %s', (state, unknown, ending) => {
  expect(endingOf(state, unknown, 0)).toBe(ending);
});
