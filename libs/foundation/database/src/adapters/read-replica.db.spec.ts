import type { DataSource } from 'typeorm';
import { newId, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { until } from '../embedded/until.js';
import { openDataSource } from './open-data-source.js';
import { openDatabase } from './open-database.js';
import { ReadReplica } from './read-replica.js';
import { sqlOf } from './sql.js';

describe('a replica that does not answer', () => {
  let db: TestDatabase;
  let primary: DataSource;
  beforeAll(async () => {
    db = await testDatabase();
    primary = await openDataSource({ url: db.url, poolSize: 1, applicationName: 'replica-test' });
  });
  afterAll(async () => {
    await primary.destroy();
    await db.close();
  });

  it('is told in words, and once for all looks', async () => {
    const told: unknown[] = [];
    const looks = jest.spyOn(primary, 'query');
    const open = jest.fn(); // its pool is never needed
    const replica = new ReadReplica(primary, 'postgres://a:b@127.0.0.1:9/d', open, (error) => told.push(error));
    try {
      await until('further looks', 15_000, () => Promise.resolve(looks.mock.calls.length > 3 ? true : undefined));
    } finally {
      await replica.close();
      looks.mockRestore();
    }
    expect(told).toEqual([
      expect.objectContaining({
        failure: expect.objectContaining({
          code: 'database.replica_away',
          message: expect.stringContaining('ECONNREFUSED') as string,
        }) as unknown,
      }),
    ]);
    expect(replica.standing).toBe('away');
  });
});

it('is not read from if it follows another primary', async () => {
  const db = await testDatabase();
  const told: unknown[] = [];
  const primary = await openDataSource({ url: db.url, poolSize: 1, applicationName: 'replica-test' });
  jest.spyOn(primary, 'query').mockResolvedValue([{ position: '1', cluster: 'another', timeline: 1 }]);
  const open = jest.fn(); // its pool is never opened
  const replica = new ReadReplica(primary, db.adminUrl, open, (error) => told.push(error));
  try {
    await until('a word about it', 15_000, () => Promise.resolve(told[0]));
    const failure = expect.objectContaining({ code: 'database.replica_foreign' }) as unknown;
    expect(told).toEqual([expect.objectContaining({ failure })]);
    expect([replica.standing, open.mock.calls]).toEqual(['foreign', []]);
  } finally {
    await replica.close();
    await primary.destroy();
    await db.close();
  }
});

describe('a replica whose login row-level security does not hold', () => {
  it('is not read from, and said so', async () => {
    const db = await testDatabase();
    const told: unknown[] = [];
    // A server counts as its own replica.
    const database = await openDatabase(
      { kind: 'external', url: db.url, readUrl: db.adminUrl },
      { applicationName: 'replica-test', entities: [], poolSize: 2, onError: (error) => told.push(error) },
    );
    try {
      await until('a word about it', 15_000, () => Promise.resolve(told[0]));
      expect(told).toEqual([
        expect.objectContaining({
          failure: expect.objectContaining({
            code: 'database.privileged_role',
            action: expect.stringContaining('COUNTERSIGN_READ_URL') as string,
          }) as unknown,
        }),
      ]);
      const asked = database.reading(() =>
        database.uow.run(newId<TenantId>(), (tx) => sqlOf(tx).query('select current_user as role')),
      );
      expect(await asked).toEqual([{ role: 'countersign_app' }]);
      expect(database.metrics().replica).toBe('away');
    } finally {
      await database.close();
      await db.close();
    }
  });
});
