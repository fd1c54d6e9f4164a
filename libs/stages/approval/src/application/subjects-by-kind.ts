import type { Tx } from '#lib/kernel';
import type { SubjectKey } from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import type { ApprovalSubjects, PlanSubjects } from './approval.ports.js';

/** One reader for each kind of subject; a kind without one does not compile. */
export interface SubjectKinds {
  readonly plan: PlanSubjects;
}

/** The registry of kinds. */
export class SubjectsByKind implements ApprovalSubjects {
  constructor(private readonly kinds: SubjectKinds) {}

  lock(tx: Tx, { type, id }: SubjectKey): Promise<ApprovalSubject | null> {
    return this.kinds[type].lock(tx, id);
  }

  read(tx: Tx, { type, id }: SubjectKey): Promise<ApprovalSubject | null> {
    return this.kinds[type].read(tx, id);
  }
}
