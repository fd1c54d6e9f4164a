import { problemIn } from './problem.js';

const problem = {
  type: 'urn:countersign:problem:tool.in_use',
  title: 'The state of things does not allow this',
  status: 409,
  detail: 'Live plans use the tool.',
  code: 'tool.in_use',
  instance: 'urn:countersign:request:1',
};
const told = new Headers({ 'retry-after': '7' });

it.each([problem, { ...problem, details: { plans: ['p'], halt_id: 'h' }, more: 1 }])(
  'a refusal is the problem document, with the seconds of Retry-After: %j',
  (document) => {
    expect(problemIn(document, new Headers())).toEqual(document);
    expect(problemIn(document, told)).toEqual({ ...document, retry_after_seconds: 7 });
  },
);

it.each([
  null,
  'refused',
  [problem],
  { ...problem, title: undefined },
  { ...problem, status: '409' },
  { ...problem, details: [] },
  { ...problem, details: { plans: 'p' } },
  { ...problem, details: { done: [{ change: 'deleted', name: 'qa', what: 'production' }] } },
])('a document of another form came from another program: %j', (document) => {
  expect(problemIn(document, told)).toBeNull();
});
