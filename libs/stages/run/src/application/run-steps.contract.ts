import { newId } from '#lib/kernel';
import { ATTEMPT_TRANSITIONS } from '../domain/attempt-transitions.js';
import type { RunStepId } from '../domain/ids.js';
import type { PendingStep, RunStep, StepFacts } from '../domain/run-step.js';
import { refusalOf, undone } from './fake-refusal-of.js';
import { sampleHealth, sampleRun, sampleStep, stepIn } from './fake-run-samples.js';
import type { RunContract } from './fake-run-contract.js';

export function describeSteps(contract: () => RunContract): void {
  describe('a step', () => {
    it('is read in the order of positions, and of rounds within one', async () => {
      const { runs, tx, plan } = contract();
      const run = sampleRun(await plan());
      const check = { kind: 'health_check', position: 2, stepId: 'web' } as const;
      const steps = [
        sampleStep(run, { ...check, healthRound: 1 }),
        sampleStep(run, { position: 3, stepId: 'last', seq: 2 }),
        sampleStep(run, { position: 1, stepId: 'first', compensationIdempotent: true, idempotent: true }),
      ];
      const again = sampleStep(run, { ...check, healthRound: 2 });
      await tx((open) => runs.insert(open, run, steps));
      await tx((open) => runs.insertSteps(open, [again]));
      expect(await tx((open) => runs.steps(open, run.id))).toEqual([steps[2], steps[0], again, steps[1]]);
    });

    it('is found by its id, within its tenant', async () => {
      const { runs, tx, uow, other, plan } = contract();
      const run = sampleRun(await plan());
      const step = sampleStep(run);
      await tx((open) => runs.insert(open, run, [step]));
      expect(await tx((open) => runs.findStep(open, step.id))).toEqual(step);
      expect(await tx((open) => runs.findStep(open, newId<RunStepId>()))).toBeNull();
      expect(await uow.run(other.tenantId, (open) => runs.findStep(open, step.id))).toBeNull();
    });

    it('is in flight under its latest fence alone, until the end of its lease', async () => {
      const { runs, tx, uow, other, plan } = contract();
      const run = sampleRun(await plan());
      const step = sampleStep(run);
      await tx((open) => runs.insert(open, run, [step]));
      expect(await tx((open) => runs.lockInFlight(open, step))).toBeNull();
      const inFlight = stepIn({ ...step, fence: 2, attempts: 2 }, 'dispatched');
      await tx((open) => runs.saveStep(open, inFlight));
      expect(await tx((open) => runs.lockInFlight(open, inFlight))).toBe(inFlight.leaseUntil);
      expect(await tx((open) => runs.lockInFlight(open, { ...inFlight, fence: 1 }))).toBeNull();
      expect(await uow.run(other.tenantId, (open) => runs.lockInFlight(open, inFlight))).toBeNull();
    });

    it('is ahead in the first batch that was not found healthy, or while it is in flight or unknown', async () => {
      const { runs, tx, plan } = contract();
      const run = sampleRun(await plan());
      const batches = [
        [0, 0],
        [0, 1],
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const;
      const steps = batches.map(([phaseIndex, batchIndex], index) =>
        sampleStep(run, { phaseIndex, batchIndex, position: index + 1, seq: index + 1 }),
      );
      await tx((open) => runs.insert(open, run, steps));
      const ahead = async () => (await tx((open) => runs.stepsAhead(open, run.id))).map(({ position }) => position);
      const judge = (phaseIndex: number, batchIndex: number, verdict: 'healthy' | 'unclear') =>
        tx((open) => runs.insertHealthResult(open, run.id, newId(), sampleHealth({ phaseIndex, batchIndex, verdict })));
      expect(await ahead()).toEqual([1]);
      await judge(0, 0, 'healthy');
      expect(await ahead()).toEqual([2, 3]);
      await judge(0, 1, 'unclear');
      expect(await ahead()).toEqual([2, 3]);
      await tx((open) =>
        runs.insertHealthResult(open, run.id, newId(), sampleHealth({ batchIndex: 1, healthRound: 2 })),
      );
      expect(await ahead()).toEqual([4]);
      const last = steps[4] ?? sampleStep(run);
      await tx((open) => runs.saveStep(open, stepIn({ ...last, fence: 1, attempts: 1 }, 'dispatched')));
      expect(await ahead()).toEqual([4, 5]);
      await tx((open) => runs.saveStep(open, stepIn({ ...last, fence: 1, attempts: 1 }, 'unknown')));
      expect(await ahead()).toEqual([4, 5]);
      await judge(1, 0, 'healthy');
      await judge(1, 1, 'healthy');
      expect(await ahead()).toEqual([5]);
    });

    it('is ahead with the next call, with the health checks if it is last, and with its batch once called', async () => {
      const { runs, tx, plan } = contract();
      const run = sampleRun(await plan());
      const calls = [1, 2, 3].map((position) => sampleStep(run, { position, seq: position }));
      const check = sampleStep(run, { position: 4, seq: 3, kind: 'health_check', healthRound: 1 });
      await tx((open) => runs.insert(open, run, [...calls, check]));
      const seen: number[][] = [];
      const look = async () =>
        seen.push((await tx((open) => runs.stepsAhead(open, run.id))).map(({ position }) => position));
      await look();
      for (const call of calls) {
        await tx((open) => runs.saveStep(open, stepIn({ ...call, fence: 1, attempts: 1 }, 'dispatched')));
        await look();
        await tx((open) => runs.saveStep(open, stepIn({ ...call, fence: 1, attempts: 1 }, 'succeeded')));
        await look();
      }
      expect(seen).toEqual([
        [1, 2],
        [1, 2],
        [2, 3],
        [2, 3],
        [3, 4],
        [3, 4],
        [1, 2, 3, 4],
      ]);
    });

    it('begins untouched, also as a copy of a finished one', async () => {
      const { runs, tx, plan } = contract();
      const run = sampleRun(await plan());
      const first = sampleStep(run, { kind: 'health_check', healthRound: 1 });
      await tx((open) => runs.insert(open, run, [first]));
      const tried: PendingStep = {
        ...first,
        id: newId<RunStepId>(),
        healthRound: 2,
        attempts: 1,
        failures: 1,
        fence: 1,
        error: { code: 'tool.broken', message: 'broken' },
      };
      await tx((open) => runs.insertSteps(open, [tried]));
      const [, second] = await tx((open) => runs.steps(open, run.id));
      expect(second).toEqual({ ...first, id: tried.id, healthRound: 2 });
    });

    it('has a position of its own within its round', async () => {
      const { runs, tx, queued } = contract();
      const run = await queued();
      await expect(tx((open) => runs.insertSteps(open, [sampleStep(run)]))).rejects.toMatchObject({ code: '23505' });
    });

    it('changes its progress, and never its call', async () => {
      const { runs, tx, plan } = contract();
      const run = sampleRun(await plan());
      const step = sampleStep(run);
      await tx((open) => runs.insert(open, run, [step]));
      const counts = { attempts: 1, compensations: 2, failures: 3, fence: 4, resolvedAs: 'did_not' as const };
      const states: readonly RunStep[] = [
        { ...stepIn(step, 'dispatched'), ...counts, leaseUntil: 5_000, error: { code: 'tool.broken', message: 'one' } },
        { ...stepIn(step, 'succeeded'), ...counts, finishedAt: 7_000 },
        {
          ...stepIn(step, 'compensating'),
          ...counts,
          leaseUntil: null,
          retryAt: 6_000,
          error: { code: 'a.b', message: 'two' },
        },
      ];
      for (const next of states) {
        await tx((open) =>
          runs.saveStep(open, {
            ...next,
            toolName: 'undeploy',
            seq: 9,
            idempotent: true,
            position: 9,
            onFailure: 'retry',
          }),
        );
        expect(await tx((open) => runs.steps(open, run.id))).toEqual([next]);
      }
    });

    it('changes its state only along its lifecycle', async () => {
      const { runs, tx, plan } = contract();
      const states = Object.keys(WAYS) as RunStep['state'][];
      const run = sampleRun(await plan());
      const steps = states.map((_state, index) => sampleStep(run, { position: index + 1 }));
      await tx((open) => runs.insert(open, run, steps));
      for (const [index, state] of states.entries()) {
        const step = steps[index] ?? sampleStep(run);
        for (const next of WAYS[state]) await tx((open) => runs.saveStep(open, stepIn(step, next)));
        const accepted: string[] = [];
        for (const next of states) {
          const refusal = await refusalOf(tx((open) => undone(open, runs.saveStep(open, stepIn(step, next)))));
          if (refusal === 'accepted') accepted.push(next);
          else expect([state, next, refusal]).toEqual([state, next, 'CS002']);
        }
        const legal = ATTEMPT_TRANSITIONS.filter(([from]) => from === state).map(([, , to]) => to);
        expect(accepted.sort()).toEqual([...new Set([state, ...legal])].sort());
      }
    });

    it.each<Partial<StepFacts>>([{ kind: 'health_check' }, { healthRound: 1 }])(
      'has a round if it is a health check, and only then: %o',
      async (changes) => {
        const { runs, tx, queued } = contract();
        const run = await queued({}, () => []);
        await expect(tx((open) => runs.insertSteps(open, [sampleStep(run, changes)]))).rejects.toMatchObject({
          code: '23514',
        });
      },
    );
  });
}

/** How a step comes to each state. */
const WAYS: Readonly<Record<RunStep['state'], readonly RunStep['state'][]>> = {
  pending: [],
  dispatched: ['dispatched'],
  succeeded: ['dispatched', 'succeeded'],
  failed: ['dispatched', 'failed'],
  unknown: ['dispatched', 'unknown'],
  compensating: ['dispatched', 'succeeded', 'compensating'],
  compensated: ['dispatched', 'succeeded', 'compensating', 'compensated'],
  compensation_failed: ['dispatched', 'succeeded', 'compensating', 'compensation_failed'],
};
