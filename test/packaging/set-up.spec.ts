import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { packageRoot } from '#lib/database';

describe('a set-up', () => {
  const command = 'dist/main.js';
  let tree: string;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'countersign-set-up-'));
    const files = {
      'package.json': JSON.stringify({ bin: { countersign: command } }),
      'package-lock.json': '{ "packages": {} }',
      'node_modules/.package-lock.json': '{ "packages": {} }',
      // Stands for the compiler, which writes files without the right to run, and finds a wrong type.
      'node_modules/typescript-7/bin/tsc': `
        require('node:fs').mkdirSync('dist');
        require('node:fs').writeFileSync('${command}', '', { mode: 0o644 });
        process.exit(process.argv.includes('--noCheck') || !require('node:fs').existsSync('wrong-type') ? 0 : 2);`,
      'tools/bundle-programs.mjs': '',
      'tools/build-web.mjs': `
        import { writeFileSync } from 'node:fs';
        writeFileSync('dist/web', '');`,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(tree, dirname(path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    for (const tool of ['tools/set-up.mjs', 'tools/addressed-lock.mjs'])
      cpSync(join(packageRoot(), tool), join(tree, tool));
  });
  afterEach(() => {
    rmSync(tree, { recursive: true });
  });

  function setUp(...options: readonly string[]): number | null {
    return setUpWith(`${join(tree, 'bin')}${delimiter}${process.env.PATH ?? ''}`, ...options).status;
  }

  function setUpWith(path: string, ...options: readonly string[]): { status: number | null; said: string } {
    const { status, stderr } = spawnSync(process.execPath, ['tools/set-up.mjs', ...options], {
      cwd: tree,
      env: { ...process.env, PATH: path },
      encoding: 'utf8',
    });
    return { status, said: stderr };
  }

  it('leaves commands of a build that a shell may run', () => {
    expect(setUp('--build')).toBe(0);
    expect(statSync(join(tree, command)).mode & 0o111).toBe(0o111);
  });

  it('refuses a build if a type is wrong', () => {
    writeFileSync(join(tree, 'wrong-type'), '');
    expect(setUp('--build')).toBe(1);
  });

  it('emits without the web UI if a type is wrong, since a generated client may be out of date', () => {
    writeFileSync(join(tree, 'wrong-type'), '');
    expect(setUp('--emit')).toBe(0);
    expect(existsSync(join(tree, command))).toBe(true);
    expect(existsSync(join(tree, 'dist/web'))).toBe(false);
  });

  it('builds sources that a caller has checked without a second look at the types', () => {
    writeFileSync(join(tree, 'wrong-type'), '');
    expect(setUp('--emit', '--build')).toBe(0);
    expect(existsSync(join(tree, 'dist/web'))).toBe(true);
  });

  describe('of dependencies', () => {
    const locked = {
      'node_modules/plain': { version: '1.0.0', integrity: 'sha512-plain' },
      'node_modules/plain/node_modules/@ours/inner': { version: '2.0.0', integrity: 'sha512-inner' },
      'node_modules/alias': { name: '@other/real', version: '3.0.0', integrity: 'sha512-real' },
    };
    /**
     * Stands for npm. It keeps the lock file that it got, and installs one package. It fails after that if its lock file says so.
     */
    function npm(status: { addressed: number; plain: number }): void {
      const file = join(tree, 'bin/npm');
      mkdirSync(dirname(file), { recursive: true });
      const settings = { registry: 'https://registry.test/npm', '@ours:registry': 'https://ours.test/' };
      writeFileSync(
        file,
        `#!/usr/bin/env node
        const { copyFileSync, mkdirSync, readFileSync } = require('node:fs');
        if (process.argv[2] === 'config') console.log(${JSON.stringify(JSON.stringify(settings))});
        else {
          copyFileSync('package-lock.json', ${JSON.stringify(join(tree, 'given-lock.json'))});
          mkdirSync('node_modules/plain', { recursive: true });
          copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
          const addressed = readFileSync('package-lock.json', 'utf8').includes('resolved');
          process.exit(addressed ? ${String(status.addressed)} : ${String(status.plain)});
        }`,
        { mode: 0o755 },
      );
    }
    const modules = (): string[] => readdirSync(join(tree, 'node_modules')).sort();
    beforeEach(() => {
      writeFileSync(join(tree, '.npmrc'), '');
      writeFileSync(join(tree, 'package-lock.json'), JSON.stringify({ packages: locked }));
      mkdirSync(join(tree, 'node_modules/former'));
    });

    it('tells npm where each package is, so npm asks for no list of versions', () => {
      npm({ addressed: 0, plain: 1 });
      expect(setUp()).toBe(0);
      const given = JSON.parse(readFileSync(join(tree, 'given-lock.json'), 'utf8')) as {
        packages: Record<string, { resolved: string }>;
      };
      expect(Object.values(given.packages).map(({ resolved }) => resolved)).toEqual([
        'https://registry.test/npm/plain/-/plain-1.0.0.tgz',
        'https://ours.test/@ours/inner/-/inner-2.0.0.tgz',
        'https://registry.test/npm/@other/real/-/real-3.0.0.tgz',
      ]);
    });

    it('replaces the packages of before, and is ready then', () => {
      npm({ addressed: 0, plain: 1 });
      expect(setUp()).toBe(0);
      expect(modules()).toEqual(['.package-lock.json', 'plain']);
      npm({ addressed: 1, plain: 1 });
      expect(setUp()).toBe(0);
    });

    it('lets npm look the packages up if the registry has one of them at another address', () => {
      npm({ addressed: 1, plain: 0 });
      expect(setUp()).toBe(0);
      expect(modules()).toEqual(['.package-lock.json', 'plain']);
      expect(readFileSync(join(tree, 'given-lock.json'), 'utf8')).toBe(JSON.stringify({ packages: locked }));
    });

    it('keeps the packages of before if npm fails, and tries again the next time', () => {
      npm({ addressed: 1, plain: 1 });
      expect(setUp()).toBe(1);
      expect(modules()).toEqual(expect.arrayContaining(['former', 'typescript-7']));
      npm({ addressed: 0, plain: 1 });
      expect(setUp()).toBe(0);
      expect(modules()).toEqual(['.package-lock.json', 'plain']);
    });

    it('says only that npm failed before it tries again: a full disk may be the cause', () => {
      npm({ addressed: 1, plain: 1 });
      const { status, said } = setUpWith(`${join(tree, 'bin')}${delimiter}${process.env.PATH ?? ''}`);
      expect(status).toBe(1);
      expect(said).toContain(
        'npm failed. It tries again without addresses, since the registry may keep packages elsewhere',
      );
      expect(said).toContain('countersign: Installing dependencies failed.');
    });

    it('says that npm was not found, and the next step', () => {
      const { status, said } = setUpWith(join(tree, 'tools'));
      expect(status).toBe(1);
      expect(said).toContain('countersign: npm was not found');
      expect(said).toContain('add its folder to the PATH');
      expect(said).not.toContain('    at ');
      expect(modules()).toContain('former');
    });
  });
});
