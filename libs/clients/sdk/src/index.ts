/**
 * The other side of Countersign's API: `CountersignClient` and `makeToolCall` for agents and people, `grantVerifier` for tool servers.
 *
 * Imports no part of the server but the shared shapes, digests and the reading of command lines. Holds no state of its
 * own.
 */
export { CountersignClient } from './client.js';
export {
  argumentsWithSecrets,
  GrantError,
  grantVerifier,
  type GrantErrorCode,
  type GrantVerifier,
  type GrantVerifierOptions,
  type ReplayStore,
} from './grant-verifier.js';
export { checkLine } from './check-line.js';
export { verifierByEnvironment } from './verifier-by-environment.js';
export {
  makeToolCall,
  type OwnOutcome,
  type OwnTools,
  type ToolCallOptions,
  type ToolCallToMake,
} from './tool-calls.js';
export { CountersignError, isAddress, isBearerToken, unencryptedWay, type TransportOptions } from './transport.js';
export {
  isWaiting,
  itemsOf,
  type AnswerTo,
  type BodyOf,
  type Change,
  type components,
  type MayWait,
  type PageFilter,
  type PageOf,
  type Problem,
} from '#lib/client';
export type { GrantClaims, SimulationResult, ToolCallRequest, ToolCallResponse } from '#lib/formats';
