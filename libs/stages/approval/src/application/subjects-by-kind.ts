import type { ApprovalRequestId, Tx } from '#lib/kernel';
import type { SubjectKey } from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import type { ApprovalSubjects, CallSubjects, HeldRequest, PlanSubjects } from './approval.ports.js';

/** One reader for each kind of subject; a kind without one does not compile. */
export interface SubjectKinds {
  readonly plan: PlanSubjects;
  readonly tool_call: CallSubjects;
}

/** The registry of kinds. The kind of a request is unknown until it is read: the readers are asked in turn, plans first. */
export class SubjectsByKind implements ApprovalSubjects {
  constructor(private readonly kinds: SubjectKinds) {}

  async holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null> {
    return (await this.kinds.plan.holdRequest(tx, id)) ?? this.kinds.tool_call.holdRequest(tx, id);
  }

  async readRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null> {
    return (await this.kinds.plan.readRequest(tx, id)) ?? this.kinds.tool_call.readRequest(tx, id);
  }

  read(tx: Tx, subject: SubjectKey): Promise<ApprovalSubject | null> {
    return subject.type === 'plan' ? this.kinds.plan.read(tx, subject.id) : this.kinds.tool_call.read(tx, subject.id);
  }
}
