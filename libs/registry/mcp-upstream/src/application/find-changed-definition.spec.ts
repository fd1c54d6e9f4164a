import { newId, type Tx } from '#lib/kernel';
import { readMcpDefinition, type McpDefinition } from '#lib/mcp-client';
import type { ExecutorId } from '#lib/tool';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleTool } from '../../../tool/src/application/fake-tool.js';
import { FakeMcpLooks } from './fake-mcp-looks.js';
import { FindChangedDefinition } from './find-changed-definition.js';

const read = readMcpDefinition({ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } });
const other = readMcpDefinition({ name: 'read', description: 'Sends.', inputSchema: { type: 'object' } });
const tool = sampleTool('mcp:ops:read', {
  executor: 'ops',
  mcp: { tool: 'read', digest: read.digest ?? '' },
});

const { uow, home } = fakeWorld();
const looks = new FakeMcpLooks(uow);
const id = newId<ExecutorId>();
const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
const found = (environment = 'staging') =>
  atHome((tx) => new FindChangedDefinition(looks).execute(tx, environment, [sampleTool('look'), tool]));
const seen = (tools: readonly McpDefinition[], lookedAt: number | null = 1) =>
  atHome((tx) => looks.save(tx, id, { lookedAt, problem: null, tools }));

beforeEach(() =>
  atHome((tx) => {
    looks.add(tx, { id, environment: 'staging', name: 'ops', url: null, secret: null, onRunner: null });
    return Promise.resolve();
  }),
);

it('finds none before the first look, and none of a definition as it was accepted', async () => {
  expect(await found()).toBeNull();
  await seen([read]);
  expect(await found()).toBeNull();
});

it.each<[string, readonly McpDefinition[]]>([
  ['defined in another way', [other]],
  ['no longer listed', []],
  ['listed twice', [read, read]],
])('T54: finds a tool that is %s', async (_how, tools) => {
  await seen(tools);
  expect(await found()).toMatchObject({ kind: 'conflict', code: 'mcp.definition_changed' });
  expect(await found('production')).toBeNull();
});
