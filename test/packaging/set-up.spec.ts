import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    cpSync(join(packageRoot(), 'tools/set-up.mjs'), join(tree, 'tools/set-up.mjs'));
  });
  afterEach(() => {
    rmSync(tree, { recursive: true });
  });

  function setUp(...options: readonly string[]): number | null {
    return spawnSync(process.execPath, ['tools/set-up.mjs', ...options], { cwd: tree }).status;
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
});
