import { minutesInWords } from '#lib/words';
import { ANY_ROLE, type ApprovalSlot, type Decision, type Obligations } from '#lib/formats';
import { isLooser } from '#lib/policy';

/** The obligations that can grow, named as the policies name them. */
type Obligation = 'approvals' | 'mfa' | 'phases' | 'valid_minutes';

/** One obligation that is stricter than it was. */
interface Growth {
  readonly obligation: Obligation;
  /** In words. */
  readonly message: string;
}

/** Which obligations of `before` let something pass that those of `today` hold back. Of a deny there are none. */
export function grownObligations(before: Decision, today: Decision): Growth[] {
  if (today.outcome === 'deny') return [];
  const [owed, owes] = [before.obligations, today.obligations];
  // One at a time, all others as they were.
  return OBLIGATIONS.filter((obligation) =>
    isLooser(asking(today, { ...owed, [obligation]: owes[obligation] }), asking(before, owed)),
  ).map((obligation) => ({ obligation, message: IN_WORDS[obligation](owed, owes) }));
}

/** Obligations as they weigh when people are asked. */
const asking = (decision: Decision, obligations: Obligations): Decision => ({
  ...decision,
  outcome: 'require_approval',
  obligations,
});

const OBLIGATIONS: readonly Obligation[] = ['approvals', 'mfa', 'phases', 'valid_minutes'];

const IN_WORDS: Readonly<Record<Obligation, (owed: Obligations, owes: Obligations) => string>> = {
  approvals: (owed, owes) => `it now asks for ${inWords(owes.approvals)} instead of ${inWords(owed.approvals)}`,
  mfa: () => 'a second factor is asked for now',
  phases: () => 'no more than the canary phases may run now',
  valid_minutes: (owed, owes) =>
    `an approval is now good for ${minutesInWords(owes.valid_minutes)} instead of ${minutesInWords(owed.valid_minutes)}`,
};

const inWords = (slots: readonly ApprovalSlot[]): string =>
  slots.map(({ count, roles }) => `${String(count)} of ${who(roles)}`).join(', and ') || 'nobody';

const who = (roles: readonly string[]): string => (roles.includes(ANY_ROLE) ? 'any role' : roles.join(' or '));
