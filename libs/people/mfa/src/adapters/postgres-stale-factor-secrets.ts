import { sqlOf } from '#lib/database';
import { ok, type FactorId, type Result, type Tx } from '#lib/kernel';
import { AesGcmSecretCipher, type Keyring, type SealedElsewhere } from '#lib/tenancy';
import { CipherFactorSecrets } from './cipher-factor-secrets.js';

interface StaleRow {
  readonly id: FactorId;
  readonly key_id: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

/** Secrets of authenticator apps under an old master key, encrypted anew by a rotation. */
export class PostgresStaleFactorSecrets implements SealedElsewhere {
  private readonly secrets: CipherFactorSecrets;

  constructor(keyring: Keyring) {
    this.secrets = new CipherFactorSecrets(new AesGcmSecretCipher(keyring));
  }

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const rows = await sqlOf(tx).query<StaleRow>(
      `select id, key_id, nonce, ciphertext from factor where tenant_id = $1 and key_id <> $2 order by id limit $3 for update`,
      [tx.tenantId, keyId, limit],
    );
    for (const { id, key_id: sealedUnder, nonce, ciphertext } of rows) {
      const secret = await this.secrets.open(tx, id, { keyId: sealedUnder, nonce, ciphertext });
      if (!secret.ok) return secret;
      const sealed = await this.secrets.seal(tx, id, secret.value);
      await sqlOf(tx).execute(
        'update factor set key_id = $3, nonce = $4, ciphertext = $5 where tenant_id = $1 and id = $2',
        [tx.tenantId, id, sealed.keyId, Buffer.from(sealed.nonce), Buffer.from(sealed.ciphertext)],
      );
    }
    return ok(rows.map(({ id }) => `factor/${id}`));
  }
}
