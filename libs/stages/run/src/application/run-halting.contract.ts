import type { HaltTarget } from '#lib/halt';
import { type AgentId, newId } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import { runIn, sampleAttempt, sampleRun, sampleStep, stepIn } from './fake-run-samples.js';
import type { PlanSample, RunContract } from './fake-run-contract.js';

export function describeHalting(contract: () => RunContract): void {
  /** A run with a step in that state, under fence 2: of two attempts the second is in flight. */
  async function withStep(
    state: RunStep['state'],
    toolName: string,
    sample?: PlanSample,
  ): Promise<{ readonly run: Run; readonly step: RunStep }> {
    const { runs, tx, plan } = contract();
    const run = sampleRun(await plan(sample));
    const step = sampleStep(run, { toolName, toolVersion: 3 });
    await tx(async (open) => {
      await runs.insert(open, run, [step]);
      for (const next of state === 'pending' ? [] : (['dispatched', state] as const)) {
        await runs.saveStep(open, { ...stepIn(step, next), fence: 2 });
      }
      await runs.insertAttempt(open, sampleAttempt(run, step, { dispatchedAt: 1_000 }));
      await runs.insertAttempt(open, sampleAttempt(run, step, { number: 2, fence: 2, dispatchedAt: 2_000 }));
    });
    return { run, step };
  }

  const covered = async (
    target: HaltTarget,
    among: readonly Run[],
  ): Promise<{ readonly live: readonly number[]; readonly inFlight: readonly number[] }> => {
    const { runs, tx } = contract();
    const index = (id: Run['id']): number => among.findIndex((run) => run.id === id);
    const live = await tx((open) => runs.liveRuns(open, target));
    const inFlight = await tx((open) => runs.inFlight(open, target));
    return {
      live: live.map(index).filter((position) => position >= 0),
      inFlight: inFlight.map(({ runId }) => index(runId)).filter((position) => position >= 0),
    };
  };

  describe('a halt', () => {
    it('finds the runs that it covers, and those of their calls that are in flight', async () => {
      const { home } = contract();
      const runs = [
        await withStep('dispatched', 'halted_tool'),
        await withStep('pending', 'halted_tool', { submitter: home.owner }),
        await withStep('dispatched', 'other_tool', { environment: home.production, submitter: home.owner }),
        await withStep('succeeded', 'halted_tool'),
      ].map(({ run }) => run);
      const { environmentId } = runs[2] ?? { environmentId: home.production.id };
      expect(await covered({ kind: 'tenant' }, runs)).toEqual({ live: [0, 1, 2, 3], inFlight: [0, 2] });
      expect(await covered({ kind: 'environment', environmentId, environment: 'production' }, runs)).toEqual({
        live: [2],
        inFlight: [2],
      });
      expect(await covered({ kind: 'agent', agentId: home.agent.agentId }, runs)).toEqual({
        live: [0, 3],
        inFlight: [0],
      });
      expect(await covered({ kind: 'agent', agentId: newId<AgentId>() }, runs)).toEqual({ live: [], inFlight: [] });
      // A run that has called the tool already has no call left to stop.
      expect(await covered({ kind: 'tool', tool: 'halted_tool' }, runs)).toEqual({ live: [0, 1], inFlight: [0] });
    });

    it('of an agent finds the runs of its tasks, of which a person submitted the plan', async () => {
      const { home } = contract();
      const { run } = await withStep('dispatched', 'agents_tool', {
        submitter: home.owner,
        taskSubmitter: home.agent,
      });
      const target: HaltTarget = { kind: 'agent', agentId: home.agent.agentId };
      expect(await covered(target, [run])).toEqual({ live: [0], inFlight: [0] });
    });

    it('lists the dispatched attempt and its tool', async () => {
      const { runs, tx, uow, other } = contract();
      const { run, step } = await withStep('dispatched', 'told_tool');
      const target: HaltTarget = { kind: 'tool', tool: 'told_tool' };
      expect(await tx((open) => runs.inFlight(open, target))).toEqual([
        {
          runId: run.id,
          stepId: step.stepId,
          tool: 'told_tool@3',
          attempt: 2,
          targets: ['host-1'],
          state: 'dispatched',
          dispatchedAt: 2_000,
        },
      ]);
      expect(await uow.run(other.tenantId, (open) => runs.inFlight(open, target))).toEqual([]);
    });

    it('covers no run that has ended', async () => {
      const { runs, tx } = contract();
      const { run } = await withStep('pending', 'ended_tool');
      await tx((open) => runs.save(open, runIn(run, 'cancelled')));
      expect(await tx((open) => runs.liveRuns(open, { kind: 'tool', tool: 'ended_tool' }))).toEqual([]);
    });
  });
}
