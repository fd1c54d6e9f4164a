import type { QueuedRun, Run, WaitingOn } from '../domain/run.js';
import { sampleRun } from './fake-run-samples.js';
import type { PlanSample, RunContract } from './fake-run-contract.js';

const WHOLE = 'environment:staging';

export function describeTargets(contract: () => RunContract): void {
  async function aRun(sample?: PlanSample): Promise<QueuedRun> {
    const { runs, tx, plan } = contract();
    const run = sampleRun(await plan(sample));
    await tx((open) => runs.insert(open, run, []));
    return run;
  }

  const acquire = (run: Run, ...targets: string[]): Promise<WaitingOn | null> => {
    const { runs, tx } = contract();
    return tx((open) => runs.acquireTargets(open, run, { targets, whole: WHOLE, at: 1_000 }));
  };

  const release = (run: Run): Promise<readonly Run['id'][]> => {
    const { runs, tx } = contract();
    return tx((open) => runs.releaseTargets(open, run));
  };

  describe('targets', () => {
    it('are held by one run at a time, all of them or none', async () => {
      const [first, second, third] = [await aRun(), await aRun(), await aRun()];
      expect(await acquire(first, 'a', 'b')).toBeNull();
      expect(await acquire(second, 'b', 'c')).toEqual({ target: 'b', runId: first.id });
      // The second holds none, `c` included.
      expect(await acquire(third, 'c')).toBeNull();
      await release(first);
      expect(await acquire(second, 'b', 'c')).toEqual({ target: 'c', runId: third.id });
      await release(third);
      expect(await acquire(second, 'b', 'c')).toBeNull();
      await release(second);
    });

    it('of which there are none conflict with no other', async () => {
      const [first, second] = [await aRun(), await aRun()];
      expect(await acquire(first, 'a')).toBeNull();
      expect(await acquire(second)).toBeNull();
      await release(first);
    });

    it('conflict with the environment as a whole, in either order', async () => {
      const [target, whole] = [await aRun(), await aRun()];
      expect(await acquire(target, 'a')).toBeNull();
      expect(await acquire(whole, WHOLE)).toEqual({ target: 'a', runId: target.id });
      await release(target);
      expect(await acquire(whole, WHOLE)).toBeNull();
      expect(await acquire(target, 'b')).toEqual({ target: WHOLE, runId: whole.id });
      await release(whole);
    });

    it('are those of one environment', async () => {
      const { home } = contract();
      const [staging, production] = [await aRun(), await aRun({ environment: home.production })];
      expect(await acquire(staging, 'a')).toBeNull();
      expect(await acquire(production, 'a')).toBeNull();
      await release(staging);
      await release(production);
    });

    it('are taken by one of two runs that ask at once', async () => {
      const [first, second] = [await aRun(), await aRun()];
      const asked = await Promise.all([acquire(first, 'a', 'b'), acquire(second, 'b', 'a')]);
      expect(asked.filter((waiting) => waiting === null)).toHaveLength(1);
      await release(first);
      await release(second);
    });

    it('name, when they are let go of, the runs that wait in their environment', async () => {
      const { runs, tx, home } = contract();
      const holder = await aRun();
      const waiting = [await aRun(), await aRun({ environment: home.production }), await aRun()];
      for (const run of waiting) {
        await tx((open) => runs.save(open, { ...run, waitingOn: { target: 'a', runId: holder.id } }));
      }
      const named = await release(holder);
      expect(waiting.map(({ id }) => named.includes(id))).toEqual([true, false, true]);
      expect(named.toSorted()).toEqual(named);
      for (const run of waiting) await tx((open) => runs.save(open, run));
      expect((await release(holder)).filter((id) => waiting.some((run) => run.id === id))).toEqual([]);
    });
  });
}
