import { stateOf } from './run-timeline.js';

it.each([
  [[], 'pending'],
  [['pending', 'pending'], 'pending'],
  [['succeeded', 'pending'], 'running'],
  [['succeeded', 'dispatched'], 'running'],
  [['succeeded', 'succeeded'], 'succeeded'],
  [['succeeded', 'failed', 'pending'], 'failed'],
  [['failed', 'unknown', 'succeeded'], 'unknown'],
  [['compensated', 'succeeded'], 'compensated'],
  [['compensated', 'compensating'], 'compensating'],
  [['compensation_failed', 'compensated'], 'compensation_failed'],
])('steps that are %j make a batch that is %s', (states, state) => {
  expect(stateOf(states)).toBe(state);
});
