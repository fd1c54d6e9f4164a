import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

interface WrappedBytes {
  readonly keyId: string;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
}

const TAG_BYTES = 16;

/** Wraps with a key that lives as long as the test. */
export class FakeKeyWrapping {
  private readonly key = randomBytes(32);

  wrap(purpose: string, plain: Uint8Array): Promise<WrappedBytes> {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return Promise.resolve({ keyId: 'fake', nonce, ciphertext });
  }

  unwrap(purpose: string, { nonce, ciphertext }: WrappedBytes): Promise<Uint8Array> {
    const sealed = Buffer.from(ciphertext);
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Promise.resolve(Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]));
  }
}
