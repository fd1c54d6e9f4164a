/**
 * Halts: one request that stops a tenant, an environment, an agent or a tool within seconds.
 *
 * Owns the halt rows and who may set and lift them. A halt holds from its commit on, for every policy decision (they all
 * carry the halts that apply), until a person with the role lifts it. Setting one asks the runs it covers to pause,
 * revokes the grants nobody has redeemed, and lists what had already left; a rollback still works under it.
 *
 * Never decides whether something may go on: policy does, from the facts that {@link HaltReader} gives. Never resumes
 * anything when a halt is lifted.
 */
export type {
  GrantRevoker,
  HaltReader,
  HaltRepository,
  HaltTargets,
  InFlightReader,
  RevokedGrants,
  RunPauser,
} from './application/halt.ports.js';
export { LiftHalt } from './application/lift-halt.js';
export { ReadHalts } from './application/read-halts.js';
export { SetHalt } from './application/set-halt.js';
export type { Halt, HaltEffect, HaltScope, HaltTarget } from './domain/halt.js';
export { haltEntity } from './adapters/halt.entity.js';
export { createHalts } from './create-halts.js';
