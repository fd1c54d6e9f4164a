import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '#lib/database';
import { compiledPackage } from '../support/compiled-package.js';

/** Of a bare Node, as programs are started: V8 takes compiled code for the same options alone. */
function node(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env: {}, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** The chunks of the last build: those that a build kept of a former one have no compiled code. */
const compiledChunks = (folder: string): string[] =>
  readdirSync(join(folder, 'dist/programs/chunks'))
    .filter((name) => name.endsWith('.cache'))
    .map((name) => name.slice(0, -'.cache'.length));

/** The chunks with compiled code that V8 refuses. */
const refusedChunks = (folder: string): unknown =>
  JSON.parse(
    node(
      [
        '--eval',
        `const { Script } = require('node:vm');
         const { readFileSync } = require('node:fs');
         const { wrapped } = require('./dist/programs/load-compiled.cjs');
         const chunks = ${JSON.stringify(compiledChunks(folder))};
         const refused = chunks.filter((name) => {
           const path = 'dist/programs/chunks/' + name;
           return new Script(wrapped(path), { cachedData: readFileSync(path + '.cache') }).cachedDataRejected;
         });
         console.log(JSON.stringify([chunks.length > 0, refused]));`,
      ],
      folder,
    ),
  );

describe('tools/bundle-programs.mjs', () => {
  const tree = mkdtempSync(join(tmpdir(), 'countersign-bundle-'));
  const write = (path: string, text: string): void => {
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  const bundle = (): string => node([join(packageRoot(), 'tools/bundle-programs.mjs'), tree], packageRoot());
  /** Chunks that are not of the last build. */
  const kept = (): string[] =>
    readdirSync(join(tree, 'dist/programs/chunks')).filter(
      (name) => name.endsWith('.cjs') && !compiledChunks(tree).includes(name),
    );
  const program = join(tree, 'dist/programs/one/main.js');

  beforeAll(() => {
    write('package.json', '{ "type": "module" }');
    write('dist/apps/one/src/main.js', "import { say } from '../../../libs/say.js';\nsay('started');\n");
    write('dist/libs/say.js', 'export const say = (text) => console.log(text);\n');
  });
  afterAll(() => {
    rmSync(tree, { recursive: true });
  });

  it('starts no program, and leaves compiled programs that need no other file', () => {
    expect(bundle()).toBe('');
    expect(node([program], tree)).toBe('started\n');
    expect(kept()).toEqual([]);
    expect(refusedChunks(tree)).toEqual([true, []]);
  });

  it('bundles anew if compiled code changed, and not otherwise', () => {
    const before = statSync(program).ino;
    bundle();
    expect(statSync(program).ino).toBe(before);
    write('dist/libs/say.js', 'export const say = (text) => console.log(text + " anew");\n');
    bundle();
    expect(node([program], tree)).toBe('started anew\n');
  });

  it('keeps the chunks of former builds for a week, since a running program loads some of them late', () => {
    const [chunk] = kept();
    const path = join(tree, 'dist/programs/chunks', chunk ?? '');
    expect(readFileSync(path, 'utf8')).not.toContain('anew');
    write(
      'dist/libs/say.js',
      'export const say = (text) => console.log(text + " anew");\n\n\n/** Again. */\nvoid 0;\n',
    );
    bundle();
    expect(kept()).toContain(chunk);
    const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);
    utimesSync(path, old, old);
    write('dist/libs/say.js', 'export const say = (text) => console.log(text + " anew");\n');
    bundle();
    expect(kept()).not.toContain(chunk);
  });

  it('leaves programs that start under options of V8, and without the compiled code', () => {
    expect(node(['--max-old-space-size=256', program], tree)).toBe('started anew\n');
    const chunks = join(tree, 'dist/programs/chunks');
    for (const name of readdirSync(chunks).filter((file) => file.endsWith('.cache'))) rmSync(join(chunks, name));
    expect(node([program], tree)).toBe('started anew\n');
  });
});

describe('the programs of Countersign', () => {
  it('have their code compiled', () => {
    expect(refusedChunks(compiledPackage())).toEqual([true, []]);
  });
});
