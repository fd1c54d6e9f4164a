import type { Json } from '#lib/canonical';
import { judgeCondition } from './judge-condition.js';

const results = new Map<string, Json>([
  ['look', { metrics: { unhealthy: 2, share: 0.5, name: 'web' } }],
  ['other', 'no object'],
]);

it.each([
  ['look.unhealthy >= 2', { kind: 'met' }],
  ['look.unhealthy > 2', { kind: 'not_met' }],
  ['look.share < 1 and look.unhealthy == 2', { kind: 'met' }],
  ['look.name > 0', { kind: 'unclear', why: 'No earlier call gave look.name' }],
  ['other.unhealthy > 0', { kind: 'unclear', why: 'No earlier call gave other.unhealthy' }],
  ['look.unhealthy >', { kind: 'unclear', why: 'The condition "look.unhealthy >" cannot be read' }],
])('%s is judged by the metrics of earlier calls', (text, verdict) => {
  expect(judgeCondition(text, results)).toEqual(verdict);
});
