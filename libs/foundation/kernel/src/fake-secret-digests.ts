import { createHash } from 'node:crypto';
import type { SecretDigests } from './secret-digests.js';

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** A digest for each kind of secret, without a key. A look-up also asks for one of an earlier key. */
export const fakeSecretDigests: SecretDigests = {
  digest: (kind, secret) => Promise.resolve(sha256(`${kind}:${secret}`)),
  candidates: (kind, secret) => Promise.resolve([sha256(`former:${kind}:${secret}`), sha256(`${kind}:${secret}`)]),
};
