import { Not } from 'typeorm';
import { rowsOf } from '#lib/database';
import { ok, type Result, type Tx } from '#lib/kernel';
import { AesGcmSecretCipher, type Keyring, type SealedElsewhere } from '#lib/tenancy';
import { CipherFactorSecrets } from './cipher-factor-secrets.js';
import { factorEntity } from './mfa.entity.js';
import { secretOf } from './typeorm-factor.repository.js';

/** Secrets of authenticator apps under an old master key, encrypted anew by a rotation. */
export class TypeormStaleFactorSecrets implements SealedElsewhere {
  readonly #secrets: CipherFactorSecrets;

  constructor(keyring: Keyring) {
    this.#secrets = new CipherFactorSecrets(new AesGcmSecretCipher(keyring));
  }

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const factors = rowsOf(tx, factorEntity);
    const rows = await factors.find({ keyId: Not(keyId) }, { order: { id: 'asc' }, limit, lock: 'update' });
    for (const row of rows) {
      const secret = await this.#secrets.open(tx, row.id, secretOf(row));
      if (!secret.ok) return secret;
      const sealed = await this.#secrets.seal(tx, row.id, secret.value);
      await factors.update({ id: row.id }, { keyId: sealed.keyId, nonce: sealed.nonce, ciphertext: sealed.ciphertext });
    }
    return ok(rows.map(({ id }) => `factor/${id}`));
  }
}
