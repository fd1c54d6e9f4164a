import { FakeTable, type FakeUnitOfWork } from '../../../kernel/src/fake-unit-of-work.js';
import type { PlanId, Tx } from '#lib/kernel';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import type { ApprovalSubjects } from './approval.ports.js';

/** Holds what approvals are about, as the test says that it is now. */
export class FakeApprovalSubjects implements ApprovalSubjects {
  /** By plan. */
  readonly rows: FakeTable<ApprovalSubject>;

  constructor(uow: FakeUnitOfWork) {
    this.rows = new FakeTable(uow);
  }

  lock(tx: Tx, planId: PlanId): Promise<ApprovalSubject | null> {
    return this.read(tx, planId);
  }

  read(tx: Tx, planId: PlanId): Promise<ApprovalSubject | null> {
    return Promise.resolve(this.rows.of(tx).get(planId) ?? null);
  }
}
