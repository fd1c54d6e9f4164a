/**
 * Change requests: a change that loosens a guardrail waits until a second person confirms it.
 *
 * Owns change requests. Invariants: the use case that writes a change works out whether it loosens, never its author.
 * The second person is not the author, and held the role before the change was opened. They prove a second factor for
 * this very change. The same use case carries it out in the transaction of the confirmation. On a changed base the
 * change is void. A change that only tightens never waits. If no second person exists, a change is applied at once and
 * says so.
 *
 * Knows no kind of change: each use case implements the kernel's `CarriesOutChange` and asks its `TwoPersonRule`.
 */
export { changeRequestEntity } from './adapters/change-request.entity.js';
export { carriedChange } from './application/carried-change.js';
export { ConfirmChange, RejectChange, WithdrawChange } from './application/decide-change.js';
export { ReadChanges, type ChangeSeen } from './application/read-changes.js';
export { createChangeRequests, createChangeRequestStore } from './create-change-requests.js';
