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

  it('answers 503 with a code of its own: a disk without room', () => {
    const error = new SqlError('53100', 'could not extend file: No space left on device', undefined, undefined);
    expect(databaseFailure(error)).toMatchObject({ kind: 'unavailable', code: 'database.disk_full' });
  });

  it.each([
    ['a refused row', new SqlError('23505', 'duplicate key', 'pk', 't')],
    ['a programming error', new TypeError('Connection is not a function')],
    ['no error', undefined],
  ])('is none of %s', (_what, error) => {
    expect(databaseFailure(error)).toBeNull();
  });
});
