import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { PlanId, Tx } from '#lib/kernel';
import type { BoundSubject, PlanSubject } from '../domain/approval-subject.js';
import type { PlanOfTask, PlanSubjects } from './approval.ports.js';

/** Holds what approvals of plans are about, as the test says that it is now. */
export class FakePlanSubjects implements PlanSubjects {
  /** By plan. */
  readonly rows: FakeTable<PlanSubject>;

  constructor(uow: FakeUnitOfWork) {
    this.rows = new FakeTable(uow);
  }

  lock(tx: Tx, planId: PlanId): Promise<PlanSubject | null> {
    return this.read(tx, planId);
  }

  lockBound(tx: Tx, { planId }: PlanOfTask): Promise<BoundSubject | null> {
    return this.read(tx, planId);
  }

  read(tx: Tx, planId: PlanId): Promise<PlanSubject | null> {
    return Promise.resolve(this.rows.of(tx).get(planId) ?? null);
  }
}
