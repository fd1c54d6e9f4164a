import { sqlOf } from '#lib/database';
import type { AdvertisedMcpServer } from '#lib/formats';
import { newId, type Tx } from '#lib/kernel';
import { createToolStore, type ExecutorId } from '#lib/tool';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleExecutor } from '../../../tool/src/application/fake-tool.js';
import type { RunnerId } from '../domain/ids.js';
import { SqlRunnerMcpServers } from './sql-runner-mcp-servers.js';
import { SqlRunnerRepository } from './sql-runner.repository.js';

const servers = new SqlRunnerMcpServers();
const [id, executorId] = [newId<RunnerId>(), newId<ExecutorId>()];
const saying = (problem: string): readonly AdvertisedMcpServer[] => [{ name: 'files', problem, tools: [] }];

let world: Awaited<ReturnType<typeof postgresWorld>>;
const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);

beforeAll(async () => {
  world = await postgresWorld();
  const runners = new SqlRunnerRepository(world.db.systemQuery, testSeals());
  const settings = { pool: 'builders', server: 'files' };
  const parts = { id: executorId, name: 'files', url: null, secret: null, settings, audience: 'files.staging' };
  const createdBy = world.home.admin.personId;
  await atHome(async (tx) => {
    const at = await tx.now();
    await createToolStore().executors.save(
      tx,
      world.home.staging.id,
      sampleExecutor(world.home.staging, { ...parts, kind: 'mcp' }),
      createdBy,
      at,
    );
    await runners.insert(tx, {
      id,
      name: 'r-01',
      pool: 'builders',
      environments: ['staging'],
      createdBy,
      createdAt: at,
    });
  });
});
afterAll(() => world.close());

/**
 * Has the server looked at now and again after some seconds, and does the work. Tells after how many seconds the next
 * look is.
 */
const nextAfter = (seconds: number, work: (tx: Tx) => Promise<void>): Promise<number | undefined> =>
  atHome(async (tx) => {
    const at = await tx.now();
    await sqlOf(tx).execute(
      'update mcp_look set looked_at = $3, next_look_at = $4 where tenant_id = $1 and executor_id = $2',
      [tx.tenantId, executorId, new Date(at), new Date(at + seconds * 1_000)],
    );
    await work(tx);
    const [row] = await sqlOf(tx).query<{ readonly after: number }>(
      `select extract(epoch from next_look_at - looked_at)::integer as after from mcp_look
        where tenant_id = $1 and executor_id = $2`,
      [tx.tenantId, executorId],
    );
    return row?.after;
  });

it('T54: a runner that says otherwise again and again has its server looked at no sooner than after 30 seconds', async () => {
  const says = (problem: string) => (tx: Tx) => servers.replace(tx, id, saying(problem));
  expect(await nextAfter(300, says('It ended.'))).toBe(30);
  expect(await nextAfter(300, says('It ended again.'))).toBe(30);
  expect(await nextAfter(300, says('It ended again.'))).toBe(300);
  expect(await nextAfter(10, says('It ended.'))).toBe(10);
});

it('has a server looked at soon that a runner lists no more', async () => {
  await atHome((tx) => servers.replace(tx, id, saying('It ended.')));
  expect(await nextAfter(300, (tx) => servers.replace(tx, id, []))).toBe(30);
});
