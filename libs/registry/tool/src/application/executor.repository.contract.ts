import type { Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ExecutorRecord } from '../domain/tool-version.js';
import { sampleExecutor } from './fake-tool.js';
import type { ExecutorRepository } from './tool.ports.js';

/** The contract of a directory of executors. */
export function describeExecutorRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly executors: ExecutorRepository }>,
): void {
  describe(`${name} keeps the contract of ExecutorRepository`, () => {
    let world: ContractWorld;
    let executors: ExecutorRepository;
    const AT = Date.UTC(2026, 0, 5, 8);
    let before: ExecutorRecord;
    let fleet: ExecutorRecord;
    let agents: ExecutorRecord;
    let staging: ExecutorRecord;

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const saved = async (
      environmentName: 'production' | 'staging',
      record: ExecutorRecord,
    ): Promise<ExecutorRecord> => {
      const { home } = world;
      await atHome((tx) =>
        executors.save(tx, home[environmentName].id, record, home.admin.personId, AT + record.version),
      );
      return record;
    };

    beforeAll(async () => {
      ({ world, executors } = await open());
      const { production, staging: second } = world.home;
      before = await saved(
        'production',
        sampleExecutor(production, { secret: 'token@1', settings: { queue: 'jobs', limit: 3, ordered: true } }),
      );
      fleet = await saved(
        'production',
        sampleExecutor(production, { id: before.id, version: 2, sharedAudience: true }),
      );
      agents = await saved('production', sampleExecutor(production, { name: 'agents', kind: 'agent', url: null }));
      staging = await saved('staging', sampleExecutor(second, { audience: fleet.audience, sharedAudience: true }));
    });
    afterAll(() => world.close());

    it.each([{}, { lock: 'share' }] as const)('resolves by name, as they are now (%j)', async (options) => {
      const { production, staging: second } = world.home;
      const names = ['fleet', 'agents', 'fleet', 'never'];
      expect(await atHome((tx) => executors.resolveMany(tx, production.id, names, options))).toEqual(
        new Map([
          ['fleet', fleet],
          ['agents', agents],
        ]),
      );
      expect(await atHome((tx) => executors.resolveMany(tx, second.id, names, options))).toEqual(
        new Map([['fleet', staging]]),
      );
    });

    it('finds the executor that an approval bound, also if another has taken its place since', async () => {
      const { production, staging: second } = world.home;
      const bound = (digest: string, environment = production.id): Promise<ExecutorRecord | null> =>
        atHome((tx) => executors.asBound(tx, environment, { name: 'fleet', digest }));
      expect(await bound(before.digest)).toEqual(before);
      expect(await bound(fleet.digest)).toEqual(fleet);
      expect(await bound(agents.digest)).toBeNull();
      expect(await bound(before.digest, second.id)).toBeNull();
    });

    it('lists an environment by name, with when each last changed', async () => {
      expect(await atHome((tx) => executors.list(tx, world.home.production.id))).toEqual([
        { ...agents, updatedAt: AT + 1 },
        { ...fleet, updatedAt: AT + 2 },
      ]);
    });

    it('locks the current executor, and has nothing under another name', async () => {
      const { production, staging: second } = world.home;
      const locked = { ...fleet, updatedAt: AT + 2 };
      expect(await atHome((tx) => executors.lock(tx, production.id, 'fleet'))).toEqual(locked);
      expect(await atHome((tx) => executors.lock(tx, second.id, 'agents'))).toBeNull();
    });

    it('lists the executors that have an audience in other environments now', async () => {
      const { production, staging: second } = world.home;
      const having = (audience: string, besides: typeof production): ReturnType<ExecutorRepository['withAudience']> =>
        atHome((tx) => executors.withAudience(tx, audience, besides.id));
      const other = { name: 'fleet', sharedAudience: true };
      expect(await having(fleet.audience, production)).toEqual([{ ...other, environment: 'staging' }]);
      expect(await having(fleet.audience, second)).toEqual([
        { name: 'agents', sharedAudience: false, environment: 'production' },
        { ...other, environment: 'production' },
      ]);
      expect(await having('nobody', second)).toEqual([]);
    });

    it('finds the latest of versions that are alike', async () => {
      const { production } = world.home;
      const first = await saved('production', sampleExecutor(production, { name: 'returning' }));
      await saved('production', sampleExecutor(production, { ...first, version: 2, secret: 'token@1' }));
      const third = await saved('production', sampleExecutor(production, { ...first, version: 3 }));
      expect(third.digest).toBe(first.digest);
      expect(await atHome((tx) => executors.asBound(tx, production.id, first))).toEqual(third);
    });

    it('shows another tenant nothing', async () => {
      const { id } = world.home.production;
      expect((await elsewhere((tx) => executors.resolveMany(tx, id, ['fleet']))).size).toBe(0);
      expect(await elsewhere((tx) => executors.asBound(tx, id, fleet))).toBeNull();
      expect(await elsewhere((tx) => executors.list(tx, id))).toEqual([]);
      expect(await elsewhere((tx) => executors.lock(tx, id, 'fleet'))).toBeNull();
      expect(await elsewhere((tx) => executors.withAudience(tx, fleet.audience, world.home.staging.id))).toEqual([]);
    });

    it('refuses a version, or a name of the environment, that is taken (23505)', async () => {
      await expect(saved('production', fleet)).rejects.toMatchObject({ code: '23505' });
      const second = sampleExecutor(world.home.production);
      await expect(saved('production', second)).rejects.toMatchObject({ code: '23505' });
    });

    it('lets one transaction at a time register a name, or ask for an audience', async () => {
      const { production, staging: second } = world.home;
      expect(await waitsBehind(world, (tx) => executors.lock(tx, production.id, 'new'))).toBe(true);
      const ask = (besides: typeof production) => (tx: Tx) => executors.withAudience(tx, 'new', besides.id);
      expect(await waitsBehind(world, ask(production), ask(second))).toBe(true);
    });

    it('keeps an executor as it is for a transaction that shares it', async () => {
      const { id } = world.home.production;
      const share = (tx: Tx): Promise<unknown> => executors.resolveMany(tx, id, ['fleet'], { lock: 'share' });
      const change = (tx: Tx): Promise<unknown> => executors.lock(tx, id, 'fleet');
      expect(await waitsBehind(world, share, change)).toBe(true);
      expect(await waitsBehind(world, change, share)).toBe(true);
    });
  });
}
