/**
 * The guarded way out: connections to public addresses alone, private hosts excepted that an operator allows (T31).
 *
 * Invariants: the address of the connection itself is checked, so that a name that resolves twice gains nothing; no redirect is
 * followed. It knows no tenant and no grant, and it decides about addresses alone.
 */
export {
  isAllowedPrivateHost,
  isPublicAddress,
  privateHostsOf,
  tenantsNamedIn,
  type AllowedPrivateHosts,
} from './address-policy.js';
export { failureInWords } from './failure-in-words.js';
export { fetchThrough, type GuardedRequest } from './fetch-through.js';
export { guardedAgent, type Connections } from './guarded-agent.js';
export { AddressRefusedError } from './public-lookup.js';
