import type { Json } from '#lib/canonical';
import { newId } from '#lib/kernel';
import type { AttemptId, RunStepId } from '../domain/ids.js';
import type { Run } from '../domain/run.js';
import type { PendingStep, RunStep, StepFacts } from '../domain/run-step.js';
import { type AttemptFacts, type AttemptResult, givenUpAttempt, type InFlightAttempt } from '../domain/step-attempt.js';
import { sampleAttempt, sampleHealth, sampleRun, sampleStep, stepIn } from './fake-run-samples.js';
import type { RunContract } from './fake-run-contract.js';

export function describeAttempts(contract: () => RunContract): void {
  /** A run with these steps, each a call unless it says otherwise. */
  async function withSteps(...changes: Partial<StepFacts>[]): Promise<{ run: Run; steps: readonly PendingStep[] }> {
    const { runs, tx, plan } = contract();
    const run = sampleRun(await plan());
    const steps = changes.map((each, index) => sampleStep(run, { position: index + 1, ...each }));
    await tx((open) => runs.insert(open, run, steps));
    return { run, steps };
  }

  async function attempted(
    run: Run,
    step: RunStep | undefined,
    changes: Partial<AttemptFacts>,
    result?: AttemptResult,
  ): Promise<InFlightAttempt> {
    const { runs, tx } = contract();
    const attempt = sampleAttempt(run, step ?? sampleStep(run), changes);
    await tx((open) => runs.insertAttempt(open, attempt));
    if (result !== undefined) await tx((open) => runs.finishAttempt(open, attempt, result));
    return attempt;
  }

  describe('an attempt', () => {
    it('is found by id, by run in order of dispatch, and by step as the latest of its purpose', async () => {
      const { runs, tx } = contract();
      const { run, steps } = await withSteps({}, {});
      const [first, second] = steps;
      if (first === undefined) throw new Error('no step');
      const late = await attempted(run, second, { dispatchedAt: 3_000, agentId: null });
      const call = await attempted(run, first, { dispatchedAt: 1_000 });
      const again = await attempted(run, first, { number: 2, fence: 2, dispatchedAt: 2_000, executorVersion: 2 });
      const undo = await attempted(run, first, { purpose: 'compensation', fence: 3, dispatchedAt: 4_000, targets: [] });
      expect(await tx((open) => runs.attempts(open, run.id))).toEqual([call, again, late, undo]);
      expect(await tx((open) => runs.findAttempt(open, call.id))).toEqual(call);
      expect(await tx((open) => runs.latestAttempt(open, first.id, 'call'))).toEqual(again);
      expect(await tx((open) => runs.latestAttempt(open, first.id, 'compensation'))).toEqual(undo);
    });

    it('that is not there is null, and so is one of another tenant', async () => {
      const { runs, tx, uow, other } = contract();
      const { run, steps } = await withSteps({});
      const attempt = await attempted(run, steps[0], {});
      expect(await tx((open) => runs.findAttempt(open, newId<AttemptId>()))).toBeNull();
      expect(await tx((open) => runs.latestAttempt(open, newId<RunStepId>(), 'call'))).toBeNull();
      expect(await uow.run(other.tenantId, (open) => runs.findAttempt(open, attempt.id))).toBeNull();
      expect(await uow.run(other.tenantId, (open) => runs.attempts(open, run.id))).toEqual([]);
    });

    it('is answered once: then as it stands, and afterwards null', async () => {
      const { runs, tx } = contract();
      const { run, steps } = await withSteps({});
      const attempt = await attempted(run, steps[0], {});
      const finish = () => tx((open) => runs.finishAttempt(open, attempt, SUCCEEDED));
      expect(await finish()).toEqual({ ...attempt, ...SUCCEEDED });
      await expect(finish()).rejects.toMatchObject({ code: 'CS001' });
    });

    it('has a number of its own within step and purpose', async () => {
      const { run, steps } = await withSteps({});
      await attempted(run, steps[0], {});
      await expect(attempted(run, steps[0], {})).rejects.toMatchObject({ code: '23505' });
    });

    it('is answered once', async () => {
      const { runs, tx } = contract();
      const { run, steps } = await withSteps({});
      const attempt = await attempted(run, steps[0], {}, LOST);
      await expect(tx((open) => runs.finishAttempt(open, attempt, SUCCEEDED))).rejects.toMatchObject({ code: 'CS001' });
      expect(await tx((open) => runs.findAttempt(open, attempt.id))).toEqual({
        ...attempt,
        ...LOST,
      });
    });

    it('keeps one late answer beside its result', async () => {
      const { runs, tx } = contract();
      const { run, steps } = await withSteps({});
      const attempt = await attempted(run, steps[0], {}, LOST);
      await tx((open) => runs.keepLate(open, attempt.id, { kind: 'succeeded' }, 9_000));
      await tx((open) => runs.keepLate(open, attempt.id, { kind: 'failed' }, 9_500));
      expect(await tx((open) => runs.findAttempt(open, attempt.id))).toMatchObject({
        outcome: 'unknown',
        lateResult: { kind: 'succeeded' },
        lateAt: 9_000,
      });
    });

    it('that failed tells whether it may have changed something', async () => {
      const { runs, tx } = contract();
      const { run, steps } = await withSteps({}, {}, { idempotent: true }, { idempotent: true }, {}, {});
      const [refused, changed, retried, cleared, lost, undone] = steps;
      await attempted(run, refused, {}, failed('not_started'));
      await attempted(run, changed, {}, failed('done'));
      await attempted(run, retried, {}, LOST);
      await attempted(run, cleared, {}, LOST);
      if (cleared !== undefined)
        await tx((open) => runs.saveStep(open, { ...cleared, resolvedAs: 'did_not', fence: 1 }));
      await attempted(run, lost, {}, LOST);
      await attempted(run, undone, { purpose: 'compensation' }, failed('done'));
      const halfway = await tx((open) => runs.failedHalfway(open, run.id));
      expect([...halfway].sort()).toEqual([changed, retried].map((step) => step?.id).sort());
    });
  });

  describe('health', () => {
    const check = { kind: 'health_check', healthRound: 1, stepId: 'web' } as const;

    it('is told by the last success of each check of the batch and the round', async () => {
      const { runs, tx } = contract();
      const { run, steps } = await withSteps(
        check,
        { ...check, stepId: 'db' },
        { ...check, stepId: 'web', batchIndex: 1 },
        { ...check, stepId: 'queue' },
        {},
      );
      const [web, db, elsewhere, queue, call] = steps;
      const again = sampleStep(run, { ...check, position: 1, healthRound: 2 });
      await tx((open) => runs.insertSteps(open, [again]));
      await attempted(run, web, {}, succeeded(1));
      await attempted(run, web, { number: 2 }, succeeded(2));
      await attempted(run, db, {}, succeeded(null));
      await attempted(run, elsewhere, {}, succeeded(3));
      await attempted(run, queue, {}, failed('done'));
      await attempted(run, call, {}, succeeded(4));
      await attempted(run, again, {}, succeeded(5));
      const round = { phaseIndex: 0, batchIndex: 0 };
      const first = await tx((open) => runs.healthCheckResults(open, run.id, { ...round, healthRound: 1 }));
      expect(Object.fromEntries(first)).toEqual({ web: 2, db: null });
      const second = await tx((open) => runs.healthCheckResults(open, run.id, { ...round, healthRound: 2 }));
      expect(Object.fromEntries(second)).toEqual({ web: 5 });
    });

    it('is judged once a round, and read in that order', async () => {
      const { runs, tx } = contract();
      const { run } = await withSteps({});
      const unclear = sampleHealth({ verdict: 'unclear', metrics: {}, evaluatedAt: 2_000 });
      const healthy = sampleHealth({ healthRound: 2, evaluatedAt: 1_000, condition: null });
      const judge = (result: typeof healthy): Promise<void> =>
        tx((open) => runs.insertHealthResult(open, run.id, newId(), result));
      await judge(unclear);
      await judge(healthy);
      await expect(judge(healthy)).rejects.toMatchObject({ code: '23505' });
      expect(await tx((open) => runs.healthResults(open, run.id))).toEqual([healthy, unclear]);
    });
  });

  it('leaves a step as it is: attempts and steps are saved apart', async () => {
    const { runs, tx } = contract();
    const { run, steps } = await withSteps({});
    await attempted(run, steps[0], {}, SUCCEEDED);
    const [step] = await tx((open) => runs.steps(open, run.id));
    expect(step).toEqual(steps[0] === undefined ? undefined : stepIn(steps[0], 'pending'));
  });
}

const BROKEN = { code: 'tool.broken', message: 'broken' };

const succeeded = (result: Json): AttemptResult => ({
  finishedAt: 8_000,
  outcome: 'succeeded',
  effect: null,
  result,
  error: null,
});
const SUCCEEDED = succeeded({ ok: true });

const failed = (effect: 'not_started' | 'done'): AttemptResult => ({
  finishedAt: 8_000,
  outcome: 'failed',
  effect,
  result: null,
  error: BROKEN,
});

const LOST = givenUpAttempt(BROKEN, 8_000);
