import type { RandomBytes } from '#lib/identity';
import type { KeyWrapping } from '#lib/tenancy';

/** How long a browser may take to answer, in milliseconds. */
export const CHALLENGE_LIFETIME_MS = 300_000;

const PURPOSE = 'countersign:passkey-sign-in';
const RANDOM_BYTES = 16;
const NONCE_BYTES = 12;
/** As they are spelled: long enough for any master key's name. */
const MAX_CHARACTERS = 400;

/**
 * Challenges for a person who is not signed in yet, of a tenant that is not known yet. Each carries its expiry, sealed under the
 * keyring: asking for one writes no row, so that requests cannot fill the database. Its answer writes a row, which makes it good
 * once.
 */
export class PasskeyChallenges {
  constructor(
    private readonly keys: KeyWrapping,
    private readonly random: RandomBytes,
  ) {}

  /** @returns the challenge, base64url. */
  async next(now: number): Promise<string> {
    const plain = Buffer.alloc(8 + RANDOM_BYTES);
    plain.writeBigUInt64BE(BigInt(Math.ceil(now) + CHALLENGE_LIFETIME_MS));
    plain.set(this.random.bytes(RANDOM_BYTES), 8);
    const { keyId, nonce, ciphertext } = await this.keys.wrap(PURPOSE, plain);
    const name = Buffer.from(keyId, 'utf8');
    return Buffer.concat([Buffer.of(name.length), name, nonce, ciphertext]).toString('base64url');
  }

  /** Until when it is good, epoch milliseconds; null if it was never given out. */
  async expiryOf(challenge: string): Promise<number | null> {
    if (challenge.length > MAX_CHARACTERS) return null;
    const bytes = Buffer.from(challenge, 'base64url');
    const nonceAt = 1 + (bytes[0] ?? 0);
    const sealedAt = nonceAt + NONCE_BYTES;
    if (bytes.length <= sealedAt) return null;
    const keyId = bytes.subarray(1, nonceAt).toString('utf8');
    const wrapped = { keyId, nonce: bytes.subarray(nonceAt, sealedAt), ciphertext: bytes.subarray(sealedAt) };
    // A text that does not open was not sealed here.
    const plain = await this.keys.unwrap(PURPOSE, wrapped).catch(() => null);
    return plain === null ? null : Number(Buffer.from(plain).readBigUInt64BE());
  }
}
