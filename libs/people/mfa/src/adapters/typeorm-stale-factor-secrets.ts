import { Not } from 'typeorm';
import { rowsOf } from '#lib/database';
import { ok, type Result, type Tx } from '#lib/kernel';
import type { SealedElsewhere } from '#lib/tenancy';
import type { CipherFactorSecrets } from './cipher-factor-secrets.js';
import { factorEntity } from './mfa.entity.js';
import { secretOf } from './typeorm-factor.repository.js';

/** Secrets of authenticator apps under an old master key, encrypted anew by a rotation. */
export class TypeormStaleFactorSecrets implements SealedElsewhere {
  constructor(private readonly secrets: CipherFactorSecrets) {}

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const factors = rowsOf(tx, factorEntity);
    const rows = await factors.find({ keyId: Not(keyId) }, { order: { id: 'asc' }, limit, lock: 'update' });
    for (const row of rows) {
      const secret = await this.secrets.open(tx, row.id, secretOf(row));
      if (!secret.ok) return secret;
      const sealed = await this.secrets.seal(tx, row.id, secret.value);
      await factors.update({ id: row.id }, { keyId: sealed.keyId, nonce: sealed.nonce, ciphertext: sealed.ciphertext });
    }
    return ok(rows.map(({ id }) => `factor/${id}`));
  }
}
