import { BINDINGS, type ApprovalFacts, type Binding } from '#lib/contracts';
import type { ApprovalRequestId, PlanId, Tx } from '#lib/kernel';
import { currentBinding, plannedBinding, type ApprovalSubject } from '../domain/approval-subject.js';
import { compareBindings } from '../domain/binding.js';
import type { ApprovalRepository, ApprovalSubjects } from './approval.ports.js';
import type { ReadStanding } from './read-standing.js';

/** What the decision before a step of a run needs to know of the approval behind it. */
export interface ApprovalAtStep {
  readonly subject: ApprovalSubject;
  /** Null for a run that needed no approval. */
  readonly approval: ApprovalFacts | null;
  /** True for each bound thing that is unchanged. */
  readonly bindings: Readonly<Record<Binding, boolean>>;
}

/** Looks again, before each step, at everything that was approved (invariant 1, T01 and T06 in the middle of a run). */
export class StepStanding {
  constructor(
    private readonly subjects: ApprovalSubjects,
    private readonly requests: ApprovalRepository,
    private readonly standing: ReadStanding,
  ) {}

  /** Null where the plan is not there. Takes no lock on task, plan or request: the caller holds its run. */
  async read(tx: Tx, planId: PlanId, requestId: ApprovalRequestId | null): Promise<ApprovalAtStep | null> {
    const subject = await this.subjects.read(tx, planId);
    if (subject === null) return null;
    const request = requestId === null ? null : await this.requests.find(tx, requestId);
    const differences = compareBindings(request?.binding ?? plannedBinding(subject), currentBinding(subject));
    const changed = new Set(differences.map(({ member }) => member));
    return {
      subject,
      approval: request === null ? null : this.standing.facts(request, await this.reviewersOf(tx, request)),
      bindings: Object.fromEntries(BINDINGS.map((member) => [member, !changed.has(member)])) as Record<Binding, boolean>,
    };
  }

  /** Somebody who is disabled holds no role, and no slot: not even one that takes anybody. */
  private async reviewersOf(tx: Tx, request: Parameters<ReadStanding['reviewers']>[1]): Promise<ApprovalFacts['reviewers']> {
    const { reviewers, disabled } = await this.standing.reviewers(tx, request);
    return reviewers.filter(({ person_id }) => !disabled.includes(person_id));
  }
}
