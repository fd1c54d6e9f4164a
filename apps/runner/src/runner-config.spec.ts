import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerConfigFrom } from './runner-config.js';

const needed = {
  COUNTERSIGN_URL: 'https://countersign.example/',
  COUNTERSIGN_RUNNER_ROOT: '/srv/code',
  COUNTERSIGN_RUNNER_DATA: '/var/lib/runner',
  COUNTERSIGN_RUNNER_ENVIRONMENTS: 'staging, development',
};

it('reads what is needed, and has a default for the rest', () => {
  expect(runnerConfigFrom(needed)).toEqual({
    url: 'https://countersign.example',
    root: '/srv/code',
    data: '/var/lib/runner',
    executor: 'workspace',
    environments: ['staging', 'development'],
    token: null,
    tokenFile: null,
    atOnce: 4,
    checks: ['test'],
    programFolders: ['/usr/local/bin', '/usr/bin', '/bin'],
    hooks: new Map(),
    mcpServers: [],
    privateHosts: [],
    embedder: null,
    embedderTokenFile: null,
    sandbox: 'required',
    logLevel: 'info',
  });
});

it('reads the programs of hooks', () => {
  const hooks = 'notify=/usr/local/bin/notify, scripts/check.sh=/opt/check.sh';
  expect(runnerConfigFrom({ ...needed, COUNTERSIGN_RUNNER_HOOKS: hooks }).hooks).toEqual(
    new Map([
      ['notify', '/usr/local/bin/notify'],
      ['scripts/check.sh', '/opt/check.sh'],
    ]),
  );
});

it.each([
  ['a relative path', 'notify=bin/notify', 'must be names with absolute paths'],
  ['no name', '/usr/local/bin/notify', 'must be names with absolute paths'],
  ['a name twice', 'a=/bin/a,a=/bin/b', 'names a twice'],
  ['a program in the root', 'a=/srv/code/a', 'lies in COUNTERSIGN_RUNNER_ROOT'],
  ['a program in the root by another spelling', 'a=/srv/x/../code/a', 'lies in COUNTERSIGN_RUNNER_ROOT'],
])('refuses %s among the programs of hooks', (_, hooks, why) => {
  expect(() => runnerConfigFrom({ ...needed, COUNTERSIGN_RUNNER_HOOKS: hooks })).toThrow(why);
});

it('reads the token from its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-token-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'csr_token\n');
  expect(runnerConfigFrom({ ...needed, COUNTERSIGN_RUNNER_TOKEN_FILE: file })).toMatchObject({
    token: 'csr_token',
    tokenFile: realpathSync(file),
  });
  rmSync(folder, { recursive: true });
});

it.each([
  ['itself', 'root/token'],
  ['by a link to it', 'linked/token'],
  ['by a link in it', 'root/link'],
])('refuses a token file in the root %s (T53)', (_, file) => {
  const base = mkdtempSync(join(tmpdir(), 'countersign-token-'));
  const [root, outside] = [join(base, 'root'), join(base, 'outside')];
  mkdirSync(root);
  for (const path of [join(root, 'token'), outside]) writeFileSync(path, 'csr_token\n');
  symlinkSync(outside, join(root, 'link'));
  symlinkSync(root, join(base, 'linked'));
  const settings = { COUNTERSIGN_RUNNER_ROOT: root, COUNTERSIGN_RUNNER_TOKEN_FILE: join(base, file) };
  expect(() => runnerConfigFrom({ ...needed, ...settings })).toThrow(
    /^start.wrong_setting: COUNTERSIGN_RUNNER_TOKEN_FILE must not lie in COUNTERSIGN_RUNNER_ROOT/,
  );
  rmSync(base, { recursive: true });
});

it.each([
  ['COUNTERSIGN_URL', undefined],
  ['COUNTERSIGN_URL', 'ftp://x.example'],
  ['COUNTERSIGN_URL', 'https://u:hunter2@c.example'],
  ['COUNTERSIGN_URL', 'https://c.example/?a=hunter2'],
  ['COUNTERSIGN_URL', 'https://c.example/#hunter2'],
  ['COUNTERSIGN_RUNNER_ROOT', undefined],
  ['COUNTERSIGN_RUNNER_ENVIRONMENTS', ','],
  ['COUNTERSIGN_RUNNER_ENVIRONMENTS', 'Staging!'],
  ['COUNTERSIGN_RUNNER_AT_ONCE', '0'],
  ['COUNTERSIGN_RUNNER_PATH', 'bin:/usr/bin'],
  ['COUNTERSIGN_RUNNER_SANDBOX', 'maybe'],
  ['COUNTERSIGN_RUNNER_TOKEN_FILE', '/nonexistent/token'],
  ['COUNTERSIGN_RUNNER_DATA', '/srv/code/data'],
])('names %s if it is %s', (name, value) => {
  expect(() => runnerConfigFrom({ ...needed, [name]: value })).toThrow(new RegExp(`^start.wrong_setting: ${name} `));
});

