import { differing, standingOf } from './tool-standing.js';

const [one, two] = ['sha256:1', 'sha256:2'];

it.each([
  [one, null, 'unassigned'],
  [one, one, 'accepted'],
  [two, one, 'changed'],
  [null, one, 'changed'],
  [undefined, one, 'gone'],
  [null, null, 'unusable'],
] as const)('of a tool that is listed as %s and accepted as %s is %s', (seen, accepted, standing) => {
  expect(standingOf(seen, accepted)).toBe(standing);
});

it('names the members that differ, also those of one side', () => {
  const before = { name: 'a', description: 'One.', inputSchema: { type: 'object', required: ['a'] } };
  const after = { name: 'a', inputSchema: { required: ['a'], type: 'object' }, title: 'A' };
  expect(differing(before, after)).toEqual(['description', 'title']);
  expect(differing(null, after)).toEqual([]);
  expect(differing({ name: 'a' }, { name: 'a', constructor: 'A' })).toEqual(['constructor']);
});
