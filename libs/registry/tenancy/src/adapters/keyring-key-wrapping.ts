import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring, KeyWrapping, WrappedBytes } from '../application/tenancy.ports.js';

/** Sizes of AES-256-GCM (NIST SP 800-38D), in bytes. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Wraps with the installation's master keys (AES-256-GCM; the purpose is authenticated). */
export class KeyringKeyWrapping implements KeyWrapping {
  constructor(private readonly keyring: Keyring) {}

  async wrap(purpose: string, plain: Uint8Array): Promise<WrappedBytes> {
    const { id, key } = await this.keyring.current();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
    return { keyId: id, nonce, ciphertext: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]) };
  }

  async unwrap(purpose: string, wrapped: WrappedBytes): Promise<Uint8Array> {
    const key = await this.keyring.byId(wrapped.keyId);
    if (key === null) throw new Error(`The keyring has no key ${wrapped.keyId}, under which ${purpose} is encrypted.`);
    const sealed = Buffer.from(wrapped.ciphertext);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', key, wrapped.nonce, options).setAAD(Buffer.from(purpose));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  }
}
