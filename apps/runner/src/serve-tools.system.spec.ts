import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GrantClaims, GrantedLine } from '#lib/formats';
import { executableTree, treeDigest } from '#lib/shell-safety';
import { runnerConfigFrom, type RunnerConfig } from './runner-config.js';
import { KeyFile } from './runner-key.js';
import { serveTools, type ServedWorkspace } from './serve-tools.js';

const base = mkdtempSync('/var/tmp/countersign-runner-');
const [root, data] = [join(base, 'root'), join(base, 'data')];
for (const folder of [root, data]) mkdirSync(folder);
afterAll(() => {
  rmSync(base, { recursive: true });
});

const NO_PROGRAM = new URL('file:///nonexistent/search-thread.js');

let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
});

const served = async (settings: Readonly<Record<string, string>>) => {
  const config: RunnerConfig = runnerConfigFrom({
    COUNTERSIGN_URL: 'https://countersign.example',
    COUNTERSIGN_RUNNER_ROOT: root,
    COUNTERSIGN_RUNNER_DATA: data,
    COUNTERSIGN_RUNNER_ENVIRONMENTS: 'staging',
    COUNTERSIGN_RUNNER_PATH: '/usr/bin:/bin',
    ...settings,
  });
  const warn = (message: string): unknown => warnings.push(message);
  return await serveTools(config, () => Promise.reject(new Error('no tool fetches')), warn, NO_PROGRAM);
};

/** A line as the plane grants it. */
function granted(command: string): GrantedLine {
  const made = executableTree(command, 'bash');
  if (!made.ok) throw new Error(made.error.message);
  return { shell: 'bash', tier: 2, tree: treeDigest(made.value) };
}

describe('T53: a grant of a command line', () => {
  it('is refused by every tool that takes none, before anything starts', async () => {
    const { tools } = await served({ COUNTERSIGN_RUNNER_SANDBOX: 'off' });
    const claims = { basis: 'approval', shell: granted('ls') } as GrantClaims;
    const context = { claims, signal: new AbortController().signal, output: () => undefined, secretsToMask: [] };
    const others = [...tools.values()].filter(({ name }) => name !== 'terminal-run');
    expect(others.map(({ name }) => name)).toContain('file-write');
    for (const { call } of others)
      expect(await call({ path: 'made', content: 'x' }, context)).toMatchObject({
        effect: 'not_started',
        error: { code: 'runner.takes_no_line' },
      });
    expect(readdirSync(root)).toEqual([]);
  });
});

describe('a runner without a sandbox', () => {
  it.each([
    ['required', 'lines and scripts are refused: bubblewrap is not installed'],
    ['where_possible', 'lines and scripts run without a sandbox, and could read the key: bubblewrap is not installed'],
  ])('warns of it when it starts: %s', async (sandbox, warning) => {
    const empty = join(base, 'programs');
    mkdirSync(empty, { recursive: true, mode: 0o755 });
    await served({ COUNTERSIGN_RUNNER_SANDBOX: sandbox, COUNTERSIGN_RUNNER_PATH: empty });
    expect(warnings).toEqual([warning]);
  });
});

describe('the way back of a workspace', () => {
  it('is there as long as a snapshot of the whole root is complete', async () => {
    const { noWayBack } = await served({ COUNTERSIGN_RUNNER_SANDBOX: 'off' });
    expect(await noWayBack()).toBeNull();
    const deep = join(root, ...Array<string>(70).fill('d'));
    mkdirSync(deep, { recursive: true });
    expect(await noWayBack()).toMatch(/is too deep$/);
    rmSync(root, { recursive: true });
    expect(await noWayBack()).toBe('the workspace cannot be measured');
    mkdirSync(root);
  });
});

/** The output and results of command lines on a runner. */
async function seenBy({ tools }: ServedWorkspace, commands: readonly string[]): Promise<string> {
  const tool = tools.get('terminal-run');
  const output: string[] = [];
  for (const command of commands) {
    const claims = { basis: 'approval', source: { type: 'tool_call', id: 'one' }, shell: granted(command) };
    const outcome = await tool?.call(
      { command },
      {
        claims: claims as GrantClaims,
        signal: new AbortController().signal,
        output: ({ text }) => output.push(text),
        secretsToMask: [],
      },
    );
    output.push(JSON.stringify(outcome));
  }
  return output.join('');
}

describe('the private key of a runner', () => {
  it.each(['required', 'where_possible', 'off'])('is read by no line, sandbox %s (T53)', async (sandbox) => {
    const { d } = await new KeyFile(data).next();
    const seen = await seenBy(await served({ COUNTERSIGN_RUNNER_SANDBOX: sandbox }), [
      ...[`base64 -w0 ${data}/next-key.json`, 'cut -c1-1000 ../data/next-key.json', 'grep -r d ..'],
    ]);
    expect(seen).toMatch(/No such file|shell\.(?:no_sandbox|hidden_path)/);
    expect(seen).not.toContain(d);
    expect(seen).not.toContain(Buffer.from(d).toString('base64').slice(8, 40));
  });

  it.each([
    ['in the root, by a link', { COUNTERSIGN_RUNNER_ROOT: join(base, 'link') }],
    ['around the root', { COUNTERSIGN_RUNNER_DATA: base }],
  ])('keeps a runner from starting if its folder is %s (T53)', async (_, settings) => {
    rmSync(join(base, 'link'), { force: true });
    symlinkSync(base, join(base, 'link'));
    await expect(served(settings)).rejects.toMatchObject({
      failure: { code: 'start.wrong_setting', message: expect.stringContaining('COUNTERSIGN_RUNNER_DATA') },
    });
  });
});

describe('the one-time token of a runner', () => {
  const token = join(base, 'token');

  it.each(['required', 'where_possible', 'off'])('is read by no line, sandbox %s (T53)', async (sandbox) => {
    writeFileSync(token, 'csr_one_time');
    const settings = { COUNTERSIGN_RUNNER_SANDBOX: sandbox, COUNTERSIGN_RUNNER_TOKEN_FILE: token };
    const seen = await seenBy(await served(settings), [`base64 -w0 ${token}`, 'cut -c1-99 ../token']);
    expect(seen).toMatch(/Permission denied|shell\.(?:no_sandbox|hidden_path)/);
    expect(seen).not.toContain('csr_one');
    expect(seen).not.toContain(Buffer.from('csr_one').toString('base64').slice(0, 8));
  });

  it('stops no line if its file is gone by then', async () => {
    writeFileSync(token, 'csr_one_time');
    const settings = { COUNTERSIGN_RUNNER_SANDBOX: 'where_possible', COUNTERSIGN_RUNNER_TOKEN_FILE: token };
    const workspace = await served(settings);
    rmSync(token);
    expect(await seenBy(workspace, ['echo on'])).toContain('"exit_status":0');
  });
});
