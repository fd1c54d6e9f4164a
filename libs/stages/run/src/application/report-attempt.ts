import type { DispatchOutcome, IssueGrant } from '#lib/dispatch';
import {
  err,
  type Failure,
  type JobQueue,
  notFound,
  ok,
  type Principal,
  type Result,
  type RunId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { AttemptId } from '../domain/ids.js';
import { isEnded, type Run } from '../domain/run.js';
import { isFinishedAttempt, type StepAttempt } from '../domain/step-attempt.js';
import { isInFlightUnder, type RecordAnswer, wasAnswered } from './record-answer.js';
import type { RunRepository } from './run.repository.js';

/** An agent's report of a call that it carried out. It is unverified, and every reader is told so. */
export interface AttemptReport {
  /** The jti of the grant it acted under. */
  readonly jti: string;
  readonly argumentsDigest: string;
  readonly outcome: DispatchOutcome;
}

/**
 * Takes an agent's report of an attempt, once and within the attempt's time. The report comes from the agent that the
 * attempt was offered to, under the grant that it fetched. The same report once more is answered with the run as it
 * stands. One that comes later is kept as evidence, decides nothing, and is answered so.
 *
 * Failures: `resource.not_found`, `run_attempt.not_yours`, `run_attempt.grant_differs`, `run_attempt.arguments_differ`,
 * `run_attempt.already_reported`, `run_attempt.late`.
 */
export class ReportAttempt {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runs: RunRepository,
    private readonly answers: RecordAnswer,
    private readonly grants: Pick<IssueGrant, 'wasIssued'>,
    private readonly jobs: JobQueue,
  ) {}

  execute(principal: Principal, runId: RunId, attemptId: AttemptId, report: AttemptReport): Promise<Result<Run>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const run = await this.runs.lock(tx, runId);
      const attempt = await this.runs.findAttempt(tx, attemptId);
      if (run === null || attempt?.runId !== runId) return err(notFound('attempt of a run'));
      const refused = await this.#refusal(tx, principal, attempt, report);
      return refused === null ? this.#take(tx, principal, run, attempt, report.outcome) : err(refused);
    });
  }

  async #refusal(
    tx: Tx,
    principal: Principal,
    attempt: StepAttempt,
    { jti, argumentsDigest }: AttemptReport,
  ): Promise<Failure | null> {
    if (principal.kind !== 'agent' || principal.agentId !== attempt.agentId) return notYours;
    if (jti !== attempt.id || !(await this.grants.wasIssued(tx, jti))) return grantDiffers;
    return argumentsDigest === attempt.argumentsDigest ? null : argumentsDiffer(attempt);
  }

  async #take(tx: Tx, by: Principal, run: Run, attempt: StepAttempt, outcome: DispatchOutcome): Promise<Result<Run>> {
    // The answer to the first report was lost.
    if (this.answers.has(attempt, outcome)) return ok(run);
    if (wasAnswered(attempt) || attempt.lateAt !== null) return err(alreadyReported(attempt));
    const step = await this.runs.findStep(tx, attempt.stepId);
    if (step === null) throw new Error(`step ${attempt.stepId} is gone`);
    const now = await tx.now();
    const counts = isInFlightUnder(step, attempt.fence) && now < step.leaseUntil;
    if (!counts || isFinishedAttempt(attempt) || isEnded(run)) {
      await this.runs.save(tx, await this.answers.keepLate(tx, run, step, attempt, { outcome, by, now }));
      return err(late(step.leaseUntil));
    }
    const answered = await this.answers.write(tx, run, step, attempt, { outcome, by, now });
    const due = { ...answered.run, nextAt: now };
    await this.runs.save(tx, due);
    await this.jobs.enqueue(tx, 'run.advance', run.id);
    return ok(due);
  }
}

const notYours: Failure = {
  kind: 'forbidden',
  code: 'run_attempt.not_yours',
  message:
    'Only the agent that got this attempt may report it. Countersign reads the result of an executor from its answer.',
  action: 'Get the work of the run with the credential of the agent that submitted its plan.',
};

const grantDiffers: Failure = {
  kind: 'conflict',
  code: 'run_attempt.grant_differs',
  message: 'The report does not name the grant that was issued for this attempt.',
  action: 'Get the work of the run, act under its grant, and report the jti of that grant.',
  errors: [{ pointer: '/jti', code: 'run_attempt.grant_differs', message: 'Not the grant of this attempt.' }],
};

const argumentsDiffer = (attempt: StepAttempt): Failure => ({
  kind: 'conflict',
  code: 'run_attempt.arguments_differ',
  message: 'The report is about another call than the approved one: the digest of the arguments differs.',
  action: 'Carry out exactly the call that the grant is for. If another one was made, a person has to know.',
  errors: [
    {
      pointer: '/arguments_digest',
      code: 'run_attempt.arguments_differ',
      message: `Approved is ${attempt.argumentsDigest}.`,
    },
  ],
});

const alreadyReported = (attempt: StepAttempt): Failure => ({
  kind: 'conflict',
  code: 'run_attempt.already_reported',
  message: 'This attempt has been reported.',
  action: 'Get the run and see what follows from it.',
  details: { outcome: attempt.outcome },
});

const late = (leaseUntil: number | null): Failure => ({
  kind: 'conflict',
  code: 'run_attempt.late',
  message:
    'The report came after the time of its attempt was over. It is kept as evidence, and nothing follows from it.',
  action:
    'Get the run. Countersign makes the call again if its tool is idempotent; if not, a person resolves the step.',
  details: { lease_until: leaseUntil === null ? null : new Date(leaseUntil).toISOString() },
});
