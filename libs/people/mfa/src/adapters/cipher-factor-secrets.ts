import type { FactorId, Result, Tx } from '#lib/kernel';
import type { SecretCipher } from '#lib/tenancy';
import type { FactorSecrets } from '../application/mfa.ports.js';
import type { SealedSecret } from '../domain/factor.js';

/**
 * Factors' secrets under the tenant's encryption. No secret of the tenant can have the name they are bound to, so
 * neither ever opens as the other.
 */
export class CipherFactorSecrets implements FactorSecrets {
  constructor(private readonly cipher: SecretCipher) {}

  seal(tx: Tx, id: FactorId, secret: string): Promise<SealedSecret> {
    return this.cipher.seal(contextOf(tx, id), secret);
  }

  open(tx: Tx, id: FactorId, sealed: SealedSecret): Promise<Result<string>> {
    return this.cipher.open(contextOf(tx, id), sealed);
  }
}

const contextOf = (tx: Tx, id: FactorId) => ({ tenantId: tx.tenantId, name: `factor/${id}`, version: 1 });
