import type { ApprovalState } from '#lib/formats';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import {
  approvalExpired,
  isDue,
  type ApprovalRequest,
  type ClosedReason,
  type ApprovedRequest,
  type UndecidedRequest,
} from './approval-request.js';
import type { ApprovalEventName } from './approval-transitions.js';

/** An event of a request. Only a run consumes it. */
export type ApprovalEvent =
  | { readonly name: 'approve' }
  | { readonly name: 'deny'; readonly reason: ClosedReason }
  | { readonly name: 'request_changes'; readonly reason: ClosedReason }
  | { readonly name: 'expire' }
  | { readonly name: 'void'; readonly reason: ClosedReason }
  | { readonly name: 'consume' };

const MINUTE_MS = 60_000;

/**
 * The request after the event. Expiry is true by the clock: a request past its time can only expire.
 *
 * @param now epoch milliseconds by the database's clock, read after the request was locked.
 * @returns the next request, or a conflict: `approval.already_decided`, `.expired`, `.voided`, `.consumed`,
 *   `.not_approved`, `.not_due`.
 */
export function decideApproval(request: ApprovalRequest, event: ApprovalEvent, now: number): Result<ApprovalRequest> {
  const next = after(request, event, now);
  if (next === null) return err(refusalOf(request, event.name));
  const due = isDue(request, now);
  if (event.name === 'expire' && !due) {
    return err(conflict('approval.not_due', 'The request has not expired yet.', 'Leave it until its time is over.'));
  }
  if (event.name !== 'expire' && due) return err(approvalExpired);
  return ok(next);
}

/** An approved request after the run that was created on it. The caller knows that this is legal. */
export function consumed(request: ApprovedRequest, now: number): ApprovalRequest {
  const next = decideApproval(request, { name: 'consume' }, now);
  if (!next.ok) throw new Error(`an authorized approval request could not be consumed: ${next.error.code}`);
  return next.value;
}

/** The request in the state that the event leads to; null if the lifecycle has no such event in its state. */
function after(request: ApprovalRequest, event: ApprovalEvent, now: number): ApprovalRequest | null {
  if (request.state === 'open') return afterOpen(request, event, now);
  return request.state === 'approved' ? afterApproved(request, event, now) : null;
}

function afterOpen(request: UndecidedRequest, event: ApprovalEvent, now: number): ApprovalRequest | null {
  switch (event.name) {
    case 'approve': {
      const approvalExpiresAt = now + request.decision.obligations.valid_minutes * MINUTE_MS;
      return { ...request, state: 'approved', approvedAt: now, approvalExpiresAt };
    }
    case 'deny':
      return { ...request, state: 'denied', closedAt: now, closedReason: event.reason };
    case 'request_changes':
      return { ...request, state: 'changes_requested', closedAt: now, closedReason: event.reason };
    case 'expire':
      return { ...request, state: 'expired', approval: null, closedAt: now, closedReason: UNDECIDED };
    case 'void':
      return { ...request, state: 'voided', approval: null, closedAt: now, closedReason: event.reason };
    case 'consume':
      return null;
  }
}

function afterApproved(request: ApprovedRequest, event: ApprovalEvent, now: number): ApprovalRequest | null {
  const { approvedAt, approvalExpiresAt, ...facts } = request;
  const approval = { approvedAt, approvalExpiresAt };
  switch (event.name) {
    case 'consume':
      return { ...request, state: 'consumed', closedAt: now };
    case 'expire':
      return { ...facts, state: 'expired', approval, closedAt: now, closedReason: UNUSED };
    case 'void':
      return { ...facts, state: 'voided', approval, closedAt: now, closedReason: event.reason };
    case 'approve':
    case 'deny':
    case 'request_changes':
      return null;
  }
}

const UNDECIDED: ClosedReason = {
  code: 'approval.expired_undecided',
  message: 'The time limit to decide passed before the approvals were complete.',
};

const UNUSED: ClosedReason = {
  code: 'approval.expired_unused',
  message: 'The approval expired before a run was started.',
};

const conflict = (code: string, message: string, action: string): Failure => ({
  kind: 'conflict',
  code,
  message,
  action,
});

/** The refusal of an event that the request's state does not take. */
function refusalOf(request: ApprovalRequest, event: ApprovalEventName): Failure {
  const { state } = request;
  switch (request.state) {
    case 'expired':
      return { ...approvalExpired, details: { state } };
    case 'voided': {
      const { closedReason: reason } = request;
      const message = `The request was voided: ${reason.message}`;
      return {
        ...conflict('approval.voided', message, 'Look at what changed, and ask for approval again.'),
        details: { state, reason },
      };
    }
    case 'consumed': {
      const served =
        request.subject.type === 'plan'
          ? 'A run was started on this approval; it serves one run.'
          : 'The call was made on this approval; it serves one call.';
      return { ...conflict('approval.consumed', served, 'Ask for approval again.'), details: { state } };
    }
    case 'open':
    case 'approved':
    case 'denied':
    case 'changes_requested':
      return { ...(event === 'consume' ? notApproved(state) : alreadyDecided(state)), details: { state } };
  }
}

const notApproved = (state: ApprovalState): Failure =>
  conflict(
    'approval.not_approved',
    `The request is ${stateInWords(state)}: only an approved one starts a run.`,
    'Wait until it is approved.',
  );

const alreadyDecided = (state: ApprovalState): Failure =>
  conflict(
    'approval.already_decided',
    `The request is already decided: it is ${stateInWords(state)}.`,
    'Nothing is left to do on it.',
  );
