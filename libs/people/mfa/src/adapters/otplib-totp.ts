import { generateSecret, generateURI, verify } from 'otplib';
import type { TotpAlgorithm } from '../application/mfa.ports.js';

const ISSUER = 'Countersign';
const SIX_DIGITS = /^\d{6}$/;

/** Seconds that the clock of a phone may be off (RFC 6238 section 5.2 advises one step). */
const TOLERANCE_SECONDS = 30;

/** TOTP by otplib: SHA-1, six digits and 30 seconds, as every authenticator app assumes. */
export class OtplibTotp implements TotpAlgorithm {
  newSecret(): string {
    return generateSecret();
  }

  uriOf(secret: string, label: string): string {
    return generateURI({ issuer: ISSUER, label, secret });
  }

  async stepOf(
    code: string,
    { secret, now, after }: { readonly secret: string; readonly now: number; readonly after: number | null },
  ): Promise<number | null> {
    const token = code.replaceAll(/\s/g, '');
    // otplib throws on a text that is no code at all.
    if (!SIX_DIGITS.test(token)) return null;
    const result = await verify({
      secret,
      token,
      epoch: Math.floor(now / 1000),
      epochTolerance: TOLERANCE_SECONDS,
      ...(after === null ? {} : { afterTimeStep: after }),
    });
    return result.valid && 'timeStep' in result ? result.timeStep : null;
  }
}
