import type { ApprovalState } from '#lib/formats';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import {
  approvalExpired,
  isDue,
  isLive,
  type ApprovalRequest,
  type ApprovedRequest,
  type ClosedReason,
  type ConsumedRequest,
  type ExpiredRequest,
  type LiveRequest,
  type UndecidedRequest,
  type VoidedRequest,
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

/**
 * The request, if people can still decide it.
 *
 * @returns the failures of {@link decideApproval} for an approval.
 */
export function undecided(request: ApprovalRequest, now: number): Result<UndecidedRequest> {
  if (request.state !== 'open') return err(refusalOf(request, 'approve'));
  return isDue(request, now) ? err(approvalExpired) : ok(request);
}

/** The request as it expired; null if its time is not over, or if it is closed. */
export const expired = (request: ApprovalRequest, now: number): ExpiredRequest | null =>
  isLive(request) && isDue(request, now) ? afterExpiry(request, now) : null;

/** A live request after anything but a verdict of people ended it. Past its time it has expired instead. */
export const voided = (request: LiveRequest, closedReason: ClosedReason, now: number): VoidedRequest | ExpiredRequest =>
  expired(request, now) ?? { ...unused(request), state: 'voided', closedAt: now, closedReason };

/** An approved request after it served its run or its call. Past its time it has expired instead. */
export const consumed = (request: ApprovedRequest, now: number): ConsumedRequest | ExpiredRequest =>
  expired(request, now) ?? { ...request, state: 'consumed', closedAt: now };

/** The request in the state that the event leads to. Null if the lifecycle has no such event in its state. */
function after(request: ApprovalRequest, event: ApprovalEvent, now: number): ApprovalRequest | null {
  if (!isLive(request)) return null;
  switch (event.name) {
    case 'expire':
      return afterExpiry(request, now);
    case 'void':
      return voided(request, event.reason, now);
    case 'consume':
      return request.state === 'approved' ? consumed(request, now) : null;
    case 'approve':
    case 'deny':
    case 'request_changes':
      return request.state === 'open' ? afterVerdict(request, event, now) : null;
  }
}

function afterVerdict(
  request: UndecidedRequest,
  event: Extract<ApprovalEvent, { name: 'approve' | 'deny' | 'request_changes' }>,
  now: number,
): ApprovalRequest {
  switch (event.name) {
    case 'approve': {
      const approvalExpiresAt = now + request.decision.obligations.valid_minutes * MINUTE_MS;
      return { ...request, state: 'approved', approvedAt: now, approvalExpiresAt };
    }
    case 'deny':
      return { ...request, state: 'denied', closedAt: now, closedReason: event.reason };
    case 'request_changes':
      return { ...request, state: 'changes_requested', closedAt: now, closedReason: event.reason };
  }
}

function afterExpiry(request: LiveRequest, now: number): ExpiredRequest {
  const closedReason = request.state === 'open' ? UNDECIDED : UNUSED;
  return { ...unused(request), state: 'expired', closedAt: now, closedReason };
}

/** The members that a live request keeps if it ends unused. */
function unused(request: LiveRequest) {
  if (request.state === 'open') return { ...request, approval: null };
  const { approvedAt, approvalExpiresAt, ...facts } = request;
  return { ...facts, approval: { approvedAt, approvalExpiresAt } };
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
