import { overlapOfGlobs } from './match-glob.js';

it.each([
  ['*tfvars', '*.tfvars', 6],
  ['terraform.tfst*', '*.tfstate', 5],
  ['*.t?', '*.tfvars', -1],
  ['README*', '*.key', 0],
  ['README.md', '*.key', -1],
  ['a*c', 'a*c', 2],
  ['a?c', 'abc', 2],
  ['*', '.env', -1],
  ['**', '.env', 0],
  ['*', '*', 0],
  ['', '', 0],
  ['', 'a', -1],
])('%j and %j can share %i literal characters', (glob, other, most) => {
  expect(overlapOfGlobs(glob, other)).toBe(most);
});
