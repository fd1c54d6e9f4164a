const WORDS = {
  passkey: 'signed with a passkey',
  totp: 'with an authenticator code',
  recovery_code: 'with a recovery code',
} as const;

/** How an approval was proved, as a sentence goes on after it. Only a passkey signs: who has the server cannot invent that. */
export const proofWords = (method: keyof typeof WORDS | null): string =>
  method === null ? 'without a second factor' : WORDS[method];
