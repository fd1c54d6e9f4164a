import type { GrantClaims } from '#lib/formats';
import { mcpTool } from './mcp-tool.js';
import type { StdioCall } from './stdio-servers.js';

const mcp = { server: 'files', tool: 'read', digest: `sha256:${'1'.repeat(64)}` };
const called: StdioCall[] = [];
const tool = mcpTool({
  call: (order) => {
    called.push(order);
    return Promise.resolve({ ok: true, result: {} });
  },
});
const { signal } = new AbortController();

const call = (claims: Partial<GrantClaims>) =>
  tool.call(
    { path: '/a' },
    { claims: { shell: null, ...claims } as GrantClaims, signal, output: () => undefined, secretsToMask: ['s'] },
  );
beforeEach(() => {
  called.length = 0;
});

it('calls the server, the tool and the definition that the grant names', async () => {
  expect(await call({ mcp })).toEqual({ ok: true, result: {} });
  expect(called).toEqual([{ wanted: mcp, given: { path: '/a' }, signal, secretsToMask: ['s'] }]);
});

it.each<[string, Partial<GrantClaims>]>([
  ['without a definition', {}],
  ['for a command line', { mcp, shell: { shell: 'bash', tier: 1, tree: mcp.digest } }],
])('T54: starts nothing for a grant %s', async (_what, claims) => {
  expect(await call(claims)).toMatchObject({
    effect: 'not_started',
    error: { code: 'runner.grant_without_definition' },
  });
  expect(called).toEqual([]);
});
