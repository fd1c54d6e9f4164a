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

  /** @returns null where the call may not leave any more: its time is over, or a halt came before it. */
  async execute(order: DispatchOrder): Promise<string | null> {
    const key = await this.keyring.current();
    const grant = await this.unitOfWork.run(order.tenantId, async (tx) => {
      const until = order.mayLeaveUntil === undefined ? Infinity : await order.mayLeaveUntil(tx);
      const now = await tx.now();
      if (until === null || until <= now) return null;
      const expiresAt = Math.min(now + GRANT_LIFETIME_SECONDS * 1_000, until);
      const issued = { id: randomUUID(), issuedAt: now, expiresAt };
      await this.grants.insert(tx, issued, order);
      return issued;
    });
    if (grant === null) return null;
    const { id, issuedAt, expiresAt } = grant;
    const claims: GrantClaims = {
      iss: this.issuer,
      aud: order.executor.audience,
      iat: Math.floor(issuedAt / 1_000),
      exp: Math.floor(expiresAt / 1_000),
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
