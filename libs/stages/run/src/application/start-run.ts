import type { RequestApproved, RequestApprovedListener, ApprovedPlan, AuthorizeStart } from '#lib/approval';
import {
  actorOf,
  type AuditSink,
  type Failure,
  type PlanId,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { CreateRun } from './create-run.js';
import type { RunAccess } from './run-access.js';

/**
 * Starts a run of a plan that policy allows without an approval, or of a plan with an approved request. A refusal is recorded.
 *
 * Failures: those of `AuthorizeStart`, `task.not_yours`, `run.already_live`, `run.nothing_to_run`.
 */
export class StartRun implements RequestApprovedListener {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly authority: AuthorizeStart,
    private readonly access: RunAccess,
    private readonly creating: CreateRun,
    private readonly audit: AuditSink,
  ) {}

  /** Asked for by hand. */
  execute(principal: Principal, planId: PlanId): Promise<Result<Run>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const allowed = await this.access.mayStart(tx, principal, planId);
      if (!allowed.ok) return allowed;
      return this.#start(tx, planId, principal, await this.authority.authorize(tx, planId, principal));
    });
  }

  /** A request was approved that starts on approval, or its scheduled start has come. A refusal stays on record and starts nothing. */
  async requestApproved(tx: Tx, event: RequestApproved): Promise<Failure | null> {
    const { subject, principal } = event;
    const started = await this.#start(tx, subject.plan.id, principal, await this.authority.approved(tx, event));
    return started.ok ? null : started.error;
  }

  async #start(tx: Tx, planId: PlanId, principal: Principal, approved: Result<ApprovedPlan>): Promise<Result<Run>> {
    if (!approved.ok) {
      if (approved.error.kind !== 'not_found') await this.#refused(tx, planId, principal, approved.error);
      return approved;
    }
    return this.creating.execute(tx, approved.value, principal);
  }

  async #refused(tx: Tx, planId: PlanId, principal: Principal, failure: Failure): Promise<void> {
    const plan = { type: 'plan', id: planId };
    await this.audit.record(tx, {
      action: 'run.refused',
      actor: actorOf(principal),
      level: 'full',
      subject: plan,
      within: [plan],
      payload: {
        code: failure.code,
        message: failure.message,
        reasons: (failure.reasons ?? []).map((reason) => ({ ...reason })),
      },
    });
  }
}
