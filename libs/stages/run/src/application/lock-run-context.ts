import { approvalFacts, type ApprovalRepository, plannedBinding, type ReadStanding } from '#lib/approval';
import type { Tx } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { BoundRecords, LockedRecords } from './bound-records.port.js';
import type { RunContext } from './run.ports.js';

/** A run under its lock, with everything that stands before it. */
export interface LockedRun extends Omit<LockedRecords, 'subject' | 'halts'> {
  readonly context: RunContext;
}

/**
 * Locks everything that stands before a run in the house's order, and then the run. Reads the facts for decisions about the run.
 */
export class LockRunContext {
  constructor(
    private readonly records: BoundRecords,
    private readonly requests: Pick<ApprovalRepository, 'find' | 'reviews'>,
    private readonly standing: ReadStanding,
  ) {}

  /** @throws {Error} if the run or its plan is gone. */
  execute(tx: Tx, run: Run): Promise<LockedRun> {
    return this.#execute(tx, run, this.records.lock(tx, run));
  }

  /** The same for a caller that sends the run's calls: a run that Countersign did not create is refused. */
  toAdvance(tx: Tx, run: Run): Promise<LockedRun> {
    return this.#execute(tx, run, this.records.lockToAdvance(tx, run));
  }

  async #execute(tx: Tx, found: Run, locking: Promise<LockedRecords | null>): Promise<LockedRun> {
    const records = await locking;
    if (records === null) throw new Error(`run ${found.id} or its plan is gone`);
    const { subject, halts, ...locked } = records;
    const { run } = locked;
    // They let a starter pass a freeze, and an invoker of break-glass go on.
    const rolesMatter = subject.autonomy.document?.freezes !== undefined || run.authority.kind === 'break_glass';
    const starterRoles = rolesMatter ? await this.standing.rolesOf(tx, run.startedBy) : [];
    if (run.authority.kind !== 'approval') {
      const unapproved = { halts, approval: null, disabledReviewers: [], reviewers: new Map() };
      return { ...locked, context: { subject, starterRoles, ...unapproved, binding: plannedBinding(subject) } };
    }
    const [request, reviews] = await Promise.all([
      this.requests.find(tx, run.authority.requestId),
      this.requests.reviews(tx, run.authority.requestId),
    ]);
    if (request === null) throw new Error(`the approval request of run ${run.id} is gone`);
    const { reviewers, disabled, people } = await this.standing.reviewers(tx, { request, reviews });
    return {
      ...locked,
      context: {
        subject,
        halts,
        starterRoles,
        approval: approvalFacts(request, reviewers),
        disabledReviewers: disabled,
        reviewers: people,
        binding: request.binding,
      },
    };
  }
}
