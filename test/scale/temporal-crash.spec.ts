import { crashSuite, KILLS, SEED } from '../support/crash-suite.js';
import { throughTemporal } from '../support/through-temporal.js';

describe('through Temporal', () => {
  throughTemporal();

  describe(`T27: a worker killed ${String(KILLS)} times at step boundaries, through Temporal (seed ${String(SEED)})`, () => {
    // Temporal's own timer wakes a run at the end of a lease.
    crashSuite(() => ({ settings: {}, timeLimitSeconds: 15 }));
  });

  // The very suites. Their hooks stand within them.
  jest.requireActual('../e2e/database-restart.spec.js');
  jest.requireActual('../e2e/clock-jump.spec.js');
});
