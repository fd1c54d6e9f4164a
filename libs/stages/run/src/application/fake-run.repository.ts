import type { Json } from '#lib/canonical';
import type { HaltTarget } from '#lib/halt';
import { type EnvironmentId, fail, type PageRequest, type PlanId, type RunId, type TaskId, type Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AttemptId, RunStepId } from '../domain/ids.js';
import {
  type HealthResult,
  isEnded,
  type LiveRun,
  type QueuedRun,
  type Run,
  type RunEvent,
  type WaitingOn,
} from '../domain/run.js';
import type { PendingStep, RunStep } from '../domain/run-step.js';
import {
  type AttemptResult,
  type FinishedAttempt,
  isFinishedAttempt,
  type InFlightAttempt,
  type StepAttempt,
} from '../domain/step-attempt.js';
import { UNTOUCHED } from '../domain/step-changes.js';
import { by, matches, type PlanOfRun } from './fake-run-list.js';
import { NEW_RUN, requireRun, requireStep, savedRun, savedStep, UNANSWERED } from './fake-run-rules.js';
import type { StepUnderHalt, RunFilter, RunRepository, WantedTargets } from './run.repository.js';

interface Lock extends WaitingOn {
  readonly environmentId: EnvironmentId;
}

/** Runs in memory. */
export class FakeRunRepository implements RunRepository {
  readonly #runs: FakeTable<Run>;
  readonly #forged: FakeTable<true>;
  readonly #steps: FakeTable<RunStep>;
  readonly #attempts: FakeTable<StepAttempt>;
  readonly #events: FakeTable<RunEvent>;
  readonly #health: FakeTable<HealthResult & { readonly runId: RunId; readonly id: string }>;
  readonly #locks: FakeTable<Lock>;

  /** @param planOf the facts of a plan; undefined for an unknown plan. */
  constructor(
    database: FakeUnitOfWork,
    private readonly planOf: (id: PlanId) => PlanOfRun | undefined = () => undefined,
  ) {
    this.#runs = new FakeTable(database);
    this.#forged = new FakeTable(database);
    this.#steps = new FakeTable(database);
    this.#attempts = new FakeTable(database);
    this.#events = new FakeTable(database);
    this.#health = new FakeTable(database);
    this.#locks = new FakeTable(database);
  }

  /** From now on the run is none that Countersign made. */
  forge(tx: Tx, id: RunId): void {
    this.#forged.of(tx).set(id, true);
  }

  async insert(tx: Tx, run: QueuedRun, steps: readonly PendingStep[]): Promise<void> {
    const created = { ...run, ...NEW_RUN };
    requireRun('', created);
    if ((await this.findLive(tx, run.taskId)) !== null) fail(alreadyLive);
    this.#runs.of(tx).set(run.id, created);
    await this.insertSteps(tx, steps);
  }

