/**
 * Runners: machines in a tenant's own network that fetch calls, and carry them out (ADR 29).
 *
 * Owns runners, their one-time tokens and keys, the proofs of their requests, and the calls that wait for a pool.
 *
 * Invariants: a runner that is added to a pool waits for a second person; a token enrols once, within an hour; a runner gets calls and
 * secrets of its own environments alone; every request of a
 * runner carries a proof of its own key, which counts once; a revoked runner or key is refused at once; a call is taken by one runner,
 * and never given to another one. A call that was taken and not answered is lost: nobody claims to know its effect.
 *
 * It decides nothing about calls: each has its grant, which the runner verifies itself. It assigns no risk to the tools that runners
 * advertise.
 */
export {
  runnerDispatchEntity,
  runnerEnrolmentEntity,
  runnerEntity,
  runnerKeyEntity,
  runnerMcpServerEntity,
  runnerOutputEntity,
  runnerProofEntity,
} from './adapters/runner.entity.js';
export { oldRunnerCalls } from './adapters/sql-old-runner-calls.js';
export { createPoolWake, createRunnerPool, createRunnerPoolStore, createRunnerSignals } from './create-runner-pool.js';
export { AddRunner } from './application/add-runner.js';
export { EnrolRunner } from './application/enrol-runner.js';
export { IntroduceRunner } from './application/introduce-runner.js';
export { LeavePool } from './application/leave-pool.js';
export { ReadCalls } from './application/read-calls.js';
export type { RunnerDispatch } from './application/runner-dispatch.ports.js';
export { ReadRunners, type SeenRunner } from './application/read-runners.js';
export { ReportCall } from './application/report-call.js';
export { RevokeRunner } from './application/revoke-runner.js';
export { RotateRunnerKey } from './application/rotate-runner-key.js';
export { TakeCall, type TakenCall } from './application/take-call.js';
export { VerifyProof, type ProvenRunner } from './application/verify-proof.js';
export type { RunnerDispatchId, RunnerId } from './domain/ids.js';
