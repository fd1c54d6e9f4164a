import { actorOf, type AgentId, type EnvironmentId, type HaltId, newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Halt, HaltScope, HaltTarget, LiftedHalt } from '../domain/halt.js';
import { sampleHalt } from './fake-halt.repository.js';
import type { HaltRepository } from './halt.ports.js';

const LEFT = {
  attempt: 1,
  tool: 'rollout@1',
  targets: ['web-1'],
  dispatched_at: '2026-01-05T09:00:00.000Z',
  state: 'dispatched',
};

/** The contract of a repository of halts. The tenant `home` has a tool `rollout`. */
export function describeHaltRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly halts: HaltRepository }>,
): void {
  describe(`${name} keeps the contract of HaltRepository`, () => {
    let world: ContractWorld;
    let halts: HaltRepository;
    beforeAll(async () => {
      ({ world, halts } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const set = async (target?: HaltTarget, at?: number): Promise<Halt> => {
      const halt = sampleHalt(world.home, target, at);
      await atHome((tx) => halts.insert(tx, halt));
      return halt;
    };
    const liftedOf = (halt: Halt, note = 'It is over.'): LiftedHalt => ({
      ...halt,
      lifted: { at: halt.createdAt + 5, by: actorOf(world.home.owner), note },
    });
    const lift = (halt: Halt): Promise<void> => atHome((tx) => halts.saveLifted(tx, liftedOf(halt)));
    const targets = (): readonly HaltTarget[] => {
      const { agent, production } = world.home;
      return [
        { kind: 'tenant' },
        { kind: 'environment', environmentId: production.id, environment: production.name },
        { kind: 'agent', agentId: agent.agentId },
        { kind: 'tool', tool: 'rollout' },
      ];
    };

    it('finds an inserted halt, whole', async () => {
      for (const target of targets()) {
        const halt = await set(target);
        expect(await atHome((tx) => halts.find(tx, halt.id))).toEqual(halt);
        expect(await atHome((tx) => halts.lock(tx, halt.id))).toEqual(halt);
        expect(await elsewhere((tx) => halts.find(tx, halt.id))).toBeNull();
        expect(await elsewhere((tx) => halts.lock(tx, halt.id))).toBeNull();
        await lift(halt);
      }
      expect(await atHome((tx) => halts.find(tx, newId<HaltId>()))).toBeNull();
      expect(await atHome((tx) => halts.lock(tx, newId<HaltId>()))).toBeNull();
    });

    it('refuses an id that is taken (23505)', async () => {
      const halt = await set();
      await lift(halt);
      await expect(atHome((tx) => halts.insert(tx, halt))).rejects.toMatchObject({ code: '23505' });
    });

    it.each(['active', 'activeNow'] as const)(
      '%s tells the halts that cover a scope and are not lifted, oldest first',
      async (read) => {
        const [tenant, environment, agent, tool] = targets();
        const set4 = [await set(tool, 4), await set(agent, 3), await set(environment, 2), await set(tenant, 1)];
        const over = await set(tenant, 0);
        await lift(over);
        const { agent: own, production, staging } = world.home;
        const nothing: HaltScope = {
          environmentId: newId<EnvironmentId>(),
          agentIds: [newId<AgentId>()],
          tools: ['look'],
        };
        const kinds = async (scope: Partial<HaltScope>): Promise<readonly string[]> => {
          const found = await atHome((tx) => halts[read](tx, { ...nothing, ...scope }));
          expect(found.map(({ id }) => id)).not.toContain(over.id);
          return found.map(({ kind }) => kind);
        };
        expect(await kinds({})).toEqual(['tenant']);
        expect(await kinds({ environmentId: staging.id })).toEqual(['tenant']);
        expect(await kinds({ environmentId: production.id })).toEqual(['tenant', 'environment']);
        expect(await kinds({ agentIds: [newId<AgentId>(), own.agentId] })).toEqual(['tenant', 'agent']);
        expect(await kinds({ tools: ['look', 'rollout'] })).toEqual(['tenant', 'tool']);
        const all = { environmentId: production.id, agentIds: [own.agentId], tools: ['rollout'] };
        expect(await atHome((tx) => halts[read](tx, all))).toEqual(
          set4.toReversed().map(({ id, target }) => ({ id, kind: target.kind })),
        );
        expect(await elsewhere((tx) => halts[read](tx, all))).toEqual([]);
        for (const halt of set4) await lift(halt);
        expect(await atHome((tx) => halts[read](tx, all))).toEqual([]);
      },
    );

    it('tells the halts of every tool by itself, oldest first', async () => {
      const [, environment, agent, tool] = targets();
      const first = await set(environment, 1);
      const second = await set(tool, 2);
      const others = await set(agent, 3);
      const factsOf = ({ id, target: { kind } }: Halt) => ({ id, kind });
      const byTool = (environmentId: EnvironmentId, tools = ['look', 'rollout']) =>
        atHome((tx) => halts.activeByTool(tx, { environmentId, agentIds: [], tools }));
      const { production, staging } = world.home;
      expect(await byTool(staging.id)).toEqual(new Map([['rollout', [factsOf(second)]]]));
      expect(await byTool(production.id)).toEqual(
        new Map([
          ['look', [factsOf(first)]],
          ['rollout', [factsOf(first), factsOf(second)]],
        ]),
      );
      expect(await byTool(production.id, [])).toEqual(new Map());
      for (const halt of [first, second, others]) await lift(halt);
      expect(await byTool(production.id)).toEqual(new Map());
    });

    it('completes the effect, and changes nothing else', async () => {
      const halt = await set();
      const bystander = await set();
      const effect = {
        pausedRuns: [newId()],
        revokedGrants: 3,
        deniedCalls: [newId()],
        inFlight: [
          { ...LEFT, run_id: newId(), step_id: 'deploy' },
          { ...LEFT, tool_call_id: newId() },
        ],
      };
      await elsewhere((tx) => halts.saveEffect(tx, halt.id, effect));
      expect(await atHome((tx) => halts.find(tx, halt.id))).toEqual(halt);
      await atHome((tx) => halts.saveEffect(tx, halt.id, effect));
      expect(await atHome((tx) => halts.find(tx, halt.id))).toEqual({ ...halt, effect });
      expect(await atHome((tx) => halts.find(tx, bystander.id))).toEqual(bystander);
      await lift(halt);
      await lift(bystander);
    });

    it('is lifted once', async () => {
      const halt = await set();
      await elsewhere((tx) => halts.saveLifted(tx, liftedOf(halt)));
      expect(await atHome((tx) => halts.find(tx, halt.id))).toEqual(halt);
      await lift(halt);
      await atHome((tx) => halts.saveLifted(tx, liftedOf(halt, 'Another note.')));
      expect(await atHome((tx) => halts.find(tx, halt.id))).toEqual(liftedOf(halt));
    });

    it('lists the newest first, page by page, and those alone that hold', async () => {
      const start = Date.UTC(2030, 0, 1);
      const all = [await set(undefined, start), await set(undefined, start + 1), await set(undefined, start + 1)];
      const [first, second, third] = all;
      if (first === undefined || second === undefined || third === undefined) throw new Error('three were set');
      await lift(second);
      const listed = (active: boolean | null, limit: number, after: Halt | null): Promise<readonly HaltId[]> =>
        atHome(async (tx) => {
          const page = { active, limit, after: after === null ? null : { at: after.createdAt, id: after.id } };
          return (await halts.list(tx, page)).map(({ id }) => id);
        });
      expect(await listed(null, 3, null)).toEqual([third.id, second.id, first.id]);
      expect(await listed(null, 1, third)).toEqual([second.id]);
      expect(await listed(null, 1, second)).toEqual([first.id]);
      expect(await listed(true, 2, null)).toEqual([third.id, first.id]);
      expect((await listed(false, 1, null))[0]).toBe(second.id);
      expect(await elsewhere((tx) => halts.list(tx, { active: null, limit: 9, after: null }))).toEqual([]);
      await lift(first);
      await lift(third);
    });

    it('lets one transaction at a time hold a halt', async () => {
      const halt = await set();
      expect(await waitsBehind(world, (tx) => halts.lock(tx, halt.id))).toBe(true);
      await lift(halt);
    });

    it('sets no halt while a transaction relies on there being none, and waits for one that is just being set', async () => {
      const { production } = world.home;
      const relying = (tx: Tx): Promise<unknown> =>
        halts.activeNow(tx, { environmentId: production.id, agentIds: [], tools: [] });
      const [first, second] = [sampleHalt(world.home), sampleHalt(world.home)];
      expect(await waitsBehind(world, relying, (tx) => halts.insert(tx, first))).toBe(true);
      expect(await waitsBehind(world, (tx) => halts.insert(tx, second), relying)).toBe(true);
      await lift(first);
      await lift(second);
    });
  });
}
