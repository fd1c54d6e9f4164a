import { byUrgency, type Urgency } from './by-urgency.js';

const waiting = (facts: Partial<Urgency>): Urgency => ({ production: true, risk: 2, targets: 3, since: 10, ...facts });

it.each([
  ['what is in production before what is riskier elsewhere', { risk: 1 }, { production: false, risk: 3 }],
  ['the riskier of two in production', { risk: 3, since: 20 }, { risk: 2 }],
  ['what touches 47 servers before what touches 3 and waits longer', { targets: 47, since: 20 }, { targets: 3 }],
  ['what waits longer, if nothing else differs', { since: 9 }, { since: 10 }],
] as const)('puts %s', (_what, first, second) => {
  expect([waiting(second), waiting(first)].sort(byUrgency)).toEqual([waiting(first), waiting(second)]);
});
