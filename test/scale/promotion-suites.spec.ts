import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';

/**
 * Suites of `npm test`, as they stand: other tenants' ids, a noisy tenant, and processes that are killed. Two suites of the main
 * job bring a server of their own. promotion-restart has the one that stops the database, on the promoted server. The one of a
 * clock that jumps starts its server under libfaketime. A server that is promoted keeps the clock that it was started with.
 */
const SUITES = [
  '../threats/t19-other-tenants.spec.js',
  '../threats/t22-noisy-neighbour.spec.js',
  '../e2e/api-killed.spec.js',
  '../e2e/automation-killed.spec.js',
  '../e2e/mcp-gateway-killed.spec.js',
  '../e2e/webhook-killed.spec.js',
];

describe('after a promotion', () => {
  let pair: PostgresPair;

  beforeAll(async () => {
    pair = await postgresPair();
    await pair.synchronous(true);
    await pair.killPrimary();
    await pair.promote();
    // The databases of the suites are made on the promoted server.
    process.env.COUNTERSIGN_TEST_RUN = JSON.stringify({ directory: pair.folders.standby, ownerPid: process.pid });
  }, 120_000);
  afterAll(() => pair.close());

  // Their hooks run after the one above, and end before the one above.
  describe.each(SUITES)('%s', (suite) => {
    jest.requireActual(suite);
  });
});
