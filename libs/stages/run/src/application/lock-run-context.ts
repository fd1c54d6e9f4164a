import { approvalFacts, delegationsIn, plannedBinding, reviewersNow, rolesNow } from '#lib/approval';
import type { Tx } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { BoundRecords, LockedRecords } from './bound-records.port.js';
import type { RunContext } from './run.ports.js';

/** A run under its lock, with everything that stands before it. */
export interface LockedRun extends Pick<LockedRecords, 'run' | 'now' | 'ahead' | 'inFlight'> {
  readonly context: RunContext;
}

/**
 * Locks everything that stands before a run in the house's order, and then the run. Reads the facts for decisions about the run.
 */
export class LockRunContext {
  constructor(private readonly records: BoundRecords) {}

  /** @throws {Error} if the run or its plan is gone. */
  async execute(tx: Tx, run: Run): Promise<LockedRun> {
    return lockedRun(run, await this.records.lock(tx, run));
  }

  /** The same for a caller that sends the run's calls: a run that Countersign did not create is refused. */
  async toAdvance(tx: Tx, run: Run): Promise<LockedRun> {
    return lockedRun(run, await this.records.lockToAdvance(tx, run));
  }
}

function lockedRun(found: Run, records: LockedRecords | null): LockedRun {
  if (records === null) throw new Error(`run ${found.id} or its plan is gone`);
  const { run, now, ahead, inFlight } = records;
  return { run, now, ahead, inFlight, context: { ...contextOf(records), starterRoles: starterRolesOf(records) } };
}

/** They let a starter pass a freeze, and an invoker of break-glass go on. */
function starterRolesOf({ run, subject, holders }: LockedRecords): readonly string[] {
  const matter = subject.autonomy.document?.freezes !== undefined || run.authority.kind === 'break_glass';
  return matter ? rolesNow(run.startedBy, holders) : [];
}

function contextOf({ run, subject, halts, approval, holders }: LockedRecords): Omit<RunContext, 'starterRoles'> {
  if (run.authority.kind !== 'approval') {
    return { subject, halts, approval: null, disabledReviewers: [], binding: plannedBinding(subject) };
  }
  if (approval === null) throw new Error(`the approval request of run ${run.id} is gone`);
  const { request, absences } = approval;
  const { reviewers, disabled } = reviewersNow(approval, holders, delegationsIn(absences, holders));
  return {
    ...{ subject, halts, binding: request.binding },
    approval: approvalFacts(request, reviewers),
    disabledReviewers: disabled,
  };
}
