import { createPrivateKey, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Json } from '#lib/canonical';
import { RUNNER_PROOF_TYPE, type RunnerProofClaims } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import type { RunnerIdentity } from './runner-key.js';

/** Shorter than the longest that is allowed: a request arrives in this time, or is signed anew. */
const LIFETIME_SECONDS = 30;

/** The request that a proof is for. */
export interface RequestToProve {
  readonly audience: string;
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly body: Json;
}

/** Signs the proof of one request. @param now epoch milliseconds. */
export function signProof(identity: RunnerIdentity, request: RequestToProve, now: number): Promise<string> {
  const issued = Math.floor(now / 1_000);
  const claims: RunnerProofClaims = {
    iss: identity.runner_id,
    aud: request.audience,
    tenant: identity.tenant_id,
    jti: randomUUID(),
    iat: issued,
    exp: issued + LIFETIME_SECONDS,
    method: request.method,
    path: request.path,
    body_digest: digestOf('request-body', request.body),
  };
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: RUNNER_PROOF_TYPE, kid: identity.key_id })
    .sign(createPrivateKey({ key: identity.private_key, format: 'jwk' }));
}
