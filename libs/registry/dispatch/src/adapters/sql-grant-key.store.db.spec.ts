import { type TestDatabase, testDatabase } from '../../../../../test/support/database.js';
import { testKeys, testSeals } from '../../../../../test/support/seals.js';
import { describeGrantKeyStore } from '../application/grant-key.store.contract.js';
import { SqlGrantKeyStore } from './sql-grant-key.store.js';

const { wrapping } = testKeys();

describe('grant keys in PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  describeGrantKeyStore('SqlGrantKeyStore', () =>
    Promise.resolve({
      store: new SqlGrantKeyStore(database.uow, wrapping, testSeals()),
      close: async () => {
        await database.owner.query('delete from grant_key');
      },
    }),
  );
});
