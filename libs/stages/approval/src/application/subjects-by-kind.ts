import type { ApprovalRequestId, Tx } from '#lib/kernel';
import type { SubjectKey } from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import type { ApprovalSubjects, HeldRequest, HeldSubject, PlanSubjects } from './approval.ports.js';

/** One reader for each kind of subject; a kind without one does not compile. */
export interface SubjectKinds {
  readonly plan: PlanSubjects;
}

/** The registry of kinds. */
export class SubjectsByKind implements ApprovalSubjects {
  constructor(private readonly kinds: SubjectKinds) {}

  hold(tx: Tx, { type, id }: SubjectKey): Promise<HeldSubject | null> {
    return this.kinds[type].hold(tx, id);
  }

  holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null> {
    return this.kinds.plan.holdRequest(tx, id);
  }

  readRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null> {
    return this.kinds.plan.readRequest(tx, id);
  }

  read(tx: Tx, { type, id }: SubjectKey): Promise<ApprovalSubject | null> {
    return this.kinds[type].read(tx, id);
  }
}
