import type { ReviewView } from '#lib/api-schemas';

const WORDS: Readonly<Record<NonNullable<ReviewView['mfa_method']>, string>> = {
  passkey: 'signed with a passkey',
  totp: 'with an authenticator code',
  recovery_code: 'with a recovery code',
};

/** How an approval was proved, as a sentence goes on after it. The words are those of Slack and the command line. */
export const proofWords = (method: ReviewView['mfa_method']): string =>
  method === null ? 'without a second factor' : WORDS[method];
