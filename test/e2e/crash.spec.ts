import { crashSuite, KILLS, SEED } from '../support/crash-suite.js';

describe(`T27: a worker killed ${String(KILLS)} times at step boundaries (seed ${String(SEED)})`, () => {
  // One run at a time needs few connections. A worker opens as many as it is asked for at once, and lives for two steps.
  crashSuite(() => ({ settings: { COUNTERSIGN_DATABASE_POOL: '3' } }));
});
