import { randomBytes } from 'node:crypto';
import { createKeys } from '#lib/tenancy';
import { type TestDatabase, testDatabase } from '../../../../../test/support/database.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeGrantKeyStore } from '../application/grant-key.store.contract.js';
import { SqlGrantKeyStore } from './sql-grant-key.store.js';

const key = randomBytes(32);
const wrapping = createKeys({
  current: () => Promise.resolve({ id: 'k1', key }),
  byId: (id) => Promise.resolve(id === 'k1' ? key : undefined),
  ring: () => Promise.resolve({ current: 'k1', keys: new Map([['k1', key]]) }),
}).wrapping;

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
