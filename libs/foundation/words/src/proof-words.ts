const WORDS = {
  passkey: 'signed with a passkey',
  totp: 'with an authenticator code',
  recovery_code: 'with a recovery code',
} as const;

/**
 * How an approval was proved, as the rest of a sentence. Only a passkey signs: an intruder on the server cannot forge that.
 */
export const proofWords = (method: keyof typeof WORDS | null): string =>
  method === null ? 'without a second factor' : WORDS[method];
