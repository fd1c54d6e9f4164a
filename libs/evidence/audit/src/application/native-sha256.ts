import { hash } from 'node:crypto';

/** As the verifier's own hash, a tenth of its time: the verifier also runs in browsers. */
export const nativeSha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/** As the verifier's `nodeHash`: SHA-256 of 0x01 and both children (RFC 6962 section 2.1). */
export const nativeNodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  nativeSha256(Buffer.concat([Uint8Array.of(1), left, right]));
