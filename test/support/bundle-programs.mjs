/**
 * Replaces the programs of a compiled package by bundles of our own code and of packages. A bundled worker starts with
 * three fifths of the work, and tests start hundreds of processes.
 *
 *   node test/support/bundle-programs.mjs FOLDER
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const [folder] = process.argv.slice(2);
const programs = readdirSync(join(folder, 'dist', 'apps'))
  .flatMap((app) => ['main', 'replay-thread'].map((name) => `apps/${app}/src/${name}`))
  .filter((name) => existsSync(join(folder, 'dist', `${name}.js`)));

await build({
  input: Object.fromEntries(programs.map((name) => [name, join(folder, 'dist', `${name}.js`)])),
  cwd: folder,
  platform: 'node',
  // Some name a type, or a package that is nobody's dependency, and check for it before they use it.
  checks: { importIsUndefined: false, unresolvedImport: false, eval: false },
  logLevel: 'warn',
  output: {
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});
