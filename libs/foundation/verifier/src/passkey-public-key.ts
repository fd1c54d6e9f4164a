import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { decodeBase64Url } from './base64.js';
import { verifyRs256 } from './rs256.js';

/** Algorithms of today's authenticators (RFC 9053, RFC 8812): security keys and phones, and Windows Hello. */
export type PasskeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

/**
 * A passkey's public key. As text `<algorithm>:<base64url>`, one spelling a key: of ES256 the 32 bytes of x and the 32 of y;
 * of EdDSA the 32 bytes of Ed25519; of RS256 the modulus without leading zeros (the exponent is 65537).
 */
export interface PasskeyPublicKey {
  readonly algorithm: PasskeyAlgorithm;
  readonly bytes: Uint8Array;
}

const P256_BYTES = 64;
const ED25519_BYTES = 32;
const RSA_BYTES = { least: 256, most: 512 };

/** Null for anything but the one spelling of a key that {@link isSignedByPasskey} can check. */
export function parsePasskeyPublicKey(text: string): PasskeyPublicKey | null {
  const [, algorithm, encoded] = /^(ES256|EdDSA|RS256):([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  const bytes = encoded === undefined ? null : decodeBase64Url(encoded);
  if (algorithm === undefined || bytes === null) return null;
  // `isKey` looks next whether it is one.
  const key = { algorithm: algorithm as PasskeyAlgorithm, bytes };
  return isKey(key) ? key : null;
}

function isKey({ algorithm, bytes }: PasskeyPublicKey): boolean {
  switch (algorithm) {
    case 'ES256':
      return (
        bytes.length === P256_BYTES &&
        isPoint(() => {
          p256.Point.fromBytes(uncompressed(bytes)).assertValidity();
        })
      );
    case 'EdDSA':
      return (
        bytes.length === ED25519_BYTES &&
        isPoint(() => {
          ed25519.Point.fromBytes(bytes).assertValidity();
        })
      );
    case 'RS256':
      return (
        bytes.length >= RSA_BYTES.least &&
        bytes.length <= RSA_BYTES.most &&
        (bytes[0] ?? 0) >= 0x80 &&
        (bytes.at(-1) ?? 0) % 2 === 1
      );
  }
}

/** SEC 1 section 2.3.3. */
const uncompressed = (bytes: Uint8Array): Uint8Array => Uint8Array.of(4, ...bytes);

function isPoint(read: () => void): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Whether the signature (WebAuthn section 6.5.5) over the message is the key's. */
export function isSignedByPasskey(
  { algorithm, bytes }: PasskeyPublicKey,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    switch (algorithm) {
      case 'ES256':
        // Authenticators write either of the two values of s.
        return p256.verify(signature, message, uncompressed(bytes), { format: 'der', lowS: false });
      case 'EdDSA':
        return ed25519.verify(signature, message, bytes, { zip215: false });
      case 'RS256':
        return verifyRs256(bytes, message, signature);
    }
  } catch {
    // The libraries throw for bytes that are no signature at all.
    return false;
  }
}
