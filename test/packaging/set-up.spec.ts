import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '#lib/database';

describe('a build', () => {
  let tree: string;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'countersign-set-up-'));
  });
  afterEach(() => {
    rmSync(tree, { recursive: true });
  });

  it('leaves commands that a shell may run', () => {
    const command = 'dist/main.js';
    const files = {
      'package.json': JSON.stringify({ bin: { countersign: command } }),
      'package-lock.json': '{ "packages": {} }',
      'node_modules/.package-lock.json': '{ "packages": {} }',
      // Stands for the compiler, which writes files without the right to run.
      'node_modules/typescript/bin/tsc': `require('node:fs').mkdirSync('dist'); require('node:fs').writeFileSync('${command}', '', { mode: 0o644 });`,
      'tools/build-web.mjs': '',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(tree, dirname(path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    cpSync(join(packageRoot(), 'tools/set-up.mjs'), join(tree, 'tools/set-up.mjs'));
    const { status, stderr } = spawnSync(process.execPath, ['tools/set-up.mjs', '--build'], {
      cwd: tree,
      encoding: 'utf8',
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(statSync(join(tree, command)).mode & 0o111).toBe(0o111);
  });
});
