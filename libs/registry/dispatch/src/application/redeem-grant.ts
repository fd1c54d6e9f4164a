import { createPublicKey } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { grantClaimsSchema, type GrantClaims } from '#lib/formats';
import { parseStrictJson } from '#lib/canonical';
import { err, isUuid, ok, type Failure, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import { decideRedemption } from '../domain/grant.js';
import type { GrantRepository } from './grant.ports.js';
import type { GrantKeyring } from './grant-keyring.js';

const invalid: Failure = {
  kind: 'forbidden',
  code: 'grant.invalid',
  message: 'This is not a grant that Countersign signed.',
  action: 'Do not execute the call. Pass on the value of the Countersign-Grant header as it came.',
};

/**
 * Redeems a grant once, for the tool server that received it. Of any number of redemptions, in parallel or after one
 * another, exactly one succeeds (T08).
 */
export class RedeemGrant {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly grants: GrantRepository,
    private readonly keyring: GrantKeyring,
  ) {}

  /** @param server the executor that the tool server knows itself to be, and its environment; another's grant is refused. */
  async execute(
    grant: string,
    server: { readonly audience: string; readonly environment: string },
  ): Promise<Result<GrantClaims>> {
    // Outside of the check: without the database, nobody knows whether the grant is ours.
    const claims = await signedClaims(grant, await this.keyring.publicSet());
    if (claims === null || !isUuid(claims.tenant) || !isUuid(claims.jti)) return err(invalid);
    if (claims.aud !== server.audience) {
      return err({ ...invalid, code: 'grant.wrong_audience', message: 'The grant is for another executor.' });
    }
    if (claims.environment !== server.environment) {
      return err({
        ...invalid,
        code: 'grant.wrong_environment',
        message: `The grant is for the environment "${claims.environment}", and the tool server says that it works in "${server.environment}".`,
      });
    }
    // The signature of the grant was verified.
    return this.uow.run(claims.tenant as TenantId, async (tx): Promise<Result<GrantClaims>> => {
      const issued = await this.grants.lock(tx, claims.jti);
      const now = await tx.now();
      const decided = decideRedemption(claims, issued, now);
      if (!decided.ok) return decided;
      await this.grants.markRedeemed(tx, claims.jti, now);
      return ok(claims);
    });
  }
}

/** The claims of a grant, if one of these keys signed it. */
async function signedClaims(
  grant: string,
  { keys }: Awaited<ReturnType<GrantKeyring['publicSet']>>,
): Promise<GrantClaims | null> {
  try {
    const { kid } = decodeProtectedHeader(grant);
    const jwk = keys.find((key) => key.kid === kid);
    if (jwk === undefined) return null;
    const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
    const { payload } = await compactVerify(grant, key, { algorithms: ['EdDSA'] });
    return grantClaimsSchema.parse(parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(payload)));
  } catch {
    // The grant is not one of ours. The wrong part stays untold: it would only help a forger.
    return null;
  }
}
