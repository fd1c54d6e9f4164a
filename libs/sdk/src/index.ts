/**
 * What the other side of Countersign's API uses: `grantVerifier` for tool servers.
 *
 * Imports no part of the server but the shared shapes and digests.
 */
export {
  argumentsWithSecrets,
  GrantError,
  grantVerifier,
  type GrantErrorCode,
  type GrantVerifier,
  type GrantVerifierOptions,
  type ReplayStore,
} from './grant-verifier.js';
