import { RUNNER_PROOF_SECONDS, type RunnerProofClaims } from '#lib/formats';
import { err, ok, type Digest, type Failure, type Result } from '#lib/kernel';

/** How far the clock of a runner may be ahead, in seconds. */
const SKEW_SECONDS = 5;

/** The request that came with a proof. */
export interface ProvenRequest {
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  readonly bodyDigest: Digest;
}

/** A request before its body is read. */
export type UnreadRequest = Omit<ProvenRequest, 'bodyDigest'>;

/** One wording for every cause that a forger could learn from. */
export const proofRefused: Failure = {
  kind: 'unauthenticated',
  code: 'runner.proof_refused',
  message: 'This request carries no proof of a runner that is known here.',
  action: 'Enrol the runner with a new token: `countersign runner add`.',
};

/**
 * Whether the claims of a proof with a good signature are for this request, now.
 *
 * @param audience Countersign's own address.
 * @param now epoch milliseconds.
 */
export function judgeProof(
  claims: RunnerProofClaims,
  request: ProvenRequest,
  audience: string,
  now: number,
): Result<null> {
  const judged = judgeUnread(claims, request, audience, now);
  return judged.ok && claims.body_digest !== request.bodyDigest ? err(mismatch(audience)) : judged;
}

/** The same before the body of the request is read. */
export function judgeUnread(
  claims: RunnerProofClaims,
  { method, path }: UnreadRequest,
  audience: string,
  now: number,
): Result<null> {
  const inTime = judgeTime(claims, now);
  if (!inTime.ok) return inTime;
  const same = claims.aud === audience && claims.method === method && claims.path === path;
  return same ? ok(null) : err(mismatch(audience));
}

const mismatch = (audience: string): Failure => ({
  ...proofRefused,
  code: 'runner.proof_mismatch',
  message: `The proof of the runner is for another request, or for another address than ${audience}.`,
  action: 'Give the runner that address of Countersign, and sign each request by itself.',
});

/**
 * Whether the claims of a proof with a good signature are of this moment.
 *
 * @param now epoch milliseconds.
 */
function judgeTime({ iat, exp }: Pick<RunnerProofClaims, 'iat' | 'exp'>, now: number): Result<null> {
  const seconds = now / 1_000;
  if (exp > seconds && iat <= seconds + SKEW_SECONDS && exp - iat <= RUNNER_PROOF_SECONDS) return ok(null);
  return err({
    ...proofRefused,
    code: 'runner.proof_expired',
    message: 'The proof of the runner is not of this moment.',
    action: `Set the clock of the runner's machine, and sign each request anew for at most ${String(RUNNER_PROOF_SECONDS)} seconds.`,
  });
}
