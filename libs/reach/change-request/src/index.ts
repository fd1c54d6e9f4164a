/**
 * ChangeRequests need two people: a change that loosens what the gate is made of waits until somebody else has confirmed it.
 *
 * Owns change requests. Invariants: what loosens is worked out by the use case that writes it, never told by its author;
 * the second person is not the author, held the role before the change was opened, and proves a second factor for this
 * very change; it is carried out in the transaction of the confirmation, by the same use case, on what it was worked out
 * against, or it is void. What only tightens never waits. Where nobody else could confirm, a change is applied at once
 * and says so.
 *
 * Knows no kind of change: those who write implement the kernel's `CarriesOutChange` and ask its `TwoPersonRule`.
 */
export { changeRequestEntity } from './adapters/change-request.entity.js';
export { ConfirmChange, RejectChange, WithdrawChange } from './application/decide-change.js';
export type { ChangeRequestRepository } from './application/change-request.ports.js';
export { ReadChanges, type ChangeSeen } from './application/read-changes.js';
export { createChangeRequests } from './create-change-requests.js';
