import type { PlanId, Tx } from '#lib/kernel';
import { planKey, type LiveRequest } from '../domain/approval-request.js';
import type { PlanSubject } from '../domain/approval-subject.js';
import type { HeldSubject, PlanSubjects } from './approval.ports.js';
import { FakeSubjectsOfKind } from './fake-subjects-of-kind.js';

/** Holds the subjects of plan approvals, as the test says that they are now. */
export class FakePlanSubjects extends FakeSubjectsOfKind<PlanSubject, PlanId> implements PlanSubjects {
  async hold(tx: Tx, planId: PlanId): Promise<HeldSubject<PlanSubject, LiveRequest | null> | null> {
    const subject = await this.read(tx, planId);
    return subject === null ? null : this.held(tx, subject, await this.requests.lockLive(tx, planKey(planId)));
  }
}
