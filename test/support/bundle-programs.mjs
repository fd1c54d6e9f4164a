/**
 * Replaces the programs of a compiled package by bundles of our own code; packages of others stay outside. A bundled
 * worker starts with two thirds of the work, and tests start hundreds of processes.
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
  external: (id) => !/^[./#]/.test(id),
  treeshake: false,
  logLevel: 'warn',
  output: {
    dir: join(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});
