import { err, ok, type PersonPrincipal, type Result } from '#lib/kernel';
import { minutesInWords } from '#lib/words';

const MINUTE_MS = 60_000;

/**
 * Whether a person signed in recently enough for a review or an administrative action. The issuer no longer lets in a
 * person who left. So they stop deciding here within the tenant's limit, in spite of any credential they still have.
 *
 * @param signedInAt as {@link PersonPrincipal.signedInAt} says it, epoch milliseconds like `now`.
 */
export function decideFresh(
  signedInAt: PersonPrincipal['signedInAt'],
  limitMinutes: number,
  now: number,
): Result<void> {
  if (signedInAt === null) return ok(undefined);
  if (signedInAt !== 'never' && now - signedInAt <= limitMinutes * MINUTE_MS) return ok(undefined);
  return err({
    kind: 'unauthenticated',
    code: 'sign_in.not_fresh',
    message:
      signedInAt === 'never'
        ? 'This takes a sign-in at your organisation’s issuer, and you never signed in there.'
        : `Your last sign-in is longer ago than the ${minutesInWords(limitMinutes)} that your organisation allows for this.`,
    action: 'Sign in again in the browser, then repeat this.',
    details: { reauthenticate_after_minutes: limitMinutes },
  });
}
