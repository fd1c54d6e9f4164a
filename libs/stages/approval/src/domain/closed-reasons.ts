import type { Decision } from '#lib/formats';
import type { ClosedReason } from './approval-request.js';
import { bindingChanged } from './approved-plan.js';
import type { BindingDifference } from './binding.js';
import { grownObligations } from './grown-obligations.js';

/** T01: the approval is about something that is no longer there. */
export const changedUnderneath = (
  differences: readonly BindingDifference[],
  what: 'plan' | 'call' = 'plan',
): ClosedReason => ({
  code: 'approval.binding_changed',
  message: bindingChanged(differences, what).message,
  details: {
    changed: differences.map(({ member }) => member),
    names: differences.flatMap(({ names }) => names),
  },
});

/** T06: policy asks for more than when the request opened, or would refuse to have people asked. */
export function becameStricter(before: Decision, today: Decision): ClosedReason {
  const grown = grownObligations(before, today);
  const reasons = today.reasons.map(({ code }) => code);
  if (grown.length === 0) {
    return {
      code: 'approval.stricter',
      message: `Policy does not let this be asked for any more: ${messagesOf(today)}`,
      details: { reasons },
    };
  }
  return {
    code: 'approval.stricter',
    message: `Policy or autonomy asks for more than when the request was opened: ${grown.map(({ message }) => message).join('; ')}`,
    details: { reasons, stricter: grown.map(({ obligation }) => obligation) },
  };
}

/** T06: policy no longer lets the approved request start. */
export const refusedAtStart = (decision: Decision): ClosedReason => ({
  code: decision.reasons.find(({ code }) => !isPassing(code))?.code ?? 'policy.denied',
  message: messagesOf(decision),
  details: { reasons: decision.reasons.map(({ code }) => code) },
});

export const reviewerDisabled = (personIds: readonly string[]): ClosedReason => ({
  code: 'approval.reviewer_disabled',
  message: 'A person whose approval counts is disabled.',
  details: { person_ids: personIds },
});

export const reviewerLostRole = (personIds: readonly string[]): ClosedReason => ({
  code: 'approval.role_lost',
  message: 'A person whose approval counts no longer has the role.',
  details: { person_ids: personIds },
});

/** T30: since the backup the approval may have been used up. */
export const databaseRestored = (epoch: number): ClosedReason => ({
  code: 'approval.database_restored',
  message: 'The database was restored from a backup: the approval may have been used since.',
  details: { epoch: String(epoch) },
});

/** Somebody executed the plan on their own responsibility. */
export const brokenGlass = (incidentId: string): ClosedReason => ({
  code: 'approval.break_glass',
  message: 'The plan was executed by break-glass; there is nothing left to approve.',
  details: { incident_id: incidentId },
});

export const planSuperseded: ClosedReason = {
  code: 'approval.plan_superseded',
  message: 'A new revision of the plan was submitted.',
};

export const planWithdrawn: ClosedReason = { code: 'approval.plan_withdrawn', message: 'The plan was withdrawn.' };

export const taskCancelled: ClosedReason = { code: 'approval.task_cancelled', message: 'The task was cancelled.' };

/** The reason why a call that waits is not wanted any more. */
export type CallWithdrawal = 'withdrawn' | 'session_ended' | 'halted' | 'agent_disabled';

export const callWithdrawn: Readonly<Record<CallWithdrawal, ClosedReason>> = {
  withdrawn: { code: 'approval.call_withdrawn', message: 'The call was withdrawn.' },
  session_ended: { code: 'approval.session_ended', message: 'The session of the call ended.' },
  halted: { code: 'approval.halted', message: 'A halt stopped the call.' },
  agent_disabled: { code: 'approval.agent_disabled', message: 'The agent of the call was disabled.' },
};

export const requestWithdrawn: ClosedReason = {
  code: 'approval.withdrawn',
  message: 'The request was withdrawn by those who asked.',
};

/**
 * Whether a deny says that the approval is worth nothing any more. A halt passes, a freeze does, and so does a fault of the policy
 * engine: they refuse the start and leave the approval to its own time.
 */
export const endsApproval = (decision: Decision): boolean => decision.reasons.some(({ code }) => !isPassing(code));

const isPassing = (code: string): boolean =>
  code.startsWith('halt.') || code.startsWith('freeze.') || code.startsWith('policy.');

const messagesOf = (decision: Decision): string => decision.reasons.map(({ message }) => message).join('; ');
