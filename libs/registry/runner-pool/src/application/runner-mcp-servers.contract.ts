import type { AdvertisedMcpServer } from '#lib/formats';
import { newId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerId } from '../domain/ids.js';
import type { RunnerMcpServers } from './runner-mcp-servers.port.js';
import type { RunnerIntroduction, RunnerRepository } from './runner.ports.js';

const files: AdvertisedMcpServer = {
  name: 'files',
  problem: null,
  tools: [
    {
      tool: 'read',
      digest: `sha256:${'1'.repeat(64)}`,
      definition: { name: 'read', inputSchema: { type: 'object' } },
      problem: null,
    },
  ],
};
const ill: AdvertisedMcpServer = { name: 'ill', problem: 'It does not start.', tools: [] };
const SAID: RunnerIntroduction = { version: '1', tools: [], worksIn: ['staging'], hooks: [], noWayBack: null };

/** The contract of a store of the MCP servers of runners. */
export function describeRunnerMcpServers(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly runners: RunnerRepository;
    readonly servers: RunnerMcpServers;
  }>,
): void {
  describe(`${name} keeps the contract of RunnerMcpServers`, () => {
    let world: ContractWorld;
    let runners: RunnerRepository;
    let servers: RunnerMcpServers;
    beforeAll(async () => {
      ({ world, runners, servers } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const online = (pool: string): Promise<RunnerId> =>
      atHome(async (tx) => {
        const id = newId<RunnerId>();
        const at = await tx.now();
        const environments = ['staging', 'production'];
        const createdBy = world.home.admin.personId;
        await runners.insert(tx, { id, name: `r-${id}`, pool, environments, createdBy, createdAt: at });
        await runners.markEnrolled(tx, id, '1', at);
        await runners.introduce(tx, id, SAID);
        return id;
      });
    const found = (pool: string, server = 'files', environment = 'staging', ago = 60_000) =>
      atHome(async (tx) => servers.onRunners(tx, { pool, environment, server }, (await tx.now()) - ago));

    it('finds a server of each runner that is online and works in the environment', async () => {
      const pool = `pool-${newId()}`;
      const [one, other] = [await online(pool), await online(pool)];
      await atHome((tx) => servers.replace(tx, one, [files, ill]));
      expect(await found(pool)).toEqual([files]);
      await atHome((tx) => servers.replace(tx, other, [{ ...files, tools: [] }]));
      expect(await found(pool)).toHaveLength(2);
      expect(await found(pool, 'ill')).toEqual([ill]);
      expect([await found(pool, 'none'), await found('others'), await found(pool, 'files', 'production')]).toEqual([
        [],
        [],
        [],
      ]);
      expect(await found(pool, 'files', 'staging', -60_000)).toEqual([]);
      expect(
        await elsewhere((tx) => servers.onRunners(tx, { pool, environment: 'staging', server: 'files' }, 0)),
      ).toEqual([]);
    });

    it.each<[string, (tx: Tx, id: RunnerId) => Promise<void>]>([
      ['left', async (tx, id) => runners.left(tx, id, await tx.now())],
      ['was revoked', async (tx, id) => runners.revoke(tx, id, world.home.admin.personId, await tx.now())],
    ])('finds none of a runner that %s', async (_how, end) => {
      const pool = `pool-${newId()}`;
      const id = await online(pool);
      await atHome((tx) => servers.replace(tx, id, [files]));
      await atHome((tx) => end(tx, id));
      expect(await found(pool)).toEqual([]);
    });

    it('has those that a runner said last, and counts their tools', async () => {
      const id = await online(`pool-${newId()}`);
      const counted = async () => (await atHome((tx) => servers.counted(tx))).get(id);
      expect(await counted()).toBeUndefined();
      await atHome((tx) => servers.replace(tx, id, [ill, files]));
      expect(await counted()).toEqual([
        { name: 'files', problem: null, tools: 1 },
        { name: 'ill', problem: 'It does not start.', tools: 0 },
      ]);
      await atHome((tx) => servers.replace(tx, id, [{ ...ill, problem: 'It ended.' }]));
      expect(await counted()).toEqual([{ name: 'ill', problem: 'It ended.', tools: 0 }]);
      expect((await elsewhere((tx) => servers.counted(tx))).has(id)).toBe(false);
      await atHome((tx) => servers.replace(tx, id, []));
      expect(await counted()).toBeUndefined();
    });
  });
}
