import { databaseConfigFrom, dataDirectory } from './database-config.js';

describe('the database’s configuration', () => {
  it.each([
    ['nothing', {}, { kind: 'embedded', directory: '/app/.countersign/postgres' }],
    ['a data directory', { COUNTERSIGN_DATA: '/data' }, { kind: 'embedded', directory: '/data/postgres' }],
    [
      'empty variables',
      { DATABASE_URL: '', COUNTERSIGN_PG_PORT: '' },
      { kind: 'embedded', directory: '/app/.countersign/postgres' },
    ],
    [
      'a port',
      { COUNTERSIGN_PG_PORT: '5433' },
      { kind: 'embedded', directory: '/app/.countersign/postgres', port: 5433 },
    ],
    ['an address', { DATABASE_URL: 'postgres://a:b@h/d' }, { kind: 'external', url: 'postgres://a:b@h/d' }],
    [
      'two addresses',
      { DATABASE_URL: 'postgresql://a:b@h/d', COUNTERSIGN_MIGRATE_URL: 'postgres://m:n@h/d' },
      { kind: 'external', url: 'postgresql://a:b@h/d', migrateUrl: 'postgres://m:n@h/d' },
    ],
    [
      'a replica',
      { DATABASE_URL: 'postgres://a:b@h1,h2/d', COUNTERSIGN_READ_URL: 'postgres://a:b@h2/d' },
      { kind: 'external', url: 'postgres://a:b@h1,h2/d', readUrl: 'postgres://a:b@h2/d' },
    ],
    [
      'a pooler and its server',
      { DATABASE_URL: 'postgres://a:b@pool/d', COUNTERSIGN_POOLED: '1', COUNTERSIGN_DIRECT_URL: 'postgres://a:b@h/d' },
      { kind: 'external', url: 'postgres://a:b@pool/d', directUrl: 'postgres://a:b@h/d' },
    ],
  ])('is read from %s', (_what, environment, config) => {
    expect(databaseConfigFrom(environment, '/app')).toEqual(config);
  });

  it.each([
    ['DATABASE_URL', { DATABASE_URL: 'mysql://u:hunter2@h/d' }],
    ['DATABASE_URL', { DATABASE_URL: 'hunter2' }],
    ['COUNTERSIGN_MIGRATE_URL', { DATABASE_URL: 'postgres://a@h/d', COUNTERSIGN_MIGRATE_URL: 'http://u:hunter2@h' }],
    ['COUNTERSIGN_MIGRATE_URL', { COUNTERSIGN_MIGRATE_URL: 'postgres://u:hunter2@h/d' }],
    ['COUNTERSIGN_READ_URL', { COUNTERSIGN_READ_URL: 'postgres://u:hunter2@h/d' }],
    [
      'COUNTERSIGN_READ_URL',
      { DATABASE_URL: 'postgres://a@h/d', COUNTERSIGN_READ_URL: 'postgres://u:hunter2@h1,h2/d' },
    ],
    ['COUNTERSIGN_DIRECT_URL', { DATABASE_URL: 'postgres://a@h/d', COUNTERSIGN_POOLED: '1' }],
    ['COUNTERSIGN_POOLED', { DATABASE_URL: 'postgres://a@h/d', COUNTERSIGN_DIRECT_URL: 'postgres://u:hunter2@h/d' }],
    ['COUNTERSIGN_POOLED', { COUNTERSIGN_POOLED: '1', COUNTERSIGN_DIRECT_URL: 'postgres://u:hunter2@h/d' }],
    ['COUNTERSIGN_POOLED', { DATABASE_URL: 'postgres://a@h/d', COUNTERSIGN_POOLED: 'yes' }],
    ['COUNTERSIGN_PG_PORT', { COUNTERSIGN_PG_PORT: '70000' }],
    ['COUNTERSIGN_PG_PORT', { COUNTERSIGN_PG_PORT: 'five' }],
  ])('names %s when it is wrong, and repeats no password', (variable, environment) => {
    const read = (): unknown => databaseConfigFrom(environment, '/app');
    expect(read).toThrow(variable);
    expect(read).not.toThrow('hunter2');
  });

  it('keeps all lasting data in one folder', () => {
    expect(dataDirectory({}, '/app')).toBe('/app/.countersign');
  });
});
