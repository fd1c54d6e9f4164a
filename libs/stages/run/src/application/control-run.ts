import {
  actorOf,
  err,
  type JobQueue,
  notFound,
  ok,
  type Principal,
  type Result,
  type RunId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { decideRequest } from '../domain/decide-request.js';
import { asked } from '../domain/run-changes.js';
import type { Run } from '../domain/run.js';
import type { RunRequest } from '../domain/run-view.js';
import type { RunAccess } from './run-access.js';
import type { RunJournal } from './run-journal.js';
import type { RunRepository } from './run.repository.js';

/**
 * Asks a run to pause, cancel or roll back. The run takes a request between steps: a dispatched call is awaited first, and an
 * unknown step is resolved first. The same request again changes nothing; a stronger request replaces a weaker one.
 *
 * Failures: `resource.not_found`, `task.not_yours`, `run.wrong_state`, `run.already_requested`.
 */
export class ControlRun {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runs: RunRepository,
    private readonly access: RunAccess,
    private readonly journal: RunJournal,
    private readonly jobs: JobQueue,
  ) {}

  execute(principal: Principal, runId: RunId, request: RunRequest, note: string | null): Promise<Result<Run>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const run = await this.runs.lock(tx, runId);
      if (run === null) return err(notFound('run'));
      const allowed = await this.access.mayControl(tx, principal, run);
      if (!allowed.ok) return allowed;
      return this.#request(tx, run, request, principal, note);
    });
  }

  async #request(
    tx: Tx,
    run: Run,
    request: RunRequest,
    principal: Principal,
    note: string | null,
  ): Promise<Result<Run>> {
    const decided = decideRequest(run, request);
    if (!decided.ok || decided.value === null) return decided.ok ? ok(run) : decided;
    const now = await tx.now();
    const actor = actorOf(principal);
    const recorded = await this.journal.record(tx, decided.value, {
      type: `run.${request}_requested`,
      actor,
      data: { note },
      at: now,
    });
    const reason = { code: `run.${request}_requested`, message: note ?? `${actor.display_name} asked for it.` };
    const next = asked(recorded, { requested: request, requestedBy: { actor, reason } }, now);
    await this.runs.save(tx, next);
    await this.jobs.enqueue(tx, 'run.advance', run.id);
    return ok(next);
  }
}
