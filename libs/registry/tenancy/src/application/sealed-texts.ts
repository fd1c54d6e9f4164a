import type { KeyWrapping } from './tenancy.ports.js';

/** Key, nonce and ciphertext; the last two in base64url. */
const SEALED = /^([^.]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/** Texts of a column that must not lie readable in the database or a backup. A master key encrypts each for its row. */
export class SealedTexts {
  constructor(private readonly keys: KeyWrapping) {}

  /** @param purpose names the row; it is authenticated with the text. */
  async seal(purpose: string, text: string): Promise<string> {
    const { keyId, nonce, ciphertext } = await this.keys.wrap(purpose, Buffer.from(text, 'utf8'));
    return [keyId, base64url(nonce), base64url(ciphertext)].join('.');
  }

  /** Rejects a text that is of another row or was changed, or whose key the keyring no longer has. */
  async open(purpose: string, sealed: string): Promise<string> {
    const [, keyId, nonce, ciphertext] = SEALED.exec(sealed) ?? [];
    if (keyId === undefined || nonce === undefined || ciphertext === undefined)
      throw new Error(`the text of ${purpose} is not sealed`);
    const bytes = { keyId, nonce: Buffer.from(nonce, 'base64url'), ciphertext: Buffer.from(ciphertext, 'base64url') };
    return Buffer.from(await this.keys.unwrap(purpose, bytes)).toString('utf8');
  }
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
