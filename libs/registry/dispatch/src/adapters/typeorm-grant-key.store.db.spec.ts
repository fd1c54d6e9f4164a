import { type TestDatabase, testDatabase } from '../../../../../test/support/database.js';
import { testKeys, testSeals } from '../../../../../test/support/seals.js';
import { describeGrantKeyStore } from '../application/grant-key.store.contract.js';
import { TypeormGrantKeyStore } from './typeorm-grant-key.store.js';

const { wrapping } = testKeys();

describe('grant keys in PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  describeGrantKeyStore('TypeormGrantKeyStore', () =>
    Promise.resolve({
      store: new TypeormGrantKeyStore(database.uow, wrapping, testSeals()),
      close: async () => {
        await database.owner.query('delete from grant_key');
      },
    }),
  );
});
