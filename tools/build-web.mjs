/**
 * Builds the web UI into dist/web, each file beside its gzip and brotli forms, as the api serves them. If nothing
 * changed since the last build it costs a moment.
 *
 *   node tools/build-web.mjs
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// A caller may set NODE_ENV to test. React for developers is half as large again, and would stay in dist/web for the next start.
process.env.NODE_ENV = 'production';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'dist', 'web');
const stamp = join(target, 'built-from');

const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The files of a folder, and those of every library that they import. */
function filesFrom(folder, seen = new Set()) {
  if (seen.has(folder)) return [];
  seen.add(folder);
  const own = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const imported = own.flatMap((file) =>
    /(?<!\.spec)\.tsx?$/.test(file) ? [...readFileSync(file, 'utf8').matchAll(/ from '(#lib\/[\w-]+)'/g)] : [],
  );
  return [...own, ...imported.flatMap(([, name]) => filesFrom(dirname(imports[name].types), seen))];
}

/** A digest of everything that the build reads. */
function sourcesDigest() {
  const hash = createHash('sha256');
  const files = filesFrom('apps/web');
  for (const file of [
    ...files.sort(),
    join(root, 'docs/slack-app-manifest.yaml'),
    join(root, 'package.json'),
    fileURLToPath(import.meta.url),
  ])
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function compress(file) {
  const content = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  const options = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  };
  writeFileSync(`${file}.br`, brotliCompressSync(content, options));
}

const digest = sourcesDigest();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  // Built beside its place, and moved there whole. A process that reads dist/web meanwhile finds the old files or the new.
  const making = `${target}.${process.pid}`;
  const { build } = await import('vite');
  await build({
    configFile: join(root, 'apps', 'web', 'vite.config.mjs'),
    logLevel: 'error',
    build: { outDir: making, emptyOutDir: true },
  });
  for (const entry of readdirSync(making, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(js|css|html|svg)$/.test(entry.name)) compress(join(entry.parentPath, entry.name));
  writeFileSync(join(making, 'built-from'), digest);
  const old = `${making}.old`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(making, target);
  rmSync(old, { recursive: true, force: true });
}
