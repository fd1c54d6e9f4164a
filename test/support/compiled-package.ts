import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { transformSync } from '@swc/core';
import { packageRoot } from '#lib/database';
import { madeOnce } from './build-lock.js';

/** A worker that has loaded all of its code, and begins with the first byte on its standard input. */
const PREPARED_WORKER = `import '#lib/installation';
import { once } from 'node:events';
import './start-worker.js';
void once(process.stdin, 'data').then(() => {
  process.stdin.destroy();
  return import('./main.js');
});
`;

/** Of this worker: sources do not change under it. To read all of them takes a tenth of a second. */
let compiled: string | undefined;

/**
 * The package as Node runs it, so that a test can start real processes of it without a build beforehand. Compiled once for
 * each state of the sources; types are the business of `tsc`.
 *
 * @returns the folder to start `dist/programs/<app>/main.js` in.
 */
export function compiledPackage(): string {
  compiled ??= compilePackage();
  return compiled;
}

function compilePackage(): string {
  const root = packageRoot();
  const sources = ['apps', 'libs'].flatMap((folder) => sourcesUnder(root, folder));
  const hash = createHash('sha256').update(process.version);
  const builders = ['test/support/compiled-package.ts', 'tools/bundle-programs.mjs', 'tools/load-compiled.cjs'];
  for (const source of [...sources, ...builders])
    hash
      .update(source)
      .update('\0')
      .update(readFileSync(join(root, source)));
  const cache = join(root, 'node_modules', '.cache', 'countersign');
  const target = join(cache, `compiled-${hash.digest('hex').slice(0, 16)}`);
  mkdirSync(cache, { recursive: true });
  // Two workers of jest may want the package at the same time.
  madeOnce(target, () => {
    make(root, sources, target);
  });
  return target;
}

function make(root: string, sources: readonly string[], target: string): void {
  const making = `${target}.making`;
  rmSync(making, { recursive: true, force: true });
  for (const source of sources) compile(root, source, join(making, 'dist', source.replace(/\.ts$/, '.js')));
  writeFileSync(join(making, 'dist/apps/worker/src/prepared.js'), PREPARED_WORKER);
  for (const asset of ['package.json', 'migrations', 'policies']) symlinkSync(join(root, asset), join(making, asset));
  // A manifest of its own: Node resolves the package's imports beside it.
  rmSync(join(making, 'package.json'));
  writeFileSync(join(making, 'package.json'), readFileSync(join(root, 'package.json')));
  const bundled = spawnSync(process.execPath, [join(root, 'tools/bundle-programs.mjs'), making], {
    encoding: 'utf8',
  });
  if (bundled.status !== 0) throw new Error(`the programs cannot be bundled: ${bundled.stderr}`);
  renameSync(making, target);
}

function sourcesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.endsWith('.d.ts') && !path.startsWith('web/'),
    )
    .map((path) => join(folder, path))
    .sort();
}

function compile(root: string, source: string, target: string): void {
  const { code } = transformSync(readFileSync(join(root, source), 'utf8'), {
    filename: source,
    configFile: false,
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      target: 'es2022',
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'es6' },
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}
