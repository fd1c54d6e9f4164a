import { newId, type RunId, type TaskId, type Tx } from '#lib/kernel';
import { RUN_TRANSITIONS } from '../domain/run-transitions.js';
import type { QueuedRun, Run } from '../domain/run.js';
import type { RunContract, RunContractWorld } from './fake-run-contract.js';
import { refusalOf, undone } from './fake-refusal-of.js';
import { runIn, sampleActor, sampleEvent, sampleRun, sampleStep } from './fake-run-samples.js';
import { describeAttempts } from './run-attempts.contract.js';
import { describeHalting } from './run-halting.contract.js';
import { describeSteps } from './run-steps.contract.js';
import { describeTargets } from './run-targets.contract.js';
import type { RunFilter } from './run.repository.js';

/** The contract of a repository of runs. */
export function describeRunRepository(name: string, open: () => Promise<RunContractWorld>): void {
  describe(name, () => {
    let world: RunContractWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    const tx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const contract = (): RunContract => ({
      ...world,
      tx,
      queued: async (changes, steps = (run) => [sampleStep(run)]) => {
        const run = sampleRun(await world.plan(), changes);
        await tx((open) => world.runs.insert(open, run, steps(run)));
        return run;
      },
      goes: async (run, ...states) => {
        let now: Run = run;
        for (const state of states) {
          now = runIn(now, state);
          await tx((open) => world.runs.save(open, now));
        }
        return now;
      },
      found: (id) => tx((open) => world.runs.find(open, id)),
    });

    describeRuns(contract);
    describeLists(contract);
    describeSteps(contract);
    describeAttempts(contract);
    describeTargets(contract);
    describeHalting(contract);
  });
}

