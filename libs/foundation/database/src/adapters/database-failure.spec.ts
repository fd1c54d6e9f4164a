import { databaseFailure } from './database-failure.js';
import { SqlError } from './sql.js';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

describe('an error of the database itself', () => {
  it.each([
    ['a refused connection', coded('ECONNREFUSED')],
    ['a server that ends', new SqlError('57P01', 'terminating connection', undefined, undefined)],
    ['a host that became a standby', new SqlError('25006', 'read-only transaction', undefined, undefined)],
    ['a connection exception', new SqlError('08006', 'lost', undefined, undefined)],
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a pool that waited in vain', new Error('timeout exceeded when trying to connect')],
  ])('answers 503 with a code: %s', (_what, error) => {
    expect(databaseFailure(error)).toMatchObject({ kind: 'unavailable', code: 'database.unavailable' });
  });

  it.each([
    ['a disk without room', '53100', 'database.disk_full'],
    ['a lock that was awaited too long', '55P03', 'database.contended'],
    ['a deadlock, again and again', '40P01', 'database.contended'],
    ['a collision, again and again', '40001', 'database.contended'],
    ['a statement over its time limit', '57014', 'database.too_slow'],
  ])('answers 503 with a code of its own: %s', (_what, state, code) => {
    const error = new SqlError(state, 'the words of PostgreSQL', undefined, undefined);
    expect(databaseFailure(error)).toMatchObject({ kind: 'unavailable', code, retryAfterSeconds: expect.any(Number) });
  });

  it.each([
    ['a refused row', new SqlError('23505', 'duplicate key', 'pk', 't')],
    ['a programming error', new TypeError('Connection is not a function')],
    ['no error', undefined],
  ])('is none of %s', (_what, error) => {
    expect(databaseFailure(error)).toBeNull();
  });
});
