import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Two processes agree on keys by X25519 (RFC 7748). They seal their messages with AES-256-GCM under a key derived from
 * it (HKDF-SHA-256). A copy of the lines between them tells nothing. That the other process is the right one is settled
 * by how it was started.
 */
export class SealedChannel {
  readonly #sealing: Buffer;
  readonly #digesting: Buffer;

  constructor(own: KeyObject, other: string) {
    const publicKey = createPublicKey({ key: Buffer.from(other, 'base64url'), format: 'der', type: 'spki' });
    const secret = diffieHellman({ privateKey: own, publicKey });
    this.#sealing = derived(secret, 'seal');
    this.#digesting = derived(secret, 'digest');
  }

  seal(message: unknown): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce, { authTagLength: TAG_BYTES });
    const text = JSON.stringify(message);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  /** @throws if the other process did not seal it. */
  open(sealed: string): unknown {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8'));
  }

  /** The digest of a plaintext for its purpose, under a key that the two processes alone know. */
  digest(purpose: string, plain: Uint8Array): string {
    return createHmac('sha256', this.#digesting).update(`${purpose}\n`, 'utf8').update(plain).digest('base64url');
  }
}

/** A key pair for one channel. */
export function channelKeys(): { readonly privateKey: KeyObject; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return { privateKey, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url') };
}

const derived = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `countersign:tenant-move:${purpose}:v1`, KEY_BYTES));