it('refuses an http address of another machine, unless the operator calls the network private', () => {
  const settings = { ...needed, COUNTERSIGN_URL: 'http://countersign.example:8420' };
  const wayOut = 'Use https://, or set COUNTERSIGN_ALLOW_PLAIN_HTTP=1 if the network on the way is private.';
  expect(() => runnerConfigFrom(settings)).toThrow(
    expect.objectContaining({
      failure: expect.objectContaining({
        code: 'connection.plain_http',
        message: 'Tokens would go to countersign.example:8420 unencrypted.',
        action: wayOut,
      }),
    }),
  );
  expect(() => runnerConfigFrom({ ...settings, COUNTERSIGN_ALLOW_PLAIN_HTTP: '' })).toThrow('unencrypted');
  expect(runnerConfigFrom({ ...settings, COUNTERSIGN_ALLOW_PLAIN_HTTP: '1' }).url).toBe(settings.COUNTERSIGN_URL);
  expect(runnerConfigFrom({ ...needed, COUNTERSIGN_URL: 'http://127.0.0.1:8420' }).url).toBe('http://127.0.0.1:8420');
});

it('takes an empty setting for one that is not set', () => {
  const optional = [
    ...['AT_ONCE', 'CHECKS', 'PATH', 'HOOKS', 'EXECUTOR', 'SANDBOX', 'TOKEN_FILE', 'MCP_FILE'],
    ...['EMBEDDER_URL', 'EMBEDDER_MODEL', 'EMBEDDER_DIMENSIONS'],
  ].map((name) => `COUNTERSIGN_RUNNER_${name}`);
  const empty = [...optional, 'COUNTERSIGN_LOG_LEVEL', 'COUNTERSIGN_ALLOWED_PRIVATE_HOSTS'].map((name) => [name, '']);
  expect(runnerConfigFrom({ ...needed, ...Object.fromEntries(empty) })).toEqual(runnerConfigFrom(needed));
  expect(() => runnerConfigFrom({ ...needed, COUNTERSIGN_RUNNER_ROOT: '' })).toThrow('ROOT is missing.');
});

it.each([
  ['COUNTERSIGN_URL', 'x', 'must be an http or https address without user, query or fragment'],
  [
    'COUNTERSIGN_URL',
    'https://u:hunter2@c.example',
    'must be an http or https address without user, query or fragment.',
  ],
  ['COUNTERSIGN_RUNNER_AT_ONCE', 'many', 'must be a whole number from 1 to 32'],
  ['COUNTERSIGN_RUNNER_AT_ONCE', '1.5', 'must be a whole number from 1 to 32'],
  ['COUNTERSIGN_RUNNER_SANDBOX', 'maybe', 'must be one of where_possible, required, off'],
  ['COUNTERSIGN_LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error, fatal, silent'],
  ['COUNTERSIGN_ALLOWED_PRIVATE_HOSTS', 'http://10.0.0.5/', 'must be hosts, as host or host:port, with commas between'],
  ['COUNTERSIGN_RUNNER_EMBEDDER_URL', 'models', 'must be an address that begins with https, or with http on'],
  ['COUNTERSIGN_RUNNER_EMBEDDER_DIMENSIONS', '7', 'must be a whole number from 8 to 4096'],
])('says the form of %s if it is %s', (name, value, words) => {
  expect(() => runnerConfigFrom({ ...needed, [name]: value })).toThrow(`${name} ${words}`);
});

describe('the embedder of a runner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-embedder-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'model-token\n');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const set = (settings: Record<string, string>) =>
    runnerConfigFrom({
      ...needed,
      COUNTERSIGN_RUNNER_EMBEDDER_URL: 'https://models.example.com/v1',
      COUNTERSIGN_RUNNER_EMBEDDER_MODEL: 'one',
      ...settings,
    });

  it('has an address and a model, and its token from a file', () => {
    const plain = { url: 'https://models.example.com/v1', model: 'one', dimensions: null, token: null, ca: null };
    expect(set({})).toMatchObject({ embedder: plain, embedderTokenFile: null });
    expect(
      set({
        ...{ COUNTERSIGN_RUNNER_EMBEDDER_TOKEN_FILE: file, COUNTERSIGN_RUNNER_EMBEDDER_CA_FILE: file },
        ...{ COUNTERSIGN_RUNNER_EMBEDDER_DIMENSIONS: '256' },
      }),
    ).toMatchObject({
      embedder: { ...plain, dimensions: 256, token: 'model-token', ca: 'model-token' },
      embedderTokenFile: realpathSync(file),
    });
    expect(set({ COUNTERSIGN_RUNNER_EMBEDDER_URL: 'http://127.0.0.1:11434/v1' }).embedder).not.toBeNull();
  });

  it.each([
    ['an address in the clear', { COUNTERSIGN_RUNNER_EMBEDDER_URL: 'http://models.example.com/v1' }, 'https'],
    ['credentials', { COUNTERSIGN_RUNNER_EMBEDDER_URL: 'https://u:p@models.example.com/v1' }, 'credentials'],
    ['no model', { COUNTERSIGN_RUNNER_EMBEDDER_MODEL: '' }, 'COUNTERSIGN_RUNNER_EMBEDDER_MODEL'],
    ['a missing token', { COUNTERSIGN_RUNNER_EMBEDDER_TOKEN_FILE: '/nowhere/token' }, 'cannot be read'],
  ])('is refused with %s', (_, settings, why) => {
    expect(() => set(settings)).toThrow(why);
  });
});
