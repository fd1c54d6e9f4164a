import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '#lib/database';

const library = (name: string) => ({ types: `./libs/foundation/${name}/src/index.ts` });

describe('tools/build-web.mjs', () => {
  const tree = mkdtempSync(join(tmpdir(), 'countersign-build-web-'));
  const write = (path: string, text: string): void => {
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };

  beforeAll(() => {
    const imports = { '#lib/shown': library('shown'), '#lib/below': library('below'), '#lib/other': library('other') };
    write('package.json', JSON.stringify({ imports }));
    write('docs/slack-app-manifest.yaml', '');
    write('apps/web/src/main.tsx', "import { shown } from '#lib/shown';\n");
    write('libs/foundation/shown/src/index.ts', "export { below } from '#lib/below';\n");
    write('libs/foundation/below/src/index.ts', 'export const below = 1;\n');
    write('libs/foundation/other/src/index.ts', '');
    // Stands for the bundler, and counts its builds.
    write('node_modules/vite/package.json', '{ "name": "vite", "type": "module", "main": "index.js" }');
    write(
      'node_modules/vite/index.js',
      `import { appendFileSync, mkdirSync } from 'node:fs';
       export const build = ({ build: { outDir } }) => {
         mkdirSync(outDir, { recursive: true });
         appendFileSync('builds', '.');
       };`,
    );
    mkdirSync(join(tree, 'dist'));
    cpSync(join(packageRoot(), 'tools/build-web.mjs'), join(tree, 'tools/build-web.mjs'));
  });
  afterAll(() => {
    rmSync(tree, { recursive: true });
  });

  function buildsSoFar(): number {
    const { status, stderr } = spawnSync(process.execPath, ['tools/build-web.mjs'], { cwd: tree, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    return readFileSync(join(tree, 'builds'), 'utf8').length;
  }

  it('builds anew if a library changed that the pages import, directly or not, and not otherwise', () => {
    expect([buildsSoFar(), buildsSoFar()]).toEqual([1, 1]);
    write('libs/foundation/other/src/index.ts', 'export const other = 1;\n');
    expect(buildsSoFar()).toBe(1);
    write('libs/foundation/below/src/index.ts', 'export const below = 2;\n');
    expect(buildsSoFar()).toBe(2);
    write('libs/foundation/shown/src/index.ts', "export { below as shown } from '#lib/below';\n");
    expect(buildsSoFar()).toBe(3);
  });
});