function describeRuns(contract: () => RunContract): void {
  describe('a run', () => {
    it('is found and locked as it was inserted', async () => {
      const { runs, tx, queued } = contract();
      const run = await queued({ startAt: 1_000, phases: 'canary' });
      expect(await tx((open) => runs.find(open, run.id))).toEqual(run);
      expect(await tx((open) => runs.lock(open, run.id))).toEqual(run);
      expect(await tx((open) => runs.lockToAdvance(open, run.id))).toEqual(run);
    });

    it('that is not there is null', async () => {
      const { runs, tx } = contract();
      const id = newId<RunId>();
      expect(await tx((open) => runs.find(open, id))).toBeNull();
      expect(await tx((open) => runs.lock(open, id))).toBeNull();
      expect(await tx((open) => runs.lockToAdvance(open, id))).toBeNull();
      expect(await tx((open) => runs.findLive(open, newId<TaskId>()))).toBeNull();
    });

    it('that Countersign did not make is not advanced, and can still be paused', async () => {
      const { runs, tx, queued, forge } = contract();
      const run = await queued();
      await forge(run.id);
      await expect(tx((open) => runs.lockToAdvance(open, run.id))).rejects.toMatchObject({
        failure: { code: 'record.not_authentic' },
      });
      expect(await tx((open) => runs.lock(open, run.id))).toMatchObject({ id: run.id });
    });

    it('changes its progress, and never its plan', async () => {
      const { queued, found, tx, runs, plan } = contract();
      const run = await queued();
      const other = sampleRun(await plan(), { phases: 'canary' });
      const progress = {
        requested: 'cancel' as const,
        requestedBy: { actor: run.startedBy, reason: { code: 'run.cancel_requested', message: 'no' } },
        reason: { code: 'run.step_failed', message: 'broken', details: { seq: 1 } },
        waitUntil: 5_000,
        healthRound: 2,
        eventCount: 3,
        nextAt: null,
        startedAt: 4_000,
        updatedAt: 7_000,
      };
      await tx((open) => runs.save(open, { ...runIn(run, 'executing'), pauseBy: 6_000 }));
      expect(await found(run.id)).toMatchObject({ state: 'executing', pauseBy: 6_000 });
      await tx((open) => runs.save(open, { ...runIn(other, 'paused'), ...progress, id: run.id }));
      expect(await found(run.id)).toEqual({ ...runIn(run, 'paused'), ...progress });
      const waits: QueuedRun = { ...(await queued()), waitingOn: { target: 'host-1', runId: run.id } };
      await tx((open) => runs.save(open, waits));
      expect(await found(waits.id)).toEqual(waits);
    });

    it('ends with its outcome', async () => {
      const { queued, goes, found } = contract();
      const ended = await goes(await queued(), 'executing', 'rolling_back', 'rolled_back');
      expect(await found(ended.id)).toEqual(ended);
    });

    it('changes its state only along its lifecycle', async () => {
      const { queued, goes, runs, tx } = contract();
      for (const [state, way] of Object.entries(WAYS) as [Run['state'], readonly Run['state'][]][]) {
        const run = await goes(await queued(), ...way);
        const accepted: string[] = [];
        for (const next of Object.keys(WAYS) as Run['state'][]) {
          const refusal = await refusalOf(tx((open) => undone(open, runs.save(open, runIn(run, next)))));
          if (refusal === 'accepted') accepted.push(next);
          else expect([state, next, refusal]).toEqual([state, next, 'CS002']);
        }
        const legal = RUN_TRANSITIONS.filter(([from]) => from === state).map(([, , to]) => to);
        expect(accepted.sort()).toEqual([...new Set([state, ...legal])].sort());
      }
    });

    it('is the only one of its task that has not ended', async () => {
      const { queued, goes, runs, tx, found } = contract();
      const first = await queued();
      const second = sampleRun(first, { createdAt: first.createdAt + 1 });
      await expect(tx((open) => runs.insert(open, second, []))).rejects.toMatchObject({
        failure: { code: 'run.already_live' },
      });
      expect(await tx((open) => runs.findLive(open, first.taskId))).toEqual(first);
      const ended = await goes(first, 'cancelled');
      expect(await tx((open) => runs.findLive(open, first.taskId))).toBeNull();
      await tx((open) => runs.insert(open, second, []));
      expect(await tx((open) => runs.ofPlan(open, first.planId))).toEqual([ended, second]);
      expect(await found(second.id)).toEqual(second);
    });

    it('of two that are made at once, one is refused', async () => {
      const { runs, tx, plan } = contract();
      const basis = await plan();
      const made = await Promise.all(
        [0, 1].map(() => refusalOf(tx((open) => runs.insert(open, sampleRun(basis), [])))),
      );
      expect(made.sort()).toEqual(['accepted', 'run.already_live']);
    });

    it('of another tenant is not there', async () => {
      const { runs, queued, uow, other, home, found } = contract();
      const run = await queued();
      const there = <T>(work: (open: Tx) => Promise<T>): Promise<T> => uow.run(other.tenantId, work);
      expect(home.tenantId).not.toBe(other.tenantId);
      expect(await there((open) => runs.find(open, run.id))).toBeNull();
      expect(await there((open) => runs.lock(open, run.id))).toBeNull();
      expect(await there((open) => runs.findLive(open, run.taskId))).toBeNull();
      expect(await there((open) => runs.ofPlan(open, run.planId))).toEqual([]);
      expect(await there((open) => runs.steps(open, run.id))).toEqual([]);
      expect(await there((open) => runs.list(open, {}, { limit: 10, after: null }))).toEqual([]);
      expect(await there((open) => runs.liveRuns(open, { kind: 'tenant' }))).toEqual([]);
      await there((open) => runs.save(open, runIn(run, 'cancelled')));
      expect(await found(run.id)).toEqual(run);
    });
  });

  describe('events', () => {
    it('are read in order, from the one after the last seen', async () => {
      const { queued, runs, tx } = contract();
      const [run, other] = [await queued(), await queued()];
      await tx(async (open) => {
        for (const seq of [1, 2, 3]) await runs.appendEvent(open, run.id, sampleEvent(seq));
        await runs.appendEvent(open, other.id, sampleEvent(1));
      });
      expect(await tx((open) => runs.events(open, run.id, 0, 10))).toEqual([1, 2, 3].map(sampleEvent));
      expect(await tx((open) => runs.events(open, run.id, 1, 1))).toEqual([sampleEvent(2)]);
      expect(await tx((open) => runs.events(open, run.id, 3, 10))).toEqual([]);
    });

    it('have each number once', async () => {
      const { queued, runs, tx } = contract();
      const run = await queued();
      await tx((open) => runs.appendEvent(open, run.id, sampleEvent(1)));
      await expect(tx((open) => runs.appendEvent(open, run.id, sampleEvent(1)))).rejects.toMatchObject({
        code: '23505',
      });
    });
  });
}

