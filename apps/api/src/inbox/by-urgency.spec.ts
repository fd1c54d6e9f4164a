import { byUrgency, type Urgency } from './by-urgency.js';

const waiting = (facts: Partial<Urgency>): Urgency => ({ production: true, risk: 2, targets: 3, since: 10, ...facts });

it.each([
  ['production before a higher risk elsewhere', { risk: 1 }, { production: false, risk: 3 }],
  ['the riskier of two in production', { risk: 3, since: 20 }, { risk: 2 }],
  ['47 targets before 3 that wait longer', { targets: 47, since: 20 }, { targets: 3 }],
  ['the longer wait, if nothing else differs', { since: 9 }, { since: 10 }],
] as const)('puts %s', (_what, first, second) => {
  expect([waiting(second), waiting(first)].sort(byUrgency)).toEqual([waiting(first), waiting(second)]);
});
