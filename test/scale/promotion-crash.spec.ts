import { crashSuite, KILLS, SEED } from '../support/crash-suite.js';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';

let pair: PostgresPair;

/** A primary that was killed, and its standby in its place. */
async function promoted(): Promise<PostgresPair> {
  pair = await postgresPair();
  await pair.synchronous(true);
  await pair.killPrimary();
  await pair.promote();
  return pair;
}

describe(`T27: a worker killed ${String(KILLS)} times at step boundaries, after a promotion (seed ${String(SEED)})`, () => {
  crashSuite(async () => {
    const { standby, url } = await promoted();
    // The first of the two hosts is dead.
    return { settings: {}, server: { postgres: standby, url: (database) => url('countersign_app', database) } };
  });
  afterAll(() => pair.close());
});
