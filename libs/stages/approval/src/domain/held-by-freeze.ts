import type { Decision } from '#lib/formats';
import { type Failure, toTimestamp } from '#lib/kernel';

/** The end of the freezes that a decision refused for, in epoch milliseconds; null if anything else refused it, too. */
export function frozenUntil({ outcome, reasons }: Pick<Decision, 'outcome' | 'reasons'>): number | null {
  const ends = reasons.flatMap(({ code, details }) =>
    code === 'freeze.active' && details !== undefined ? [Date.parse(details.until)] : [],
  );
  return outcome === 'allow' || ends.length === 0 || ends.length < reasons.length ? null : Math.max(...ends);
}

/** The refusal of a start that a freeze alone stands against, with its end; null if that is not so. */
export function heldByFreeze(decision: Pick<Decision, 'outcome' | 'reasons'>): Failure | null {
  const until = frozenUntil(decision);
  if (until === null) return null;
  return {
    kind: 'conflict',
    code: 'freeze.active',
    message: `Nothing starts now: ${decision.reasons.map(({ message }) => message).join('; ')}.`,
    action: 'Start it when the freeze is over, or have somebody start it whose role may pass.',
    reasons: decision.reasons,
    details: { until: toTimestamp(until) },
  };
}

/** The end that {@link heldByFreeze} names; null for any other refusal. */
export const heldUntil = ({ code, details }: Failure): number | null =>
  code === 'freeze.active' && typeof details?.until === 'string' ? Date.parse(details.until) : null;
