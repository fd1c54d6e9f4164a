/**
 * Halts: one request that stops a tenant, an environment, an agent or a tool within seconds.
 *
 * Owns halts, and the rules for setting and lifting them. A halt holds for every policy decision from its commit on, until a
 * person with the role lifts it. Setting one asks the runs it covers to pause, revokes unredeemed grants, and lists the calls
 * in flight. A rollback still works under a halt.
 *
 * Never decides whether a call may go on: policy does, from the facts that {@link HaltReader} gives. Never resumes a run when
 * a halt is lifted.
 */
export type { CallStopper, HaltReader, InFlightReader, RunPauser, StoppedCalls } from './application/halt.ports.js';
export { LiftHalt } from './application/lift-halt.js';
export { ReadHalts } from './application/read-halts.js';
export { SetHalt } from './application/set-halt.js';
export type { Halt, HaltScope, HaltTarget, InFlightCall } from './domain/halt.js';
export { haltEntity } from './adapters/halt.entity.js';
export { createHalts, createHaltStore, createHaltTargets } from './create-halts.js';
