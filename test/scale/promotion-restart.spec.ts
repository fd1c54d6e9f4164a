import { databaseRestartSuite } from '../support/database-restart-suite.js';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';

describe('T27: a promoted server is stopped and started in the middle of a run', () => {
  let pair: PostgresPair;
  databaseRestartSuite(async () => {
    pair = await postgresPair();
    await pair.synchronous(true);
    await pair.killPrimary();
    await pair.promote();
    return { postgres: pair.standby, folder: pair.folders.standby };
  });
  afterAll(() => pair.close());
});
