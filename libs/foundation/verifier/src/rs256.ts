import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { sameBytes } from './merkle.js';

const EXPONENT_SQUARINGS = 16;
/** DER of DigestInfo up to the digest: SHA-256 (RFC 8017 section 9.2, note 1). */
const SHA256_INFO = hexToBytes('3031300d060960864801650304020105000420');

/**
 * RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537 (RFC 8017 section 8.2.2). The encoded message is built and
 * compared whole, so nothing in the padding is free.
 */
export function verifyRs256(modulus: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== modulus.length) return false;
  const n = numberOf(modulus);
  const s = numberOf(signature);
  if (s >= n) return false;
  let power = s;
  for (let squared = 0; squared < EXPONENT_SQUARINGS; squared += 1) power = (power * power) % n;
  const encoded = hexToBytes(((power * s) % n).toString(16).padStart(2 * modulus.length, '0'));
  return sameBytes(encoded, expectedOf(message, modulus.length));
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(bytes)}`);

/** EMSA-PKCS1-v1_5. */
function expectedOf(message: Uint8Array, length: number): Uint8Array {
  const info = Uint8Array.of(...SHA256_INFO, ...sha256(message));
  const encoded = new Uint8Array(length).fill(0xff);
  encoded.set([0, 1]);
  encoded.set([0, ...info], length - info.length - 1);
  return encoded;
}
