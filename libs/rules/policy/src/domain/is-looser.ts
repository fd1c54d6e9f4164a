import { ANY_ROLE, type ApprovalSlot, type Decision, type Outcome } from '#lib/formats';

const STRICTNESS: Readonly<Record<Outcome, number>> = { allow: 0, require_approval: 1, deny: 2 };

/**
 * True if `after` lets anything pass that `before` held back: a milder outcome; an approval slot that fewer or other people can
 * fill; no second factor; no word to type; more phases; a longer life of the approval. The obligations of a deny do not matter.
 */
export function isLooser(before: Decision, after: Decision): boolean {
  if (after.outcome === 'deny') return false;
  if (STRICTNESS[after.outcome] < STRICTNESS[before.outcome]) return true;
  if (before.obligations.phases === 'canary' && after.obligations.phases === 'all') return true;
  if (after.outcome === 'allow') return false;
  return (
    (before.obligations.mfa && !after.obligations.mfa) ||
    (before.obligations.confirm_word !== undefined && after.obligations.confirm_word === undefined) ||
    after.obligations.valid_minutes > before.obligations.valid_minutes ||
    people(after.obligations.approvals) < people(before.obligations.approvals) ||
    before.obligations.approvals.some((slot) => !stillAsked(slot, after.obligations.approvals))
  );
}

const people = (slots: readonly ApprovalSlot[]): number => slots.reduce((sum, slot) => sum + slot.count, 0);

/** True if everybody who fills the slots of `after` within this one could have filled this one, and they are enough. */
function stillAsked(slot: ApprovalSlot, after: readonly ApprovalSlot[]): boolean {
  return people(after.filter((candidate) => within(candidate.roles, slot.roles))) >= slot.count;
}

const within = (roles: readonly string[], wider: readonly string[]): boolean =>
  wider.includes(ANY_ROLE) || roles.every((role) => wider.includes(role));
