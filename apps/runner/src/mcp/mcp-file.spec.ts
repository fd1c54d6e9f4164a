import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpServersIn } from './mcp-file.js';

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-file-')));
  root = join(folder, 'root');
  mkdirSync(root);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function read(servers: object, variables: Readonly<Record<string, string>> = {}, at = join(folder, 'mcp.yaml')) {
  writeFileSync(at, JSON.stringify({ servers }));
  return mcpServersIn(at, root, variables);
}
const refusal = (message: string) => ({
  failure: { code: 'start.wrong_setting', message: expect.stringContaining(message) as string },
});
const thrown = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

it('has each server as the operator lists it', () => {
  expect(read({ files: { program: '/usr/bin/node' } })).toEqual([
    {
      name: 'files',
      program: '/usr/bin/node',
      arguments: [],
      environment: {},
      secrets: [],
      folder: '/',
      timeLimitSeconds: 60,
    },
  ]);
  const all = {
    ...{ program: '/opt/server', arguments: ['--fast'], environment: { MODE: 'a' }, secrets: ['DB_TOKEN'] },
    ...{ folder, time_limit_seconds: 5 },
  };
  expect(read({ db: all }, { DB_TOKEN: 'hunter2', OTHER: 'x' })).toEqual([
    {
      ...{ name: 'db', program: '/opt/server', arguments: ['--fast'], folder, timeLimitSeconds: 5 },
      ...{ environment: { MODE: 'a', DB_TOKEN: 'hunter2' }, secrets: ['hunter2'] },
    },
  ]);
});

it.each<[string, object, string]>([
  ['a program without an absolute path', { files: { program: 'node' } }, 'must be an absolute path'],
  ['a relative folder', { files: { program: '/a', folder: 'b' } }, 'must be an absolute path'],
  ['a name that no executor has', { 'Files!': { program: '/a' } }, 'servers'],
  ['a variable that is none', { files: { program: '/a', environment: { 'A=B': 'c' } } }, 'environment'],
  ['a secret that the runner does not have', { files: { program: '/a', secrets: ['NONE'] } }, 'gives the secret NONE'],
  ['a setting that there is not', { files: { program: '/a', shell: true } }, 'shell'],
])('is refused with %s', (_what, servers, words) => {
  expect(thrown(() => read(servers))).toMatchObject(refusal(words));
});

it('T53: is refused if tools could change the file or a program', () => {
  const files = { files: { program: join(root, 'server') } };
  expect(thrown(() => read(files))).toMatchObject(refusal('lies in COUNTERSIGN_RUNNER_ROOT'));
  writeFileSync(join(root, 'real'), '');
  symlinkSync(join(root, 'real'), join(folder, 'link'));
  const linked = { files: { program: join(folder, 'link') } };
  expect(thrown(() => read(linked))).toMatchObject(refusal('lies in COUNTERSIGN_RUNNER_ROOT'));
  expect(thrown(() => read({}, {}, join(root, 'mcp.yaml')))).toMatchObject(refusal('must not lie in'));
});

it.each<[string, (root: string) => object]>([
  ['a script as its argument', (root) => ({ arguments: ['--fast', join(root, 'server.js')] })],
  ['a script that is not there yet', (root) => ({ arguments: [join(root, 'later.js')] })],
  ['a script by a relative path', (root) => ({ arguments: ['root/server.js'], folder: join(root, '..') })],
  ['a script by a link', (root) => ({ arguments: [join(root, '../linked/server.js')] })],
  ['a script in an option', (root) => ({ arguments: [`--require=${join(root, 'server.js')}`] })],
  ['a script in a variable', (root) => ({ environment: { NODE_OPTIONS: `--require ${join(root, 'server.js')}` } })],
  ['a folder of code in a variable', (root) => ({ environment: { PYTHONPATH: `/opt/lib:${root}` } })],
  ['the root as its folder', (root) => ({ folder: root })],
  ['a folder in the root', (root) => ({ folder: join(root, 'inner') })],
])('T53: is refused if a server has %s', (_what, parts) => {
  mkdirSync(join(root, 'inner'));
  writeFileSync(join(root, 'server.js'), '');
  symlinkSync(root, join(folder, 'linked'));
  const listed = { files: { program: '/usr/bin/node', ...parts(root) } };
  expect(thrown(() => read(listed))).toMatchObject(refusal('lies in COUNTERSIGN_RUNNER_ROOT'));
});

it('has a server with folders of the workspace as its data', () => {
  const given = { arguments: ['/opt/server.js', root], environment: { SERVED: root } };
  expect(read({ files: { program: '/usr/bin/node', ...given } })).toMatchObject([given]);
});

it('is refused if it is no YAML, or not there', () => {
  writeFileSync(join(folder, 'ill.yaml'), 'servers: [');
  for (const name of ['ill.yaml', 'none.yaml'])
    expect(thrown(() => mcpServersIn(join(folder, name), root, {}))).toMatchObject(refusal('cannot be read as YAML'));
});
