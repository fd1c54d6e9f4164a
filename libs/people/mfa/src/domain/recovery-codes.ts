import { timingSafeEqual } from 'node:crypto';
import type { PersonId } from '#lib/kernel';

/** How many are shown at a time. */
export const RECOVERY_CODES = 10;

/** 20 characters of 32, so 100 random bits: beyond guessing. */
export const RECOVERY_CODE_CHARACTERS = 20;

/** Crockford's base 32: no I, L, O or U, which are taken for others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code from that many random bytes, in groups of five for reading. */
export function recoveryCodeOf(random: Uint8Array): string {
  if (random.length < RECOVERY_CODE_CHARACTERS) throw new Error('too few random bytes for a recovery code');
  const characters = [...random.subarray(0, RECOVERY_CODE_CHARACTERS)].map((byte) => ALPHABET.charAt(byte % 32));
  return (characters.join('').match(/.{5}/g) ?? []).join('-');
}

/** The text that is digested: the code in its one spelling, and its person. */
export function recoveryCodeSecret(personId: PersonId, typed: string): string {
  const meant = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return `${personId}\n${meant}`;
}

/** Compares with all of them in constant time. @param digests of the code, under each key. */
export function matchRecoveryCode<Code extends { readonly digest: Uint8Array }>(
  codes: readonly Code[],
  digests: readonly Uint8Array[],
): Code | null {
  let found: Code | null = null;
  for (const code of codes) {
    for (const digest of digests) if (timingSafeEqual(code.digest, digest)) found = code;
  }
  return found;
}
