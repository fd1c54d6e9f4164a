import type { AdvertisedMcpServer } from '#lib/formats';
import { newId, type Tx } from '#lib/kernel';
import { readMcpDefinition } from '#lib/mcp-client';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerId } from '../domain/ids.js';
import { servedEnvironments } from '../domain/runner.js';
import { FakeRunnerMcpServers } from './fake-runner-mcp-servers.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';
import { IntroduceRunner } from './introduce-runner.js';

const DEFINITION = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
const SAID = { version: '1.2.0', worksIn: ['moon', 'staging'], tools: [], hooks: ['notify'], noWayBack: 'No room.' };

/** A runner of a tenant with these open sessions. */
async function introducing(open: readonly string[] = []) {
  const { uow, home } = fakeWorld();
  const { tenantId } = home;
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(tenantId, work);
  const runners = new FakeRunnerRepository(uow);
  const servers = new FakeRunnerMcpServers(uow, runners);
  const asked: unknown[] = [];
  const sessions = {
    open: (tx: Tx, ids: readonly string[]) => {
      asked.push([tx.tenantId, ids]);
      return Promise.resolve(ids.filter((id) => open.includes(id)));
    },
  };
  const id = newId<RunnerId>();
  const environments = ['production', 'staging'];
  const made = { id, name: 'build-01', pool: 'builders', environments, createdBy: home.admin.personId };
  const runner = await atHome(async (tx) => {
    await runners.insert(tx, { ...made, createdAt: uow.now });
    await runners.saw(tx, id, uow.now);
    const added = await runners.find(tx, id);
    if (added === null) throw new Error('the runner is gone');
    return added;
  });
  const introduce = new IntroduceRunner(uow, runners, servers, sessions);
  return {
    ...{ runner, asked, tenantId },
    says: (words: { readonly mcpServers?: readonly AdvertisedMcpServer[]; readonly sessions?: readonly string[] }) =>
      introduce.execute({ tenantId, runner, keyId: newId() }, { ...SAID, mcpServers: [], sessions: [], ...words }),
    kept: () => atHome((tx) => runners.find(tx, id)),
    serversIn: (environment: string) =>
      atHome((tx) => servers.onRunners(tx, { pool: 'builders', environment, server: 'files' }, uow.now - 1)),
  };
}

describe('the introduction of a runner', () => {
  it('is kept and answered, and adds no environment to those of the runner', async () => {
    const { says, kept, runner } = await introducing();
    const { runner: answered } = await says({});
    expect(answered).toEqual({ ...runner, ...SAID });
    expect(servedEnvironments(answered)).toEqual(['staging']);
    expect(await kept()).toEqual(answered);
  });

  it('is answered with the sessions of the runner that are not open, in its order', async () => {
    const { says, asked, tenantId } = await introducing(['s-2', 's-4']);
    const sessions = ['s-3', 's-2', 's-1'];
    expect(await says({ sessions })).toMatchObject({ endedSessions: ['s-3', 's-1'] });
    expect(asked).toEqual([[tenantId, sessions]]);
  });

  it('without sessions looks none up', async () => {
    const { says, asked } = await introducing(['s-1']);
    expect(await says({})).toMatchObject({ endedSessions: [] });
    expect(asked).toEqual([]);
  });

  it('T54: replaces its MCP servers, each with the digests that Countersign makes', async () => {
    const { says, serversIn } = await introducing();
    const digest = `sha256:${'0'.repeat(64)}`;
    const tool = { tool: 'read', digest, definition: DEFINITION, problem: null };
    await says({ mcpServers: [{ name: 'files', problem: null, tools: [tool] }] });
    expect(await serversIn('staging')).toEqual([
      { name: 'files', problem: null, tools: [readMcpDefinition(DEFINITION)] },
    ]);
    expect(await serversIn('production')).toEqual([]);
    await says({});
    expect(await serversIn('staging')).toEqual([]);
  });
});
