import { createPublicKey } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { parseStrictJson } from '#lib/canonical';
import { RUNNER_PROOF_SECONDS, RUNNER_PROOF_TYPE, runnerProofClaimsSchema, type RunnerProofClaims } from '#lib/formats';
import {
  err,
  isUuid,
  ok,
  type Failure,
  type Result,
  type RunnerId,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { judgeProof, proofRefused, type ProvenRequest } from '../domain/judge-proof.js';
import type { Runner } from '../domain/runner.js';
import type { RunnerKey, RunnerRepository } from './runner.ports.js';

/** The most requests of one runner in a minute. */
const MAX_REQUESTS = 1_200;

/** A runner that has proved for one request that it holds its key. */
export interface ProvenRunner {
  readonly tenantId: TenantId;
  readonly runner: Runner;
  readonly keyId: string;
}

/**
 * Verifies the proof of a request: signature, key, address, method, path, body, age; and uses it up.
 *
 * Failures: `runner.proof_refused`, `runner.proof_expired`, `runner.proof_mismatch`, `runner.proof_replayed`, `runner.revoked`,
 * `runner.rate_limited`.
 */
export class VerifyProof {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    /** Countersign's own address, as runners know it. */
    private readonly audience: string,
  ) {}

  async execute(proof: string | undefined, request: ProvenRequest): Promise<Result<ProvenRunner>> {
    const named = proof === undefined ? null : namesIn(proof);
    if (proof === undefined || named === null) return err(proofRefused);
    return this.uow.run(named.tenantId, async (tx): Promise<Result<ProvenRunner>> => {
      const key = await this.runners.key(tx, named.keyId);
      const claims = key === null ? null : await claimsOf(proof, key);
      if (key === null || claims?.iss !== key.runnerId || claims.tenant !== tx.tenantId) return err(proofRefused);
      const runner = await this.runners.find(tx, key.runnerId);
      // Told apart only for the holder of the key: the machine then stops.
      if (runner?.revokedAt !== null || key.revokedAt !== null) return err(revoked);
      const now = await tx.now();
      const judged = judgeProof(claims, request, this.audience, now);
      if (!judged.ok) return judged;
      const { fresh, recent } = await this.runners.useProof(tx, runner.id, claims.jti, now + KEPT_MS);
      if (!fresh) return err(replayed);
      if (recent > MAX_REQUESTS) return err(tooMany);
      await this.#retireEarlier(tx, key, now);
      await this.runners.saw(tx, runner.id, now);
      return ok({ tenantId: tx.tenantId, runner, keyId: key.id });
    });
  }

  /** A key that its runner uses takes the place of those before. */
  async #retireEarlier(tx: Tx, key: RunnerKey, now: number): Promise<void> {
    const keys = await this.runners.keys(tx, key.runnerId);
    const earlier = keys.filter(({ createdAt, revokedAt }) => revokedAt === null && createdAt < key.createdAt);
    if (earlier.length > 0)
      await this.runners.revokeKeys(
        tx,
        earlier.map(({ id }) => id),
        now,
      );
  }
}

/** Longer than any proof is good for, the skew of clocks included. */
const KEPT_MS = (RUNNER_PROOF_SECONDS + 10) * 1_000;

/** The unverified word of a proof only chooses the key to verify it with. */
function namesIn(proof: string): { readonly tenantId: TenantId; readonly keyId: string } | null {
  try {
    const { kid } = decodeProtectedHeader(proof);
    const { tenant } = decodeJwt(proof);
    if (typeof kid !== 'string' || typeof tenant !== 'string' || !isUuid(kid) || !isUuid(tenant)) return null;
    return { tenantId: tenant as TenantId, keyId: kid };
  } catch {
    return null;
  }
}

/** The claims, if this key signed them. */
async function claimsOf(
  proof: string,
  { publicKey }: RunnerKey,
): Promise<(RunnerProofClaims & { readonly iss: RunnerId | string }) | null> {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    const { payload, protectedHeader } = await compactVerify(proof, key, { algorithms: ['EdDSA'] });
    if (protectedHeader.typ !== RUNNER_PROOF_TYPE) return null;
    return runnerProofClaimsSchema.parse(parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(payload)));
  } catch {
    // The wrong part stays untold: it would only help a forger.
    return null;
  }
}

const revoked: Failure = {
  kind: 'forbidden',
  code: 'runner.revoked',
  message: 'This runner, or this key of it, was revoked.',
  action: 'Stop it. Add it again with `countersign runner add` if it is to work here.',
};

const replayed: Failure = {
  ...proofRefused,
  code: 'runner.proof_replayed',
  message: 'The proof of the runner was used before.',
  action: 'Sign each request by itself, with a jti of its own.',
};

const tooMany: Failure = {
  kind: 'rate_limited',
  code: 'runner.rate_limited',
  message: `The runner sent more than ${String(MAX_REQUESTS)} requests in a minute.`,
  action: 'Wait as long as Retry-After says.',
  retryAfterSeconds: 10,
};
