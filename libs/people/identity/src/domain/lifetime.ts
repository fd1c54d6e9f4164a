import { err, ok, type Result } from '#lib/kernel';

const DAY_MS = 86_400_000;

/** How long each kind of credential lives, in days. */
export const LIFETIME_DAYS = {
  token: { default: 90, most: 365 },
  delegation: { default: 30, most: 30 },
} as const;

export const ENROLMENT_LIFETIME_MS = DAY_MS;
export const BOOTSTRAP_LIFETIME_MS = DAY_MS;

/** When a credential minted at `now` (epoch milliseconds) expires. */
export function expiryAfter(now: number, kind: keyof typeof LIFETIME_DAYS, days: number | undefined): Result<number> {
  const limits = LIFETIME_DAYS[kind];
  const wanted = days ?? limits.default;
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= limits.most) return ok(now + wanted * DAY_MS);
  return err({
    kind: 'unprocessable',
    code: 'credential.lifetime',
    message: `A ${kind} lives from 1 to ${String(limits.most)} days.`,
    action: `Ask for at most ${String(limits.most)} days.`,
    errors: [
      { pointer: '/expires_in_days', code: 'credential.lifetime', message: `must be 1 to ${String(limits.most)}` },
    ],
  });
}
