import { throughTemporal } from '../support/through-temporal.js';

// The very suites of other tenants' ids and of floods: the hooks of each run after those around it.
describe('through Temporal', () => {
  throughTemporal();

  describe('with runs that went there', () => {
    jest.requireActual('../threats/t19-other-tenants.spec.js');
  });

  describe('with a worker beside', () => {
    jest.requireActual('../threats/t22-noisy-neighbour.spec.js');
  });
});
