import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Automation, AutomationRun, AutomationStepRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationRunRepository } from './automation.ports.js';
import { sampleAutomationRun } from './fake-automation-run.repository.js';

/** The contract of a repository of runs. The automation is one of the tenant `home`. */
export function describeAutomationRunRepository(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly runs: AutomationRunRepository;
    readonly automation: Automation;
  }>,
): void {
  describe(`${name} keeps the contract of AutomationRunRepository`, () => {
    let world: ContractWorld;
    let runs: AutomationRunRepository;
    let automation: Automation;
    beforeEach(async () => {
      ({ world, runs, automation } = await open());
    });
    afterEach(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (createdAt?: number): Promise<AutomationRun> => {
      const run = sampleAutomationRun(automation, createdAt);
      expect(await atHome((tx) => runs.insert(tx, run))).toBe(true);
      return run;
    };
    const save = (run: AutomationRun) => atHome((tx) => runs.save(tx, run));
    const found = ({ id }: AutomationRun) => atHome((tx) => runs.find(tx, id));

    it('finds an inserted run, whole, and starts an occurrence once', async () => {
      const run = await kept();
      expect(await found(run)).toEqual(run);
      expect(await atHome((tx) => runs.lock(tx, run.id))).toEqual(run);
      expect(await elsewhere((tx) => runs.find(tx, run.id))).toBeNull();
      const second = { ...sampleAutomationRun(automation), occurrence: run.occurrence };
      expect(await atHome((tx) => runs.insert(tx, second))).toBe(false);
      expect(await found(second)).toBeNull();
    });

    it('goes on along its lifecycle (CS002), and never back (CS001)', async () => {
      const run = await kept();
      const begun: AutomationRun = { ...run, state: 'executing', position: 1 };
      await elsewhere((tx) => runs.save(tx, begun));
      expect(await found(run)).toEqual(run);
      await save(begun);
      expect(await found(run)).toEqual(begun);
      await expect(save({ ...begun, position: 0 })).rejects.toMatchObject({ code: 'CS001' });
      await expect(save({ ...begun, state: 'queued' })).rejects.toMatchObject({ code: 'CS002' });
    });

    it('lists the newest first, page by page, and those open, oldest first', async () => {
      const start = Date.UTC(2030, 0, 1);
      const [first, second, third] = [await kept(start), await kept(start + 1), await kept(start + 1)];
      const over: AutomationRun = {
        ...{ ...second, state: 'failed', finishedAt: start + 5 },
        fault: { code: 'a.code', message: 'It failed.' },
      };
      await save(over);
      const listed = (limit: number, after: AutomationRun | null) =>
        atHome((tx) => runs.list(tx, automation.id, { limit, after: after && { at: after.createdAt, id: after.id } }));
      expect(await listed(9, null)).toEqual([third, over, first]);
      expect(await listed(1, third)).toEqual([over]);
      expect(await atHome((tx) => runs.open(tx, automation.id))).toEqual([first, third]);
      expect(await elsewhere((tx) => runs.open(tx, automation.id))).toEqual([]);
    });

    it('finds the newest run of each automation', async () => {
      const start = Date.UTC(2032, 0, 1);
      await kept(start);
      const [, newest] = [await kept(start + 1), await kept(start + 1)];
      const latest = (of: readonly AutomationId[]) => atHome((tx) => runs.latest(tx, of));
      const without = newId<AutomationId>();
      expect(await latest([without, automation.id])).toEqual(new Map([[automation.id, newest]]));
      expect(await latest([])).toEqual(new Map());
      expect(await elsewhere((tx) => runs.latest(tx, [automation.id]))).toEqual(new Map());
    });

    it('keeps the steps in order, each once (23505)', async () => {
      const { id: runId, createdAt: startedAt } = await kept();
      const step = (seq: number, members: Partial<AutomationStepRun> = {}): AutomationStepRun => ({
        ...{ runId, seq, step: `step-${String(seq)}`, type: 'tool_action', state: 'calling' },
        ...{ fault: null, callId: null, startedAt, finishedAt: null, ...members },
      });
      const end = { state: 'succeeded', finishedAt: startedAt + 1 } as const;
      await atHome((tx) => runs.insertStep(tx, step(1)));
      await atHome((tx) => runs.insertStep(tx, step(0, end)));
      await expect(atHome((tx) => runs.insertStep(tx, step(1)))).rejects.toMatchObject({ code: '23505' });
      expect(await atHome((tx) => runs.steps(tx, runId))).toEqual([step(0, end), step(1)]);
      await atHome((tx) => runs.saveStep(tx, step(1, end)));
      expect(await atHome((tx) => runs.steps(tx, runId))).toEqual([step(0, end), step(1, end)]);
      expect(await elsewhere((tx) => runs.steps(tx, runId))).toEqual([]);
    });

    it('counts those that no schedule started, and tells the calls that they made', async () => {
      const start = Date.UTC(2031, 0, 1);
      const run = await kept(start + 1);
      await kept(start);
      await atHome((tx) =>
        runs.insert(tx, { ...sampleAutomationRun(automation, start + 1), occurrence: `cron:${String(start)}` }),
      );
      const since = (at: number) => atHome((tx) => runs.startedSince(tx, automation.id, at));
      expect([await since(start - 1), await since(start), await since(start + 1)]).toEqual([2, 1, 0]);
      expect(await elsewhere((tx) => runs.startedSince(tx, automation.id, 0))).toBe(0);
      const step: AutomationStepRun = {
        ...{ runId: run.id, seq: 0, step: 'look', type: 'tool_action', state: 'calling', fault: null, callId: null },
        ...{ startedAt: start, finishedAt: null },
      };
      await atHome((tx) => runs.insertStep(tx, step));
      expect(await atHome((tx) => runs.calledBy(tx, automation.id, [run.id]))).toEqual(new Set());
      expect(await atHome((tx) => runs.calledBy(tx, automation.id, []))).toEqual(new Set());
    });

    it('lets one transaction at a time hold a run', async () => {
      const { id } = await kept();
      expect(await waitsBehind(world, (tx) => runs.lock(tx, id))).toBe(true);
    });
  });
}
