import { cleaned } from '#lib/kernel';
import type { IssuerClaims } from './issuer.js';

const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const EMAIL = /^[^@\s\p{Cc}\p{Cs}]+@[^@\s\p{Cc}\p{Cs}]+$/u;
const MAX_EMAIL = 254;

/** Whether a subject can be kept: at most 255 characters (OpenID Connect Core section 2), none of them a control. */
export const isSubject = (subject: string): boolean => SUBJECT.test(subject);

/** The claims of an issuer as they can be kept. An e-mail address that is none counts as unknown. Null without a subject. */
export function checkClaims(claims: IssuerClaims): IssuerClaims | null {
  const { subject, email, displayName } = claims;
  if (!isSubject(subject)) return null;
  const isEmail = email !== null && email.length <= MAX_EMAIL && EMAIL.test(email);
  return {
    ...claims,
    email: isEmail ? email : null,
    displayName: displayName === null ? null : cleaned(displayName),
  };
}
