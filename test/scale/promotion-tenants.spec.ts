import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';

describe('T19: after a promotion', () => {
  let pair: PostgresPair;

  beforeAll(async () => {
    pair = await postgresPair();
    await pair.synchronous(true);
    await pair.killPrimary();
    await pair.promote();
    // The suite's databases are made on the promoted server.
    process.env.COUNTERSIGN_TEST_RUN = JSON.stringify({ directory: pair.folders.standby, ownerPid: process.pid });
  }, 120_000);

  // The very suite of other tenants' ids: its hooks run after the one above.
  jest.requireActual('../threats/t19-other-tenants.spec.js');

  afterAll(() => pair.close());
});
