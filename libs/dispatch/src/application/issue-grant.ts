import { createPrivateKey, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { GRANT_TYPE, type GrantClaims } from '#lib/contracts';
import type { UnitOfWork } from '#lib/kernel';
import { GRANT_LIFETIME_SECONDS } from '../domain/grant.js';
import type { GrantRepository } from './grant.ports.js';
import type { GrantKeyring } from './grant-keyring.js';
import type { DispatchOrder } from './tool-dispatcher.port.js';

/** Issues the grant of one dispatch: a row that can be redeemed once, and the compact EdDSA JWS that names it. */
export class IssueGrant {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly grants: GrantRepository,
    private readonly keyring: GrantKeyring,
    private readonly issuer: string,
  ) {}

  async execute(order: DispatchOrder): Promise<string> {
    const key = await this.keyring.current();
    const { id, issuedAt } = await this.unitOfWork.run(order.tenantId, async (tx) => {
      const now = await tx.now();
      const grant = { id: randomUUID(), issuedAt: now, expiresAt: now + GRANT_LIFETIME_SECONDS * 1_000 };
      await this.grants.insert(tx, grant, order);
      return grant;
    });

    const issuedAtSeconds = Math.floor(issuedAt / 1_000);
    const claims: GrantClaims = {
      iss: this.issuer,
      aud: order.executor.audience,
      iat: issuedAtSeconds,
      exp: issuedAtSeconds + GRANT_LIFETIME_SECONDS,
      jti: id,
      tenant: order.tenantId,
      environment: order.environment,
      basis: order.basis,
      run: order.runId,
      simulation: order.simulationId,
      step: order.step,
      attempt: order.attempt,
      tool: order.tool.name,
      tool_version: order.tool.version,
      arguments_digest: order.argumentsDigest,
      plan_digest: order.planDigest,
    };
    const privateKey = createPrivateKey({ key: Buffer.from(key.privateKey), format: 'der', type: 'pkcs8' });
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: GRANT_TYPE, kid: key.kid })
      .sign(privateKey);
  }
}
