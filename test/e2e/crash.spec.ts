import { crashSuite, KILLS, SEED } from '../support/crash-suite.js';

describe(`T27: a worker killed ${String(KILLS)} times at step boundaries (seed ${String(SEED)})`, () => {
  crashSuite(() => ({ settings: {} }));
});
