import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { EXIT } from '../../apps/cli/src/exit-codes.js';
import { serverPort } from '../support/server-port.js';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { mcpUpstream, RESTART, type McpUpstream } from '../support/mcp-upstream.js';

jest.setTimeout(60_000);

describe('MCP servers on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mcp-cli-'));
  const tokenFile = join(folder, 'ada.token');
  let api: TestApi;
  let baseUrl: string;
  let tenant: TestTenant;
  let upstream: McpUpstream;

  /** As the first admin. */
  const run = async (...argv: readonly string[]) => {
    let [out, err] = ['', ''];
    const exitCode = await runCommandLine(['mcp-server', ...argv], {
      environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: tokenFile },
      out: (text) => (out += text),
      err: (text) => (err += text),
      readLine: () => Promise.resolve(null),
      readAll: () => Promise.resolve(''),
      pieces: () => Readable.from([]),
      replay: (job) => Promise.resolve(replayDecisions(job)),
    });
    return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
  };
  const digestIn = (out: string): string => /sha256:[0-9a-f]{64}/.exec(out)?.[0] ?? '';
  const accept = (digest: string) =>
    run(
      ...['accept', 'staging', 'ops', 'restart_service', '--digest', digest, '--risk', 'state_change_nonprod'],
      ...['--scope', 'asset', '--effect', 'modify', '--idempotent', '--no-plan', '--no-simulation'],
      ...[
        '--target',
        '/host',
        '--hitl',
        'always',
        '--reason',
        'The server moves.',
        '--time-limit',
        '20',
        '--description',
        'Restarts it.',
      ],
    );

  beforeAll(async () => {
    upstream = await mcpUpstream();
    const port = await serverPort();
    baseUrl = `http://127.0.0.1:${String(port)}`;
    api = await testApi({ config: { publicUrl: baseUrl, allowedPrivateHosts: [new URL(upstream.url).host] } });
    await api.app.listen(port, '127.0.0.1');
    tenant = await api.tenant();
    writeFileSync(tokenFile, tenant.admin.token, { mode: 0o600 });
  });
  afterAll(async () => {
    await upstream.close();
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const admin = () => api.http(tenant.admin.token);

  it('are listed with their address, or with their pool of runners', async () => {
    expect((await run('list')).out).toBe('There is no MCP server.\n');
    const path = '/v1/environments/staging/executors';
    expectStatus(await admin().put(`${path}/ops`, { kind: 'mcp', url: upstream.url }), 200);
    expectStatus(await admin().put(`${path}/files`, { kind: 'mcp', pool: 'builders', server: 'shared' }), 200);
    const { out } = await run('list');
    expect(out).toContain('shared over stdio on the pool builders');
    expect(out).toContain(upstream.url);
    const looked = await run('look', 'staging', 'files');
    expect(looked.out).toContain('The pool builders has no runner for staging.');
  });

  it('show their tools, and a tool is accepted with the risk that you assign', async () => {
    const looked = await run('look', 'staging', 'ops');
    expect(looked).toMatchObject({ exitCode: 0, err: '' });
    expect(looked.out).toContain('mcp:ops:restart_service unassigned sha256:');
    expect(looked.out).toContain('description: Restarts a service of a host.');
    expect(await accept(digestIn(looked.out))).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('mcp:ops:restart_service: create, version 1') as string,
    });
    expect((await run('show', 'staging', 'ops')).out).toContain('mcp:ops:restart_service accepted');
    const { body } = expectStatus(await admin().get('/v1/tools/mcp:ops:restart_service'), 200);
    expect((body as { versions: { definition: object }[] }).versions[0]?.definition).toMatchObject({
      ...{ risk: 'state_change_nonprod', effect: 'modify', scope: 'asset', idempotent: true, requires_plan: false },
      ...{ simulation: 'not_applicable', requires_hitl: 'always', time_limit_seconds: 20 },
      ...{ description: 'Restarts it.', identity_fields: ['/host'] },
    });
  });

  it('show the difference of a definition that changed, and an acceptance that waits for a second person', async () => {
    await api.person(tenant, 'PlatformAdmin');
    upstream.tools = [{ ...RESTART, description: 'Restarts a service.\nIts data is sent along.' }];
    const { out } = await run('look', 'staging', 'ops');
    expect(out).toContain('mcp:ops:restart_service changed');
    expect(out).toContain('- Restarts a service of a host.');
    expect(out).toMatch(/\+ Restarts a service\.[^\n]*Its data is sent along\./);
    const digest = digestIn(out);
    expect((await accept(digest)).out).toContain('waits for a second person');
    const { body } = expectStatus(await admin().get('/v1/mcp-servers/staging/ops'), 200);
    const [tool] = body.tools as { standing: string; waiting: { change_request_id: string; digest: string } }[];
    expect(tool).toMatchObject({ standing: 'changed', waiting: { digest } });
    expect((await run('show', 'staging', 'ops')).out).toContain(
      `accepted by one person: change ${tool?.waiting.change_request_id ?? ''} waits for a second`,
    );
    upstream.tools = [{ ...RESTART, description: 'Restarts.' }];
    const again = await run('look', 'staging', 'ops');
    expect(again.out).toContain(`another definition, ${digest}, was accepted by one person`);
  });

  it('refuse a definition that is not the one that the server lists', async () => {
    const moved = await accept(`sha256:${'0'.repeat(64)}`);
    expect(moved.exitCode).not.toBe(EXIT.ok);
    expect(moved.err).toContain('mcp.definition_moved');
  });
});
