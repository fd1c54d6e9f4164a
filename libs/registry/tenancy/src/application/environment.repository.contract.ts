import { type EnvironmentId, newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Environment } from '../domain/environment.js';
import { environmentOf } from './fake-environment.repository.js';
import type { EnvironmentRepository } from './tenancy.ports.js';

/** The contract of a repository of environments. Those of the world are there. */
export function describeEnvironmentRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly environments: EnvironmentRepository }>,
): void {
  describe(`${name} keeps the contract of EnvironmentRepository`, () => {
    let world: ContractWorld;
    let environments: EnvironmentRepository;
    beforeAll(async () => {
      ({ world, environments } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const sample = (of: string, production = false): Environment =>
      environmentOf({ id: newId<EnvironmentId>(), name: of, production, version: 3 });
    const inserted = async (environment: Environment): Promise<Environment> => {
      expect(await atHome((tx) => environments.insert(tx, environment))).toBe(true);
      return environment;
    };

    it('tells names, and a page after a name, sorted', async () => {
      const first = await inserted(sample('alpha'));
      expect(await atHome((tx) => environments.names(tx))).toEqual(['alpha', 'production', 'staging']);
      expect(await elsewhere((tx) => environments.names(tx))).toEqual(['production', 'staging']);
      const listed = async (limit: number, afterName: string | null): Promise<readonly string[]> =>
        (await atHome((tx) => environments.list(tx, { limit, afterName }))).map((found) => found.name);
      expect(await atHome((tx) => environments.list(tx, { limit: 1, afterName: null }))).toEqual([first]);
      expect(await listed(9, null)).toEqual(['alpha', 'production', 'staging']);
      expect(await listed(1, 'alpha')).toEqual(['production']);
      expect(await listed(9, 'staging')).toEqual([]);
    });

    it('finds each inserted record, whole, by id and by name', async () => {
      const kept = await inserted(sample('found', true));
      expect(await atHome((tx) => environments.byId(tx, kept.id))).toEqual(kept);
      expect(await atHome((tx) => environments.byName(tx, kept.name))).toEqual(kept);
      expect(await atHome((tx) => environments.lock(tx, kept.id))).toEqual(kept);
    });

    it('has nothing under another id or name, and nothing for another tenant', async () => {
      const kept = await inserted(sample('own'));
      expect(await atHome((tx) => environments.byId(tx, newId<EnvironmentId>()))).toBeNull();
      expect(await atHome((tx) => environments.byName(tx, 'never'))).toBeNull();
      expect(await atHome((tx) => environments.lock(tx, newId<EnvironmentId>()))).toBeNull();
      expect(await elsewhere((tx) => environments.byId(tx, kept.id))).toBeNull();
      expect(await elsewhere((tx) => environments.byName(tx, kept.name))).toBeNull();
      expect(await elsewhere((tx) => environments.lock(tx, kept.id))).toBeNull();
    });

    it('takes no name that the tenant has, and refuses an id that is taken (23505)', async () => {
      const kept = await inserted(sample('taken'));
      expect(await atHome((tx) => environments.insert(tx, sample('taken', true)))).toBe(false);
      expect(await atHome((tx) => environments.byName(tx, 'taken'))).toEqual(kept);
      expect(await elsewhere((tx) => environments.insert(tx, sample('taken')))).toBe(true);
      const again = atHome((tx) => environments.insert(tx, { ...kept, name: 'renamed' }));
      await expect(again).rejects.toMatchObject({ code: '23505' });
    });

    it('saves the production flag, the version and the time, and nothing else', async () => {
      const kept = await inserted(sample('changing'));
      const bystander = await inserted(sample('standing'));
      const changed = { production: true, version: 4, updatedAt: kept.updatedAt + 5 };
      await elsewhere((tx) => environments.save(tx, { ...kept, ...changed }));
      expect(await atHome((tx) => environments.byId(tx, kept.id))).toEqual(kept);
      await atHome((tx) => environments.save(tx, { ...kept, ...changed, name: 'renamed', createdAt: 7 }));
      expect(await atHome((tx) => environments.byId(tx, kept.id))).toEqual({ ...kept, ...changed });
      expect(await atHome((tx) => environments.byId(tx, bystander.id))).toEqual(bystander);
    });

    it('lets one transaction at a time hold an environment', async () => {
      const { id } = await inserted(sample('held'));
      expect(await waitsBehind(world, (tx) => environments.lock(tx, id))).toBe(true);
    });
  });
}
