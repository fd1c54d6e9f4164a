import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GrantedMcpTool } from '#lib/formats';
import {
  FILES_SERVER,
  HOSTILE_SERVER,
  MODERN_SERVER,
  stdioMcp,
  type StdioMcp,
} from '../../../../test/support/stdio-mcp.js';
import { until } from '../../../../test/support/until.js';
import type { StdioServers } from './stdio-servers.js';

jest.setTimeout(60_000);

interface Answered {
  readonly result: { readonly content: readonly { readonly text: string }[] };
}

let world: StdioMcp;
beforeEach(() => {
  world = stdioMcp();
});
afterEach(() => {
  world.close();
});

const wanted = (servers: StdioServers, tool: string): GrantedMcpTool => {
  const [server] = servers.advertised;
  const digest = server?.tools.find((each) => each.tool === tool)?.digest ?? '';
  return { server: server?.name ?? '', tool, digest };
};
const call = (servers: StdioServers, tool: string, given: Readonly<Record<string, string>> = {}) =>
  servers.call({
    wanted: wanted(servers, tool),
    given,
    signal: AbortSignal.timeout(30_000),
    secretsToMask: [],
  });

it('calls a server of the older protocol: the maintainers’ server of files', async () => {
  const shared = join(world.folder, 'shared');
  mkdirSync(shared);
  writeFileSync(join(shared, 'note.txt'), 'hello');
  const servers = await world.looked({ name: 'files', arguments: [FILES_SERVER, shared] });
  expect(servers.advertised).toMatchObject([{ name: 'files', problem: null }]);
  expect(await call(servers, 'read_text_file', { path: join(shared, 'note.txt') })).toMatchObject({
    ok: true,
    result: { content: [{ type: 'text', text: 'hello' }] },
  });
  expect(await call(servers, 'read_text_file', { path: join(shared, '../marks') })).toMatchObject({
    ok: false,
    effect: 'done',
    error: { code: 'mcp.tool_failed', message: expect.stringContaining('Access denied') as string },
  });
});

it('calls a server of the new protocol', async () => {
  const servers = await world.looked({ name: 'modern', arguments: [MODERN_SERVER, world.mark] });
  expect(await call(servers, 'restart', { host: 'web-01' })).toMatchObject({
    ok: true,
    result: { content: [{ type: 'text', text: 'restarted web-01' }] },
  });
  expect(world.marks()).toEqual(['web-01']);
});

it('starts it in the environment and the folder of the list alone, and leaves nothing behind', async () => {
  const servers = await world.looked({
    name: 'plain',
    arguments: [HOSTILE_SERVER, 'plain', world.mark],
    environment: { MODE: 'a', GIVEN: 'hunter2-hunter2' },
    secrets: ['hunter2-hunter2'],
  });
  const answer = (await call(servers, 'act')) as unknown as Answered;
  const { env, folder } = JSON.parse(answer.result.content[0]?.text ?? '') as { env: object; folder: string };
  expect(env).toEqual({
    ...{ MODE: 'a', PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    HOME: expect.stringContaining(join(world.folder, 'homes')) as string,
    GIVEN: expect.not.stringContaining('hunter2') as string,
  });
  expect(folder).toBe(world.folder);
  expect([readdirSync(join(world.folder, 'homes')), readdirSync(join(world.folder, 'programs'))]).toEqual([[], []]);
});

it.each(['fails', 'errors'])('masks the secrets of a server that %s', async (mode) => {
  const servers = await world.looked({
    name: 'ill',
    arguments: [HOSTILE_SERVER, mode, world.mark],
    environment: { TOKEN: 'hunter2-hunter2' },
    secrets: ['hunter2-hunter2'],
  });
  const end = await call(servers, 'act');
  expect(end).toMatchObject({ ok: false });
  expect(JSON.stringify(end)).not.toContain('hunter2');
});

it.each(['hunter2-hunter2', 'hunter2-"quoted"\\', 'hunter2\nhunter2'])(
  'advertises no definition that repeats the secret %j',
  async (secret) => {
    const servers = await world.looked({
      name: 'ill',
      arguments: [HOSTILE_SERVER, 'repeats', world.mark],
      environment: { TOKEN: secret },
      secrets: [secret],
    });
    expect(servers.advertised).toMatchObject([
      { tools: [{ tool: 'act', digest: null, problem: 'It repeats a secret of the server.' }] },
    ]);
  },
);

it.each(['blurts', 'errors'])(
  'masks secrets also if a cut goes through them, in the answer and the log: %s',
  async (mode) => {
    const secret = 'hunter2-hunter2-hunter2';
    const servers = await world.looked({
      name: 'ill',
      arguments: [HOSTILE_SERVER, mode, world.mark],
      environment: { TOKEN: secret },
      secrets: [secret],
    });
    const end = await call(servers, 'act');
    expect(end).toMatchObject({ ok: false });
    expect(
      JSON.stringify([end, world.warned], (_name, value: unknown) => (value instanceof Error ? value.message : value)),
    ).not.toContain('hunter2');
  },
);

it('does not start a program that is not there', async () => {
  const servers = await world.looked({ name: 'none', program: '/nonexistent/server' });
  expect(servers.advertised).toEqual([{ name: 'none', problem: 'The MCP server none cannot be started.', tools: [] }]);
  expect(await call(servers, 'act')).toMatchObject({ effect: 'not_started', error: { code: 'dispatch.unreachable' } });
});

it('has one look at a time, and advertises each server once it was looked at', async () => {
  const slow = { name: 'slow', program: '/bin/sh', arguments: ['-c', 'read line; sleep 300'], timeLimitSeconds: 3 };
  const servers = world.of({ name: 'modern', arguments: [MODERN_SERVER, world.mark] }, slow);
  expect(servers.advertised.map(({ problem }) => problem)).toEqual(
    Array(2).fill('The runner has not read its tools yet.'),
  );
  const looking = servers.look();
  expect(servers.look()).toBe(looking);
  await until(() => Promise.resolve(servers.advertised[0]?.problem === null ? true : null));
  expect(servers.advertised).toMatchObject([{ problem: null }, { problem: 'The runner has not read its tools yet.' }]);
  await looking;
  expect(servers.advertised[1]?.problem).toContain('did not answer within 3 seconds');
});

it('has no server that the operator does not list', async () => {
  const servers = await world.looked();
  expect(await call(servers, 'act')).toMatchObject({
    effect: 'not_started',
    error: { code: 'mcp.no_such_server' },
  });
});
