import { ApprovedPlan, type AuthorizeStart } from '#lib/approval';
import { actorOf, err, type JobQueue, newId, ok, type Principal, type Result, type RunId, type Tx } from '#lib/kernel';
import { headlineOf } from '#lib/plan';
import { BreakGlassAuthority } from '../domain/break-glass-authority.js';
import type { RunStepId } from '../domain/ids.js';
import { plannedSteps, stepToolsOf } from '../domain/plan-steps.js';
import { requestOf, type QueuedRun, type RunAuthority } from '../domain/run.js';
import type { PendingStep } from '../domain/run-step.js';
import { UNTOUCHED } from '../domain/step-changes.js';
import type { RunJournal } from './run-journal.js';
import type { RunRepository } from './run.repository.js';

/** Creates a run from the authority to execute a plan, and uses an approval up in the same transaction. */
export class CreateRun {
  constructor(
    private readonly runs: RunRepository,
    private readonly authority: AuthorizeStart,
    private readonly journal: RunJournal,
    private readonly jobs: JobQueue,
  ) {}

  /** The queued run, or `run.already_live`, `run.nothing_to_run`. */
  async execute(
    tx: Tx,
    approved: ApprovedPlan | BreakGlassAuthority,
    principal: Principal,
  ): Promise<Result<QueuedRun>> {
    const byApproval = ApprovedPlan.isGenuine(approved);
    if (!byApproval && !BreakGlassAuthority.isGenuine(approved)) throw new Error('a run needs a genuine authority');
    const { subject, plan } = approved;
    const live = await this.runs.findLive(tx, subject.task.id);
    if (live !== null) {
      return err({
        kind: 'conflict',
        code: 'run.already_live',
        message: 'This task has a run that has not ended.',
        action: 'Wait until it ends, or cancel it.',
        details: { run_id: live.id, state: live.state },
      });
    }
    const planned = plannedSteps(plan.expanded, approved.phases, stepToolsOf(subject.facts.tools));
    if (planned.length === 0) {
      return err({
        kind: 'unprocessable',
        code: 'run.nothing_to_run',
        message: `The plan has no ${approved.phases === 'canary' ? 'canary ' : ''}phases that may run.`,
        action: 'Submit a plan whose first phases are canary phases.',
      });
    }
    const id = newId<RunId>();
    const created: QueuedRun = {
      id,
      taskId: subject.task.id,
      planId: plan.id,
      planDigest: plan.digest,
      headline: headlineOf(plan.expanded, subject.facts.tools),
      environmentId: subject.environment.id,
      authority: authorityOf(approved),
      simulationId: byApproval ? (subject.simulation?.id ?? null) : approved.simulationId,
      decisionId: approved.decisionId,
      approvedTerms: approved.terms,
      state: 'queued',
      phases: approved.phases,
      requested: null,
      requestedBy: null,
      reason: null,
      rollbackReason: null,
      waitingOn: null,
      waitUntil: null,
      healthRound: 1,
      eventCount: 0,
      outcome: null,
      startedBy: actorOf(principal),
      startAt: null,
      nextAt: approved.at,
      pauseBy: null,
      createdAt: approved.at,
      startedAt: null,
      finishedAt: null,
      updatedAt: approved.at,
    };
    const steps = planned.map((step): PendingStep => ({ ...step, ...UNTOUCHED, id: newId<RunStepId>(), runId: id }));
    await this.runs.insert(tx, created, steps);
    const run = await this.journal.record(tx, created, {
      type: 'run.created',
      actor: actorOf(principal),
      data: {
        plan_digest: plan.digest,
        phases: approved.phases,
        approval_request_id: requestOf(created),
        ...(created.authority.kind === 'break_glass' ? { incident_id: created.authority.incidentId } : {}),
        environment: subject.environment.name,
        steps: steps.length,
      },
      at: approved.at,
      decisionId: approved.decisionId,
      evidence: [{ kind: 'plan', id: plan.id, digest: plan.digest }],
    });
    await this.runs.save(tx, run);
    if (byApproval) await this.authority.consume(tx, approved, id, principal);
    await this.jobs.enqueue(tx, 'run.advance', id);
    return ok(run);
  }
}

function authorityOf(approved: ApprovedPlan | BreakGlassAuthority): RunAuthority {
  if (approved instanceof BreakGlassAuthority) return { kind: 'break_glass', incidentId: approved.incidentId };
  return approved.requestId === null ? { kind: 'policy' } : { kind: 'approval', requestId: approved.requestId };
}
