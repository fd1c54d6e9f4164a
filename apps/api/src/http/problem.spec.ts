import type { Failure } from '#lib/kernel';
import { problemOf } from './problem.js';

const inUse: Failure = { kind: 'conflict', code: 'tool.in_use', message: 'Live plans use the tool.' };

it('answers with the facts of a failure in its details, whatever their names are', () => {
  const details = { plans: ['plan'], status: 'live', tools: [{ name: 'restart' }] };
  expect(problemOf({ ...inUse, details }, 'request')).toEqual({
    type: 'urn:countersign:problem:tool.in_use',
    title: 'The state of things does not allow this',
    status: 409,
    detail: 'Live plans use the tool.',
    code: 'tool.in_use',
    details,
    instance: 'urn:countersign:request:request',
  });
  expect(problemOf(inUse, 'request')).not.toHaveProperty('details');
});

it('refuses a fact that clients would read in another form', () => {
  expect(() => problemOf({ ...inUse, details: { plans: 'plan' } }, 'request')).toThrow(/expected array/);
});
