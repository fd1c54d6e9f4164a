import type { Result, Tx } from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import type { IssuerDescription } from '../domain/issuer.js';
import type { IssuerClient } from './sign-in.ports.js';

/** The issuer with its client secret, out of the tenant's vault. Fails as the vault does. */
export async function issuerClient(
  tx: Tx,
  vault: SecretVault,
  issuer: IssuerDescription,
): Promise<Result<IssuerClient>> {
  if (issuer.clientSecret === null) return { ok: true, value: { tenantId: tx.tenantId, issuer, clientSecret: null } };
  const secret = await vault.resolve(tx, issuer.clientSecret, { purpose: 'sign_in' });
  return secret.ok ? { ok: true, value: { tenantId: tx.tenantId, issuer, clientSecret: secret.value } } : secret;
}