function describeLists(contract: () => RunContract): void {
  describe('a list', () => {
    it('is newest first, page by page', async () => {
      const { plan, runs, tx } = contract();
      const bases = [await plan({ target: 'paged' }), await plan({ target: 'paged' }), await plan({ target: 'paged' })];
      const ids = bases.map(() => newId<RunId>());
      // The last two were made in the same millisecond: then the id decides.
      for (const [index, basis] of bases.entries()) {
        const run = sampleRun(basis, { id: ids[index] ?? newId<RunId>(), createdAt: index === 0 ? 1_000 : 2_000 });
        await tx((open) => runs.insert(open, run, []));
      }
      const filter: RunFilter = { target: 'paged' };
      const first = await tx((open) => runs.list(open, filter, { limit: 2, after: null }));
      expect(first.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
      const last = first.at(-1);
      if (last === undefined) throw new Error('the page is empty');
      const after = { at: last.createdAt, id: last.id };
      const rest = await tx((open) => runs.list(open, filter, { limit: 2, after }));
      expect(rest.map(({ id }) => id)).toEqual([ids[0]]);
    });

    it('holds the runs that its filter asks for', async () => {
      const { plan, runs, tx, goes, home } = contract();
      const { agent, owner, admin } = home;
      const basis = {
        agents: await plan({ target: 'filtered', submitter: agent }),
        persons: await plan({ target: 'filtered', submitter: owner, tool: 'restart', environment: home.production }),
      };
      const agents = sampleRun(basis.agents, { createdAt: 1_000 });
      const persons = sampleRun(basis.persons, {
        createdAt: 2_000,
        startedBy: { ...sampleActor, kind: 'person', id: admin.personId },
      });
      for (const run of [agents, persons]) await tx((open) => runs.insert(open, run, []));
      await goes(agents, 'executing');
      const names = new Map([
        [agents.id, 'agents'],
        [persons.id, 'persons'],
      ]);
      const held = async (filter: RunFilter): Promise<readonly (string | undefined)[]> =>
        (await tx((open) => runs.list(open, { target: 'filtered', ...filter }, { limit: 10, after: null }))).map(
          ({ id }) => names.get(id),
        );
      expect(await held({})).toEqual(['persons', 'agents']);
      expect(await held({ state: 'executing' })).toEqual(['agents']);
      expect(await held({ taskId: basis.agents.taskId })).toEqual(['agents']);
      expect(await held({ planId: basis.persons.planId })).toEqual(['persons']);
      expect(await held({ environment: 'production' })).toEqual(['persons']);
      expect(await held({ environment: 'nowhere' })).toEqual([]);
      expect(await held({ agentId: agent.agentId })).toEqual(['agents']);
      expect(await held({ tool: 'restart' })).toEqual(['persons']);
      expect(await held({ target: 'another' })).toEqual([]);
      expect(await held({ personId: owner.personId })).toEqual(['persons']);
      expect(await held({ personId: admin.personId })).toEqual(['persons']);
      expect(await held({ from: 1_000, until: 2_000 })).toEqual(['agents']);
      expect(await held({ from: 2_000 })).toEqual(['persons']);
      expect(await held({ state: 'executing', tool: 'restart' })).toEqual([]);
    });
  });
}

/** How a run comes to each state. */
const WAYS: Readonly<Record<Run['state'], readonly Run['state'][]>> = {
  queued: [],
  executing: ['executing'],
  paused: ['executing', 'paused'],
  rolling_back: ['executing', 'rolling_back'],
  completed: ['executing', 'completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  rolled_back: ['executing', 'rolling_back', 'rolled_back'],
  rollback_failed: ['executing', 'rolling_back', 'rollback_failed'],
};
