import { isImpactNotKnown } from './is-impact-not-known.js';

it.each([
  [false, 0, [], false],
  [false, 1, [], true],
  [false, 0, ['2026-06'], true],
  [true, 1, ['2026-06'], false],
])('of a report with looser %j, %i not put and the months %j away, it is %j', (looser, notPut, months, notKnown) => {
  expect(isImpactNotKnown({ looser, decisions: { not_put: notPut }, months_away: months })).toBe(notKnown);
});
