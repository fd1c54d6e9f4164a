import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { canonicalJson } from '#lib/canonical';
import { err, ok, type Result } from '#lib/kernel';
import type { Keyring, WrappedBytes, SecretCipher, SecretContext } from '../application/tenancy.ports.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce; tenant, name and version are authenticated with it. */
export class AesGcmSecretCipher implements SecretCipher {
  constructor(private readonly keyring: Keyring) {}

  async seal(context: SecretContext, value: string): Promise<WrappedBytes> {
    const { id: keyId, key } = await this.keyring.current();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(context));
    const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { keyId, nonce, ciphertext };
  }

  async open(context: SecretContext, { keyId, nonce, ciphertext }: WrappedBytes): Promise<Result<string>> {
    const key = await this.keyring.byId(keyId);
    if (key === null) {
      return err({
        kind: 'internal',
        code: 'secret.key_missing',
        message: `The keyring has no key "${keyId}", under which this secret is encrypted.`,
        action: 'Put the key back into the keyring file, from a backup if need be.',
      });
    }
    const split = ciphertext.length - TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(context));
    try {
      decipher.setAuthTag(ciphertext.subarray(split));
      return ok(Buffer.concat([decipher.update(ciphertext.subarray(0, split)), decipher.final()]).toString('utf8'));
    } catch {
      return err({
        kind: 'internal',
        code: 'secret.corrupt',
        message: 'The stored secret was changed, or belongs somewhere else.',
        action: 'Store it again, and find out who wrote to the table "secret".',
      });
    }
  }
}

const associatedData = ({ tenantId, name, version }: SecretContext): Buffer =>
  Buffer.from(`countersign:secret:v1\n${canonicalJson({ tenant_id: tenantId, name, version })}`, 'utf8');
