/**
 * Replaces the programs of a compiled package by bundles of our own code and of packages. A bundled worker starts with
 * three fifths of the work, and tests start hundreds of processes.
 *
 *   node test/support/bundle-programs.mjs FOLDER
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const [folder] = process.argv.slice(2);

/** A worker that has loaded all of its code, and begins with the first byte on its standard input. */
writeFileSync(
  join(folder, 'dist', 'apps', 'worker', 'src', 'prepared.js'),
  `import '#lib/installation';
import { once } from 'node:events';
import './start-worker.js';
await once(process.stdin, 'data');
process.stdin.destroy();
await import('./main.js');
`,
);

const programs = readdirSync(join(folder, 'dist', 'apps'))
  .flatMap((app) => ['main', 'prepared', 'replay-thread', 'search-thread'].map((name) => `apps/${app}/src/${name}`))
  .filter((name) => existsSync(join(folder, 'dist', `${name}.js`)));

await build({
  input: Object.fromEntries(programs.map((name) => [name, join(folder, 'dist', `${name}.js`)])),
  cwd: folder,
  platform: 'node',
  // Code of packages asks for optional packages before it uses them, and decorators name types.
  checks: { importIsUndefined: false, unresolvedImport: false, eval: false },
  logLevel: 'warn',
  // These libraries hold schemas, pure functions and classes: a program loads those that it uses.
  treeshake: {
    moduleSideEffects: (id) =>
      !/\/libs\/(foundation\/(api-schemas|formats|policy-inputs|words)|clients\/sdk|rules\/shell-safety)\//.test(id),
  },
  output: {
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // V8 reads all text of a program at each start. Names stay, since frameworks read those of classes.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
});
