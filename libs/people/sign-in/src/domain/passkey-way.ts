import { err, ok, type Result } from '#lib/kernel';
import type { SignInSettings } from './issuer.js';

const DAY_MS = 86_400_000;

/** The default number of days without a sign-in after which a person unknown to every issuer stops reviewing. */
export const DEFAULT_DORMANT_AFTER_DAYS = 90;

/**
 * Whether a passkey of ours lets a person in. An issuer ends accounts of people who leave, a passkey does not. So
 * people known to an issuer come in there. If an issuer is the only way in, all people do.
 */
export function decidePasskeyWay(
  account: { readonly atIssuer: boolean },
  settings: Pick<SignInSettings, 'signInRequired'>,
): Result<void> {
  if (account.atIssuer)
    return err({
      kind: 'forbidden',
      code: 'sign_in.at_your_issuer',
      message: 'You sign in at your organisation’s identity provider; your passkey is your second factor.',
      action:
        'Sign in there. If it does not work, ask the person who runs Countersign for "countersign bootstrap --admin".',
    });
  if (settings.signInRequired)
    return err({
      kind: 'forbidden',
      code: 'sign_in.issuer_only',
      message: 'Your organisation lets people in through its identity provider alone.',
      action:
        'Sign in there. If it does not work, ask the person who runs Countersign for "countersign bootstrap --admin".',
    });
  return ok(undefined);
}

/**
 * Whether an account was in use lately. A person who left keeps their passkey or token. One that was not used for long
 * opens nothing, until an administrator lets its person in again.
 *
 * @param now epoch milliseconds.
 */
export function decideCameIn(
  account: { readonly atIssuer: boolean; readonly cameInAt: number | null },
  settings: Pick<SignInSettings, 'dormantAfterDays'>,
  now: number,
): Result<void> {
  const { atIssuer, cameInAt } = account;
  if (atIssuer || cameInAt === null || now - cameInAt <= settings.dormantAfterDays * DAY_MS) return ok(undefined);
  const days = String(settings.dormantAfterDays);
  return err({
    kind: 'forbidden',
    code: 'sign_in.dormant',
    message: `You last came in more than ${days} days ago, so you cannot review or sign in with your passkey.`,
    action: 'Ask an administrator of your organisation to invite you again.',
    details: { dormant_after_days: settings.dormantAfterDays },
  });
}
