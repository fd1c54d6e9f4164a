import { ReadReplica } from './read-replica.js';
import { SqlError } from './sql.js';

it.each([
  ['the end of its server', '57P01', true],
  ['a statement cancelled for the replay', '40001', true],
  ['a row that is gone meanwhile', '55000', true],
  ['a statement over its time limit', '57014', false],
  ['a refused row', '23505', false],
])('lets the primary read in place of a replica: %s (%s) is %s', (_what, state, expected) => {
  const error = new SqlError(state, 'the words of PostgreSQL', undefined, undefined);
  expect(ReadReplica.prototype.isAway(error)).toBe(expected);
});