  find(tx: Tx, id: RunId): Promise<Run | null> {
    return Promise.resolve(this.#runs.of(tx).get(id) ?? null);
  }

  lock(tx: Tx, id: RunId): Promise<Run | null> {
    return this.find(tx, id);
  }

  lockToAdvance(tx: Tx, id: RunId): Promise<Run | null> {
    if (this.#forged.of(tx).has(id)) fail(notAuthentic);
    return this.find(tx, id);
  }

  findLive(tx: Tx, taskId: TaskId): Promise<LiveRun | null> {
    const ofTask = this.#where(tx, (run) => run.taskId === taskId);
    return Promise.resolve(ofTask.find((run) => !isEnded(run)) ?? null);
  }

  list(tx: Tx, filter: RunFilter, { after, limit }: PageRequest): Promise<readonly Run[]> {
    const newestFirst = this.#where(tx, (run) => matches(run, this.planOf(run.planId), filter))
      .toSorted(by((run) => [run.createdAt, run.id]))
      .reverse();
    const rest = newestFirst.filter(
      ({ createdAt, id }) =>
        after === null || createdAt < after.at || (createdAt === after.at && (id as string) < after.id),
    );
    return Promise.resolve(rest.slice(0, limit));
  }

  ofPlan(tx: Tx, planId: PlanId): Promise<readonly Run[]> {
    return Promise.resolve(
      this.#where(tx, (run) => run.planId === planId).toSorted(by((run) => [run.createdAt, run.id])),
    );
  }

  save(tx: Tx, run: Run): Promise<void> {
    const before = this.#runs.of(tx).get(run.id);
    if (before === undefined) return Promise.resolve();
    const after = savedRun(before, run);
    requireRun(before.state, after);
    this.#runs.of(tx).set(run.id, after);
    return Promise.resolve();
  }

  steps(tx: Tx, runId: RunId): Promise<readonly RunStep[]> {
    return Promise.resolve(this.#stepsOf(tx, runId).toSorted(by((step) => [step.position, step.healthRound])));
  }

  async stepsAhead(tx: Tx, runId: RunId): Promise<readonly RunStep[]> {
    const steps = await this.steps(tx, runId);
    const healthy = (await this.healthResults(tx, runId)).filter(({ verdict }) => verdict === 'healthy');
    const next = steps.find((step) => !healthy.some((result) => ofBatch(step, result)));
    const batch = next === undefined ? [] : steps.filter((step) => ofBatch(step, next));
    const waiting = batch.filter(({ kind, state }) => kind === 'call' && state !== 'succeeded').slice(0, 2);
    const wanted = (step: RunStep): boolean =>
      waiting.length === 0 || (waiting.length === 1 && step.kind === 'health_check');
    return steps.filter(
      (step) =>
        step.leaseUntil !== null ||
        step.state === 'unknown' ||
        waiting.includes(step) ||
        (batch.includes(step) && wanted(step)),
    );
  }

  async lockInFlight(tx: Tx, { id, fence }: Pick<RunStep, 'id' | 'runId' | 'fence'>): Promise<number | null> {
    const step = await this.findStep(tx, id);
    return step?.fence === fence ? step.leaseUntil : null;
  }

  findStep(tx: Tx, id: RunStepId): Promise<RunStep | null> {
    return Promise.resolve(this.#steps.of(tx).get(id) ?? null);
  }

  insertSteps(tx: Tx, steps: readonly PendingStep[]): Promise<void> {
    for (const step of steps) {
      const created = { ...step, ...UNTOUCHED };
      requireStep('', created);
      const taken = this.#stepsOf(tx, step.runId).some(
        ({ position, healthRound }) => position === step.position && healthRound === step.healthRound,
      );
      if (taken) throw new FakeRefusal('23505', 'run_step_position_key');
      this.#steps.of(tx).set(step.id, created);
    }
    return Promise.resolve();
  }

  saveStep(tx: Tx, step: RunStep): Promise<void> {
    const before = this.#steps.of(tx).get(step.id);
    if (before === undefined) return Promise.resolve();
    const after = savedStep(before, step);
    requireStep(before.state, after);
    this.#steps.of(tx).set(step.id, after);
    return Promise.resolve();
  }

  insertAttempt(tx: Tx, attempt: InFlightAttempt): Promise<void> {
    const { stepId, purpose, number } = attempt;
    const taken = this.#attemptsWhere(
      tx,
      (other) => other.stepId === stepId && other.purpose === purpose && other.number === number,
    );
    if (taken.length > 0) throw new FakeRefusal('23505', 'step_attempt_number_key');
    this.#attempts.of(tx).set(attempt.id, { ...attempt, ...UNANSWERED });
    return Promise.resolve();
  }

  attempts(tx: Tx, runId: RunId): Promise<readonly StepAttempt[]> {
    return Promise.resolve(this.#attemptsWhere(tx, (attempt) => attempt.runId === runId));
  }

  findAttempt(tx: Tx, id: AttemptId): Promise<StepAttempt | null> {
    return Promise.resolve(this.#attempts.of(tx).get(id) ?? null);
  }

  latestAttempt(tx: Tx, stepId: RunStepId, purpose: StepAttempt['purpose']): Promise<StepAttempt | null> {
    const all = this.#attemptsWhere(tx, (attempt) => attempt.stepId === stepId && attempt.purpose === purpose);
    return Promise.resolve(all.toSorted(by((attempt) => [attempt.number])).at(-1) ?? null);
  }

  failedHalfway(tx: Tx, runId: RunId): Promise<ReadonlySet<string>> {
    const halfway = this.#attemptsWhere(tx, (attempt) => {
      if (attempt.runId !== runId || attempt.purpose !== 'call') return false;
      if (attempt.outcome === 'failed') return attempt.effect !== 'not_started';
      const step = this.#steps.of(tx).get(attempt.stepId);
      return attempt.outcome === 'unknown' && step?.idempotent === true && step.resolvedAs !== 'did_not';
    });
    return Promise.resolve(new Set(halfway.map(({ stepId }) => stepId)));
  }

  finishAttempt(tx: Tx, { id }: InFlightAttempt, result: AttemptResult): Promise<FinishedAttempt> {
    const attempt = this.#attempts.of(tx).get(id);
    if (attempt === undefined || isFinishedAttempt(attempt))
      throw new FakeRefusal('CS001', 'step_attempt is not in flight any more');
    const finished = { ...attempt, ...result };
    this.#attempts.of(tx).set(id, finished);
    return Promise.resolve(finished);
  }

  keepLate(tx: Tx, id: AttemptId, lateResult: Json, lateAt: number): Promise<void> {
    const attempt = this.#attempts.of(tx).get(id);
    if (attempt?.lateAt === null) this.#attempts.of(tx).set(id, { ...attempt, lateResult, lateAt });
    return Promise.resolve();
  }

  healthCheckResults(
    tx: Tx,
    runId: RunId,
    batch: { readonly phaseIndex: number; readonly batchIndex: number; readonly healthRound: number },
  ): Promise<ReadonlyMap<string, Json>> {
    const checks = this.#stepsOf(tx, runId).filter((step) => step.kind === 'health_check' && ofRound(step, batch));
    const results = checks.flatMap(({ id, stepId }) =>
      this.#attemptsWhere(tx, (attempt) => attempt.stepId === id && attempt.outcome === 'succeeded')
        .toSorted(by((attempt) => [attempt.number]))
        .map((attempt) => [stepId, attempt.result] as const),
    );
    return Promise.resolve(new Map(results));
  }

  insertHealthResult(tx: Tx, runId: RunId, id: string, result: HealthResult): Promise<void> {
    const rows = this.#health.of(tx);
    if ([...rows.values()].some((other) => other.runId === runId && ofRound(other, result)))
      throw new FakeRefusal('23505', 'health_result_round_key');
    rows.set(id, { ...result, runId, id });
    return Promise.resolve();
  }

  healthResults(tx: Tx, runId: RunId): Promise<readonly HealthResult[]> {
    const rows = [...this.#health.of(tx).values()].filter((result) => result.runId === runId);
    const inOrder = rows.toSorted(by((result) => [result.evaluatedAt, result.id]));
    return Promise.resolve(inOrder.map(({ runId: _run, id: _id, ...result }) => result));
  }

  appendEvent(tx: Tx, runId: RunId, event: RunEvent): Promise<void> {
    const key = `${runId}/${String(event.seq)}`;
    if (this.#events.of(tx).has(key)) throw new FakeRefusal('23505', 'run_event_pk');
    this.#events.of(tx).set(key, event);
    return Promise.resolve();
  }

  events(tx: Tx, runId: RunId, afterSeq: number, limit: number): Promise<readonly RunEvent[]> {
    const all = [...this.#events.of(tx)].flatMap(([key, event]) => (key.startsWith(`${runId}/`) ? [event] : []));
    const after = all.filter(({ seq }) => seq > afterSeq).toSorted(by(({ seq }) => [seq]));
    return Promise.resolve(after.slice(0, limit));
  }

  acquireTargets(tx: Tx, run: Run, { targets, whole }: WantedTargets): Promise<WaitingOn | null> {
    const locks = this.#locks.of(tx);
    const held = [...locks.values()]
      .filter(({ environmentId, runId }) => environmentId === run.environmentId && runId !== run.id)
      .toSorted(by(({ target }) => [target]))
      .find(({ target }) => targets.includes(whole) || targets.includes(target) || target === whole);
    if (held !== undefined) return Promise.resolve({ target: held.target, runId: held.runId });
    const { environmentId } = run;
    for (const target of targets) locks.set(`${environmentId}/${target}`, { environmentId, target, runId: run.id });
    return Promise.resolve(null);
  }

  releaseTargets(tx: Tx, run: Run): Promise<readonly RunId[]> {
    const locks = this.#locks.of(tx);
    for (const [key, { runId }] of [...locks]) if (runId === run.id) locks.delete(key);
    const waiting = this.#where(
      tx,
      ({ environmentId, waitingOn }) => environmentId === run.environmentId && waitingOn !== null,
    );
    return Promise.resolve(waiting.map(({ id }) => id).toSorted());
  }

  /** Whether the canary phases of this plan have run to their end. In the database, the facts of an approval read that. */
  canaryCompleted(tx: Tx, planId: PlanId): Promise<boolean> {
    const completed = (run: Run): boolean =>
      run.planId === planId && run.phases === 'canary' && run.state === 'completed';
    return Promise.resolve(this.#where(tx, completed).length > 0);
  }

  inFlight(tx: Tx, target: HaltTarget): Promise<readonly StepUnderHalt[]> {
    const inFlight = this.#attemptsWhere(tx, (attempt) => {
      const [run, step] = [this.#runs.of(tx).get(attempt.runId), this.#steps.of(tx).get(attempt.stepId)];
      return (
        run !== undefined && this.#covers(tx, target, run) && step?.leaseUntil != null && step.fence === attempt.fence
      );
    });
    return Promise.resolve(
      inFlight.flatMap(({ runId, stepId: id, number, targets, dispatchedAt }) => {
        const step = this.#steps.of(tx).get(id);
        if (step === undefined) return [];
        const { stepId, toolName, toolVersion, state } = step;
        const tool = `${toolName}@${String(toolVersion)}`;
        return [{ runId, stepId, tool, attempt: number, targets, state, dispatchedAt }];
      }),
    );
  }

  liveRuns(tx: Tx, target: HaltTarget): Promise<readonly RunId[]> {
    const live = this.#where(tx, (run) => run.finishedAt === null && this.#covers(tx, target, run));
    return Promise.resolve(live.map(({ id }) => id).toSorted());
  }

  #where(tx: Tx, wanted: (run: Run) => boolean): Run[] {
    return [...this.#runs.of(tx).values()].filter(wanted);
  }

  #stepsOf(tx: Tx, runId: RunId): RunStep[] {
    return [...this.#steps.of(tx).values()].filter((step) => step.runId === runId);
  }

  /** In order of dispatch. */
  #attemptsWhere(tx: Tx, wanted: (attempt: StepAttempt) => boolean): StepAttempt[] {
    const found = [...this.#attempts.of(tx).values()].filter(wanted);
    return found.toSorted(by((attempt) => [attempt.dispatchedAt, attempt.id]));
  }

  #covers(tx: Tx, target: HaltTarget, run: Run): boolean {
    switch (target.kind) {
      case 'tenant':
        return true;
      case 'environment':
        return run.environmentId === target.environmentId;
      case 'agent':
        return [this.planOf(run.planId)?.agentId, this.planOf(run.planId)?.taskAgentId].includes(target.agentId);
      case 'tool':
        return this.#stepsOf(tx, run.id).some(
          ({ toolName, state }) => toolName === target.tool && STILL_TO_CALL.has(state),
        );
    }
  }
}

type Batch = Pick<RunStep, 'phaseIndex' | 'batchIndex'>;
const ofBatch = (row: Batch, { phaseIndex, batchIndex }: Batch): boolean =>
  row.phaseIndex === phaseIndex && row.batchIndex === batchIndex;

type Round = Pick<HealthResult, 'phaseIndex' | 'batchIndex' | 'healthRound'>;
const ofRound = (row: Round, { phaseIndex, batchIndex, healthRound }: Round): boolean =>
  row.phaseIndex === phaseIndex && row.batchIndex === batchIndex && row.healthRound === healthRound;

const STILL_TO_CALL: ReadonlySet<RunStep['state']> = new Set(['pending', 'dispatched', 'failed', 'unknown']);

const alreadyLive = {
  kind: 'conflict',
  code: 'run.already_live',
  message: 'This task has a run that has not ended.',
} as const;

const notAuthentic = {
  kind: 'forbidden',
  code: 'record.not_authentic',
  message: 'A stored record (run) was not written by Countersign, or was changed since.',
} as const;
