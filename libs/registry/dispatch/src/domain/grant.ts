import type { GrantClaims } from '#lib/formats';
import { err, ok, type Failure, type Result } from '#lib/kernel';

/** How long a grant is good for: long enough to arrive, too short to keep. */
export const GRANT_LIFETIME_SECONDS = 60;

/** A grant as the database remembers it. Times are epoch milliseconds. */
export interface IssuedGrant {
  readonly id: string;
  readonly environment: string;
  readonly audience: string;
  readonly tool: string;
  readonly argumentsDigest: string;
  readonly source: GrantClaims['source'];
  readonly step: string;
  readonly attempt: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly redeemedAt: number | null;
  readonly revokedAt: number | null;
  readonly revokedReason: string | null;
}

const refusal = (code: string, message: string): Failure => ({
  kind: 'forbidden',
  code,
  message,
  action: 'Do not execute the call. Countersign issues a new grant when it dispatches again.',
});

/**
 * Whether a grant may be redeemed now (T08). It exists, equals its signed claims, and is neither used, revoked nor
 * expired.
 */
export function decideRedemption(claims: GrantClaims, issued: IssuedGrant | null, now: number): Result<null> {
  if (issued === null) return err(refusal('grant.unknown', 'This grant was never issued.'));
  const same =
    issued.environment === claims.environment &&
    issued.audience === claims.aud &&
    issued.tool === claims.tool &&
    issued.argumentsDigest === claims.arguments_digest &&
    issued.source.type === claims.source.type &&
    issued.source.id === claims.source.id &&
    issued.step === claims.step &&
    issued.attempt === claims.attempt;
  if (!same) return err(refusal('grant.mismatch', 'The grant is not the one that was issued under its id.'));
  if (issued.revokedAt !== null) {
    return err(refusal('grant.revoked', `The grant was revoked: ${issued.revokedReason ?? 'no reason recorded'}.`));
  }
  if (issued.redeemedAt !== null) return err(refusal('grant.already_redeemed', 'The grant was redeemed before.'));
  if (now >= issued.expiresAt) return err(refusal('grant.expired', 'The grant has expired.'));
  return ok(null);
}
