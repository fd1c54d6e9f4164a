/** Callers for tests of apps, which see of a library its index alone. */
export { sampleAgent, samplePerson } from '../../libs/foundation/kernel/src/fake-tenant.js';
