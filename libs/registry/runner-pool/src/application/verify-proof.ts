import { createPublicKey } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { parseStrictJson } from '#lib/canonical';
import { RUNNER_PROOF_SECONDS, RUNNER_PROOF_TYPE, runnerProofClaimsSchema, type RunnerProofClaims } from '#lib/formats';
import { err, isUuid, ok, type Failure, type Result, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { RunnerId } from '../domain/ids.js';
import {
  judgeProof,
  judgeUnread,
  proofRefused,
  type ProvenRequest,
  type UnreadRequest,
} from '../domain/judge-proof.js';
import type { Runner } from '../domain/runner.js';
import { runnerRevoked } from './runner-revoked.js';
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
    return this.#ofSigner(proof, async (tx, { claims, key, runner }): Promise<Result<ProvenRunner>> => {
      const now = await tx.now();
      const judged = judgeProof(claims, request, this.audience, now);
      if (!judged.ok) return judged;
      // Before the proof is stored, which locks the runner as well.
      if (!(await this.#retireEarlier(tx, key, now))) return err(runnerRevoked);
      const { fresh, recent } = await this.runners.useProof(tx, runner.id, claims.jti, now + KEPT_MS);
      if (!fresh) return err(replayed);
      if (recent > MAX_REQUESTS) return err(tooMany);
      await this.runners.saw(tx, runner.id, now);
      return ok({ tenantId: tx.tenantId, runner, keyId: key.id });
    });
  }

  /**
   * Whether a runner signed the proof for a request before its body is read. It uses nothing up.
   *
   * Failures: `runner.proof_refused`, `runner.proof_expired`, `runner.proof_mismatch`, `runner.revoked`.
   */
  recognise(proof: string | undefined, request: UnreadRequest): Promise<Result<null>> {
    return this.#ofSigner(proof, async (tx, { claims }) => judgeUnread(claims, request, this.audience, await tx.now()));
  }

  async #ofSigner<T>(
    proof: string | undefined,
    work: (tx: Tx, signed: SignedProof) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const named = proof === undefined ? null : namesIn(proof);
    if (proof === undefined || named === null) return err(proofRefused);
    return this.uow.run(named.tenantId, async (tx): Promise<Result<T>> => {
      const key = await this.runners.key(tx, named.keyId);
      const claims = key === null ? null : await claimsOf(proof, key);
      if (key === null || claims?.iss !== key.runnerId || claims.tenant !== tx.tenantId) return err(proofRefused);
      const runner = await this.runners.find(tx, key.runnerId);
      if (runner?.revokedAt !== null || key.revokedAt !== null) return err(runnerRevoked);
      return work(tx, { claims, key, runner });
    });
  }

  /**
   * A key that its runner uses takes the place of those before. They are revoked under the lock of the runner, as a rotation holds
   * it: a key before cannot sign in a further one meanwhile. @returns false if this key was revoked meanwhile.
   */
  async #retireEarlier(tx: Tx, key: RunnerKey, now: number): Promise<boolean> {
    const earlier = async (): Promise<readonly string[]> =>
      (await this.runners.keys(tx, key.runnerId))
        .filter(({ createdAt, revokedAt }) => revokedAt === null && createdAt < key.createdAt)
        .map(({ id }) => id);
    if ((await earlier()).length === 0) return true;
    const runner = await this.runners.find(tx, key.runnerId, 'update');
    if (runner?.revokedAt !== null || (await this.runners.key(tx, key.id))?.revokedAt !== null) return false;
    await this.runners.revokeKeys(tx, await earlier(), now);
    return true;
  }
}

/** A proof that a key which is good signed. */
interface SignedProof {
  readonly claims: RunnerProofClaims;
  readonly key: RunnerKey;
  readonly runner: Runner;
}

/** Longer than any proof is good for, the skew of clocks included. */
const KEPT_MS = (RUNNER_PROOF_SECONDS + 10) * 1_000;

/** The unverified word of a proof only chooses the key to verify it with. */
function namesIn(proof: string): { readonly tenantId: TenantId; readonly keyId: string } | null {
  try {
    const { kid } = decodeProtectedHeader(proof);
    const { tenant } = decodeJwt(proof);
    if (typeof kid !== 'string' || typeof tenant !== 'string' || !isUuid(kid) || !isUuid(tenant)) return null;
    // It has the form of an id. The key of this tenant verifies the proof.
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
