import { throughTemporal } from '../support/through-temporal.js';

describe('through Temporal', () => {
  throughTemporal();

  // The very suites of other tenants' ids and of floods: their hooks run after the one above.
  jest.requireActual('../threats/t19-other-tenants.spec.js');
  jest.requireActual('../threats/t22-noisy-neighbour.spec.js');
});
