import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeBase64Url } from './base64.js';

/** Length of a challenge's nonce: too long to be guessed and signed beforehand. */
export const CHALLENGE_NONCE_BYTES = 32;

/**
 * The challenge that a passkey signs to prove one operation. It is SHA-256 over `countersign:passkey-challenge:v1\n`,
 * the operation's digest, a newline, and 32 random bytes. The server offers it and the verifier computes it again.
 *
 * @param operationDigest `sha256:` and 64 hexadecimal digits: of kind `stepped-up-operation`, person and operation.
 * @returns base64url, as client data names it.
 * @throws {RangeError} for a nonce of another length.
 */
export function passkeyChallenge(operationDigest: string, nonce: Uint8Array): string {
  if (nonce.length !== CHALLENGE_NONCE_BYTES) throw new RangeError('the nonce of a challenge is 32 bytes');
  const hash = sha256
    .create()
    .update(utf8ToBytes(`countersign:passkey-challenge:v1\n${operationDigest}\n`))
    .update(nonce);
  return encodeBase64Url(hash.digest());
}
