import { createHmac } from 'node:crypto';
import type { SecretDigests, SecretKind } from '#lib/kernel';
import { DIGEST_PURPOSE, type DerivedKey, type DerivedKeys } from './derived-keys.js';

/** HMAC-SHA-256 (RFC 2104) under a key of each kind. */
export class KeyringSecretDigests implements SecretDigests {
  constructor(private readonly keys: DerivedKeys) {}

  async digest(kind: SecretKind, secret: string): Promise<Uint8Array> {
    return digestUnder(await this.keys.current(DIGEST_PURPOSE, kind), secret);
  }

  async candidates(kind: SecretKind, secret: string): Promise<readonly Uint8Array[]> {
    return (await this.keys.all(DIGEST_PURPOSE, kind)).map((key) => digestUnder(key, secret));
  }
}

const digestUnder = ({ key }: DerivedKey, secret: string): Buffer =>
  createHmac('sha256', key).update(secret, 'utf8').digest();
